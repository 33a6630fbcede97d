import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { chown, copyFile, cp, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { endianness } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import {
  archiveParts,
  type BaseCopy,
  COMPLETE,
  listBases,
  listSegments,
  PARTIAL,
  readArchivedUntil,
  SEGMENT_BYTES,
  segmentName,
  segmentStart,
  segmentTimeline,
} from "@/lib/db/archive/archive-folder";
import { syncPath } from "@/lib/db/archive/copy-cluster";
import {
  EMBEDDED_MAJOR_VERSION,
  findInstalled,
  findPackage,
  prepareBinaries,
} from "@/lib/db/embedded-binaries";
import { halfMadePath, isAlive, type Place, preparePlace, WORKING_FOLDER } from "@/lib/db/embedded-place";
import { joinSupervisor } from "@/lib/db/embedded-supervisor";
import { systemClock } from "@/lib/platform/clock";
import { hasCode } from "@/lib/platform/error-code";

export interface RestoreArchiveOptions {
  /** Where the restored cluster goes; the one that is there is moved aside. */
  dataDirectory: string;
  postgresBin: string | null;
  archive: string;
  /** The moment to restore; null: as far as the archive reaches. */
  to: Date | null;
  say: (line: string) => void;
}

export interface RestoredArchive {
  /** Where the cluster is that was there before; null: there was none. */
  movedAside: string | null;
  segmentCount: number;
}

/** 3 TB of log between two copies. */
const MAXIMUM_SEGMENTS = 200_000;
const POLL_MS = 50;
const JOIN_TIMEOUT_MS = 5_000;
const MAXIMUM_WORDS = 8_000;

/**
 * Makes the embedded cluster as it was at a moment, from the newest copy before it and the log up to it. The cluster
 * that is there stays until the new one is complete, and is then moved aside, not removed; the end of its log, if it is
 * newer than the archive, is used too.
 * @throws Error if Sluice is running on the folder, or the archive does not reach that moment; nothing is changed then
 */
export async function restoreArchive(options: RestoreArchiveOptions): Promise<RestoredArchive> {
  const { archive, to, say } = options;
  const base = await chooseBase(archive, to);
  const place = await preparePlace(options.dataDirectory);
  await assertUnused(place);
  const binaries = options.postgresBin
    ? await findInstalled(options.postgresBin, place)
    : await prepareBinaries(findPackage(), place);
  const making = halfMadePath(place.homePath);
  try {
    say(`Copying the database of ${base.stoppedAt.toISOString()}.`);
    await cp(join(base.path, "data"), making, { recursive: true, preserveTimestamps: false });
    await assertVersion(making);
    const { segmentCount, isInterrupted } = await gatherLog(base, {
      archive,
      cluster: place.dataPath,
      to: join(making, "pg_wal"),
    });
    await writeFile(join(making, "recovery.signal"), "");
    await give(making, place);
    say(`Replaying ${segmentCount} segments of its log ${to ? `to ${to.toISOString()}` : "to its end"}.`);
    await replay(making, place, { postgres: binaries.postgres, archive, to, isInterrupted });
    const movedAside = existsSync(place.dataPath)
      ? join(place.homePath, `before-restore-${systemClock.now().toISOString().replace(/[-:.]/g, "")}`)
      : null;
    if (movedAside) await rename(place.dataPath, movedAside);
    await rename(making, place.dataPath);
    await syncPath(place.homePath);
    return { movedAside, segmentCount };
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function chooseBase(archive: string, to: Date | null): Promise<BaseCopy> {
  const copies = await listBases(archive);
  const [oldest] = copies;
  if (!oldest)
    throw new Error(`There is no archive in ${archive}: name it with SLUICE_ARCHIVE_DIR or --archive.`);
  const base = to ? copies.findLast(({ stoppedAt }) => stoppedAt.getTime() <= to.getTime()) : copies.at(-1);
  if (base) return base;
  throw new Error(
    `The archive in ${archive} begins at ${oldest.stoppedAt.toISOString()}: give a later moment.`,
  );
}

/** Moving the folder of a running server would tear its data apart. */
async function assertUnused(place: Place): Promise<void> {
  const membership = await joinSupervisor(place.socketPath, JOIN_TIMEOUT_MS);
  const pid = Number.parseInt(
    await readFile(join(place.dataPath, "postmaster.pid"), "utf8").catch(() => ""),
    10,
  );
  if (membership) await membership.leave(JOIN_TIMEOUT_MS);
  else if (!pid || !isAlive(pid)) return;
  throw new Error(`Sluice is running on ${place.homePath}. Stop it first; nothing was changed.`);
}

async function assertVersion(path: string): Promise<void> {
  const version = Number.parseInt(await readFile(join(path, "PG_VERSION"), "utf8"), 10);
  if (version === EMBEDDED_MAJOR_VERSION) return;
  throw new Error(
    `The archive is one of PostgreSQL ${version}, and this Sluice has ${EMBEDDED_MAJOR_VERSION}: restore it with the Sluice that made it.`,
  );
}

/** Puts the log where PostgreSQL looks for it, from the copy's first segment to the first that is missing. */
async function gatherLog(
  base: BaseCopy,
  { archive, cluster, to }: { archive: string; cluster: string; to: string },
): Promise<GatheredLog> {
  const { wal } = archiveParts(archive);
  const isSameCluster = (await readSystemId(cluster)) === base.systemId;
  let position = segmentStart(base.firstSegment);
  for (let count = 0; count < MAXIMUM_SEGMENTS; count++) {
    const name = segmentName(base.timeline, position);
    const target = join(to, name);
    const [complete, old, partial] = [
      join(wal, `${name}${COMPLETE}`),
      join(cluster, "pg_wal", name),
      join(wal, `${name}${PARTIAL}`),
    ];
    if (existsSync(complete))
      await pipeline(createReadStream(complete), createGunzip(), createWriteStream(target, { mode: 0o600 }));
    // The server may have written more of it than was archived. What follows its end is of no cluster.
    else if (isSameCluster && existsSync(old)) await copyFile(old, target);
    else if (existsSync(partial)) {
      await copyFile(partial, target);
      await truncate(target, SEGMENT_BYTES);
    } else {
      const later = (await listSegments(archive)).some(
        (one) => segmentTimeline(one) > base.timeline || segmentStart(one) > position,
      );
      return { segmentCount: count, isInterrupted: later };
    }
    position += BigInt(SEGMENT_BYTES);
  }
  throw new Error(`The log in ${wal} has more than ${MAXIMUM_SEGMENTS} segments.`);
}

interface GatheredLog {
  segmentCount: number;
  /** The archive goes on, but not from here: its log was interrupted, or it is that of a restored cluster. */
  isInterrupted: boolean;
}

/** The first eight bytes of the control file; null: there is no cluster. */
async function readSystemId(cluster: string): Promise<string | null> {
  try {
    const control = await readFile(join(cluster, "global", "pg_control"));
    return (endianness() === "LE" ? control.readBigUInt64LE(0) : control.readBigUInt64BE(0)).toString();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** To the account that the server runs as, in the modes that it requires. */
async function give(path: string, { user }: Place): Promise<void> {
  if (!user) return;
  await chown(path, user.uid, user.gid);
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true }))
    await chown(join(entry.parentPath, entry.name), user.uid, user.gid);
}

const BEYOND_END = /recovery ended before configured recovery target was reached/;

async function replay(
  path: string,
  place: Place,
  {
    postgres,
    archive,
    to,
    isInterrupted,
  }: Pick<GatheredLog, "isInterrupted"> &
    Pick<RestoreArchiveOptions, "archive" | "to"> & { postgres: string },
): Promise<void> {
  const words = await runRecovery(path, place, postgres, to);
  if (words === null) return;
  const until = await readArchivedUntil(archive);
  // Nothing was written between the end of the log and that moment.
  if (to && BEYOND_END.test(words) && !isInterrupted && until && until.getTime() >= to.getTime()) {
    const again = await runRecovery(path, place, postgres, null);
    if (again === null) return;
    throw new Error(`PostgreSQL did not replay its log.\n${again}`);
  }
  if (BEYOND_END.test(words) && isInterrupted)
    throw new Error(
      "The archive was interrupted between the copy before that moment and the moment itself: give an earlier one, or one after the next copy. Nothing was changed.",
    );
  if (BEYOND_END.test(words))
    throw new Error(
      `The archive reaches to ${until?.toISOString() ?? "an unknown moment"}: give an earlier one, or --to latest. Nothing was changed.`,
    );
  throw new Error(`PostgreSQL did not replay its log. Nothing was changed.\n${words}`);
}

/** @returns null once the cluster is restored and shut down; PostgreSQL's words if it gave up */
async function runRecovery(
  path: string,
  place: Place,
  postgres: string,
  to: Date | null,
): Promise<string | null> {
  const settings = [
    "listen_addresses=",
    // The folder of the server that will run here: PostgreSQL needs one socket.
    "unix_socket_directories=../run",
    "unix_socket_permissions=0700",
    "hot_standby=off",
    "archive_mode=off",
    "restore_command=false",
    "recovery_target_timeline=current",
    "recovery_target_action=promote",
    "max_connections=100",
    ...(to ? [`recovery_target_time=${to.toISOString().replace("Z", "+00")}`] : []),
  ];
  const child = spawn(
    postgres,
    ["-D", place.isReachable ? path : WORKING_FOLDER, ...settings.flatMap((setting) => ["-c", setting])],
    {
      cwd: path,
      env: { PATH: process.env.PATH, LC_ALL: "C", NODE_ENV: "production" },
      stdio: ["ignore", "ignore", "pipe"],
      ...(place.user ?? {}),
    },
  );
  let words = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    words = (words + text).slice(-MAXIMUM_WORDS);
  });
  const ended = once(child, "close");
  while (isRunning(child) && !(await isReady(path))) await pause(POLL_MS);
  if (!isRunning(child)) {
    await ended;
    return words;
  }
  child.kill("SIGINT");
  await ended;
  return child.exitCode === 0 ? null : words;
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

/** Without a hot standby, PostgreSQL says so once recovery is over. */
async function isReady(path: string): Promise<boolean> {
  const lines = (await readFile(join(path, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  return lines[7]?.trim() === "ready";
}
