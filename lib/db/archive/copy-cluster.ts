import { constants } from "node:fs";
import { copyFile, mkdir, open, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { hasCode } from "@/lib/platform/error-code";

/** A copy of a running cluster's folder: complete with the log between its two positions. */
export interface CopiedCluster {
  timeline: number;
  /** Name of the first segment of the log that the copy needs. */
  firstSegment: string;
  /** The copy is consistent from here on. */
  stopLsn: string;
  stoppedAt: Date;
  byteLength: number;
}

/** Folders whose content belongs to the running server or to its log, which is kept apart. */
const EMPTIED = [
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
];
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|(standby|recovery)\.signal|pgsql_tmp.*|pg_internal\.init.*)$/;
/** Depth of `base/<database>/<file>` and a few more; a cluster of ours has no tablespaces. */
const MAXIMUM_DEPTH = 6;

/**
 * Copies the folder of a running cluster between `pg_backup_start` and `pg_backup_stop`, synced to the disk. The server
 * keeps writing: the log from `firstSegment` on makes the copy whole.
 * @param superuser a connection of its own, open until the end
 * @param to a new folder
 */
export async function copyCluster(
  superuser: pg.Client,
  dataPath: string,
  to: string,
): Promise<CopiedCluster> {
  const { rows: begun } = await superuser.query<{ segment: string }>(
    "select pg_walfile_name(pg_backup_start('sluice', true)) as segment",
  );
  const firstSegment = begun[0]?.segment ?? "";
  await mkdir(to, { mode: 0o700 });
  const byteLength = await copyTree(dataPath, to, 0);
  await mkdir(join(to, "pg_wal", "archive_status"));
  const { rows: ended } = await superuser.query<{ lsn: string; labelfile: string; at: Date }>(
    "select lsn::text, labelfile, clock_timestamp() as at from pg_backup_stop(false)",
  );
  const [end] = ended;
  if (!end) throw new Error("PostgreSQL did not end the copy.");
  await writeFile(join(to, "backup_label"), end.labelfile, { mode: 0o600, flush: true });
  await syncPath(to);
  return {
    timeline: Number.parseInt(firstSegment.slice(0, 8), 16),
    firstSegment,
    stopLsn: end.lsn,
    stoppedAt: end.at,
    byteLength,
  };
}

/** @returns how many bytes were copied */
async function copyTree(from: string, to: string, depth: number): Promise<number> {
  if (depth > MAXIMUM_DEPTH) throw new Error(`${from} is deeper than a cluster's folder.`);
  let byteLength = 0;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(target, { mode: 0o700 });
      if (depth > 0 || !EMPTIED.includes(entry.name)) byteLength += await copyTree(source, target, depth + 1);
      await syncPath(target);
    } else if (entry.isFile()) byteLength += await copySynced(source, target);
  }
  return byteLength;
}

/** 0 if the server has just removed the file: the log has that too. */
async function copySynced(source: string, target: string): Promise<number> {
  try {
    await copyFile(source, target, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return 0;
    throw error;
  }
  const file = await open(target, "r+");
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** A power failure could otherwise undo what was created, renamed or removed in a folder. */
export async function syncPath(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
