import { constants, createReadStream, createWriteStream } from "node:fs";
import { copyFile, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
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

/** Makes what encrypts one file. */
export type FileEncryption = () => Duplex;

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
 * @param encrypt makes what encrypts one file, whose name then ends in `.age`; null: they are copied as they are
 */
export async function copyCluster(
  superuser: pg.Client,
  dataPath: string,
  to: string,
  encrypt: FileEncryption | null = null,
): Promise<CopiedCluster> {
  const { rows: begun } = await superuser.query<{ segment: string }>(
    "select pg_walfile_name(pg_backup_start('sluice', true)) as segment",
  );
  const firstSegment = begun[0]?.segment ?? "";
  await mkdir(to, { mode: 0o700 });
  const byteLength = await copyTree({ from: dataPath, to, encrypt }, 0);
  await mkdir(join(to, "pg_wal", "archive_status"));
  const { rows: ended } = await superuser.query<{ lsn: string; labelfile: string; at: Date }>(
    "select lsn::text, labelfile, clock_timestamp() as at from pg_backup_stop(false)",
  );
  const [end] = ended;
  if (!end) throw new Error("PostgreSQL did not end the copy.");
  await writeSynced(Readable.from([Buffer.from(end.labelfile)]), join(to, "backup_label"), encrypt);
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
async function copyTree(
  { from, to, encrypt }: { from: string; to: string; encrypt: FileEncryption | null },
  depth: number,
): Promise<number> {
  if (depth > MAXIMUM_DEPTH) throw new Error(`${from} is deeper than a cluster's folder.`);
  let byteLength = 0;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(target, { mode: 0o700 });
      if (depth > 0 || !EMPTIED.includes(entry.name))
        byteLength += await copyTree({ from: source, to: target, encrypt }, depth + 1);
      await syncPath(target);
    } else if (entry.isFile()) byteLength += await copySynced(source, target, encrypt);
  }
  return byteLength;
}

/** 0 if the server has just removed the file: the log has that too. */
async function copySynced(source: string, target: string, encrypt: FileEncryption | null): Promise<number> {
  try {
    if (encrypt) {
      const { size } = await stat(source);
      await writeSynced(createReadStream(source), target, encrypt);
      return size;
    }
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

/** Writes a file of the archive, encrypted or not, which is on the disk when this returns. */
async function writeSynced(source: Readable, target: string, encrypt: FileEncryption | null): Promise<void> {
  const path = encrypt ? `${target}.age` : target;
  const file = createWriteStream(path, { mode: 0o600, flush: true });
  try {
    if (encrypt) await pipeline(source, encrypt(), file);
    else await pipeline(source, file);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
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
