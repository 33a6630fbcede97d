import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import {
  chown,
  copyFile,
  cp,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from "node:fs/promises";
import { endianness } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import {
  archiveParts,
  type BaseCopy,
  COMPLETE,
  ENCRYPTED,
  listBases,
  listSegments,
  PARTIAL,
  readArchivedUntil,
  SEGMENT_BYTES,
  segmentName,
  segmentStart,
  segmentTimeline,
} from "@/lib/db/archive/archive-folder";
import { openArchiveKeys } from "@/lib/db/archive/archive-key";
import { syncPath } from "@/lib/db/archive/copy-cluster";
import { hold } from "@/lib/db/backup/hold";
import {
  EMBEDDED_MAJOR_VERSION,
  findInstalled,
  findPackage,
  prepareBinaries,
} from "@/lib/db/embedded-binaries";
import { halfMadePath, isAlive, type Place, preparePlace, WORKING_FOLDER } from "@/lib/db/embedded-place";
import { joinSupervisor } from "@/lib/db/embedded-supervisor";
import { type AgeIdentity, decryptAge, WrongKey } from "@/lib/platform/age";
import { systemClock } from "@/lib/platform/clock";
import { hasCode } from "@/lib/platform/error-code";

export interface RestoreArchiveOptions {
  /** Where the restored cluster goes; the one that is there is moved aside. */
  dataDirectory: string;
  postgresBin: string | null;
  archive: string;
  /** Open it if it is encrypted. */
  identities?: readonly AgeIdentity[];
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
  const release = await hold(archiveParts(options.archive).reading).catch((error: unknown) => {
    // There is no such folder: said below.
    if (hasCode(error, "ENOENT")) return async () => undefined;
    throw error;
  });
  try {
    return await restoreHeld(options);
  } finally {
    await release();
  }
}

async function restoreHeld(options: RestoreArchiveOptions): Promise<RestoredArchive> {
  const { archive, to, say } = options;
  const base = await chooseBase(archive, to);
  const identities = await openArchiveKeys(archive, options.identities ?? []).catch(refuseKey);
  const place = await preparePlace(options.dataDirectory);
  await assertUnused(place);
  const binaries = options.postgresBin
    ? await findInstalled(options.postgresBin, place)
    : await prepareBinaries(findPackage(), place);
  const making = halfMadePath(place.homePath);
  try {
    say(`Copying the database of ${base.stoppedAt.toISOString()}.`);
    if (base.isEncrypted) await decryptTree(join(base.path, "data"), making, identities).catch(refuseKey);
    else await cp(join(base.path, "data"), making, { recursive: true, preserveTimestamps: false });
    await assertVersion(making);
    const { segmentCount, isInterrupted } = await gatherLog(base, {
      archive,
      identities,
      cluster: place.dataPath,
      to: join(making, "pg_wal"),
    });
    const taken = await noteTimelines(join(making, "pg_wal"), base, { archive, cluster: place.dataPath });
    await writeFile(join(making, "recovery.signal"), "");
    await give(making, place);
    say(`Replaying ${segmentCount} segments of its log ${to ? `to ${to.toISOString()}` : "to its end"}.`);
    await replay(making, place, {
      postgres: binaries.postgres,
      base,
      archive,
      to,
      isInterrupted,
    });
    for (const path of taken) await rm(path, { force: true });
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

/** Each restore begins one. */
const MAXIMUM_TIMELINES = 100_000;

/**
 * PostgreSQL gives the restored cluster the first timeline without a file. One that an earlier restore from the same copy
 * had begun would mix both histories' log under the same names, and neither could be restored.
 * @returns the files, to be removed once it has chosen
 */
async function noteTimelines(
  wal: string,
  { timeline }: BaseCopy,
  { archive, cluster }: { archive: string; cluster: string },
): Promise<string[]> {
  const ofCluster = await readdir(join(cluster, "pg_wal")).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  const known = [...(await listSegments(archive)), ...ofCluster.filter((name) => /^[0-9A-F]{24}$/.test(name))]
    .map(segmentTimeline)
    .concat((await listBases(archive)).map((copy) => copy.timeline));
  const newest = known.reduce((one, other) => Math.max(one, other), timeline);
  if (newest - timeline > MAXIMUM_TIMELINES) throw new Error(`${archive} has a segment of no timeline.`);
  const paths: string[] = [];
  for (let taken = timeline + 1; taken <= newest; taken++)
    paths.push(join(wal, `${taken.toString(16).toUpperCase().padStart(8, "0")}.history`));
  for (const path of paths) await writeFile(path, "", { mode: 0o600 });
  return paths;
}

/** Puts the log where PostgreSQL looks for it, from the copy's first segment to the first that is missing. */
async function gatherLog(
  base: BaseCopy,
  {
    archive,
    identities,
    cluster,
    to,
  }: { archive: string; identities: readonly AgeIdentity[]; cluster: string; to: string },
): Promise<GatheredLog> {
  const { wal } = archiveParts(archive);
  const pieces = (await listSegments(archive)).filter((one) => one.endsWith(ENCRYPTED));
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
    const ofSegment = pieces.filter((one) => one.startsWith(`${name}${PARTIAL}-`));
    if (existsSync(complete))
      await pipeline(createReadStream(complete), createGunzip(), createWriteStream(target, { mode: 0o600 }));
    else if (existsSync(`${complete}${ENCRYPTED}`))
      await pipeline(
        decryptAge(createReadStream(`${complete}${ENCRYPTED}`), identities),
        createGunzip(),
        createWriteStream(target, { mode: 0o600 }),
      );
    // The server may have written more of it than was archived. What follows its end is of no cluster.
    else if (isSameCluster && existsSync(old)) await copyFile(old, target);
    else if (ofSegment.length > 0) {
      for (const piece of ofSegment) await placePiece(join(wal, piece), target, identities);
      await truncate(target, SEGMENT_BYTES);
    } else if (existsSync(partial)) {
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

/** Writes a piece of a segment where it belongs, which its name tells. */
async function placePiece(path: string, target: string, identities: readonly AgeIdentity[]): Promise<void> {
  const start = Number.parseInt(/-([0-9a-f]{8})\.age$/.exec(path)?.[1] ?? "", 16);
  if (!Number.isInteger(start) || start >= SEGMENT_BYTES)
    throw new Error(`${path} is not a piece of a segment.`);
  await (await open(target, "a", 0o600)).close();
  await pipeline(
    decryptAge(createReadStream(path), identities),
    createWriteStream(target, { flags: "r+", start }),
  );
}

/** Depth of a cluster's folder, as `copyCluster` bounds it. */
const MAXIMUM_DEPTH = 7;

async function decryptTree(
  from: string,
  to: string,
  identities: readonly AgeIdentity[],
  depth = 0,
): Promise<void> {
  if (depth > MAXIMUM_DEPTH) throw new Error(`${from} is deeper than a cluster's folder.`);
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await decryptTree(source, target, identities, depth + 1);
    else if (entry.name.endsWith(ENCRYPTED))
      await pipeline(
        decryptAge(createReadStream(source), identities),
        createWriteStream(target.slice(0, -ENCRYPTED.length), { mode: 0o600 }),
      );
  }
}

/** Says what to give. @throws always */
function refuseKey(error: unknown): never {
  if (!(error instanceof WrongKey)) throw error;
  throw new WrongKey(
    `The archive cannot be opened. ${error.message} Give the passphrase as SLUICE_BACKUP_PASSPHRASE, or the private key ` +
      "with --identity FILE or SLUICE_BACKUP_IDENTITY (docs/backup.md). Nothing was changed.",
    { cause: error },
  );
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
const LAST_CHANGE = /last completed transaction was at log time (\S+ \S+)/;

/** Of the copy and the log that was replayed; rounded up to what `Date` holds. */
function readLastChange(words: string, base: BaseCopy): Date {
  const [, text = ""] = LAST_CHANGE.exec(words) ?? [];
  // In UTC, as it is started below: `2026-11-28 14:05:00.123456+00`.
  const at = new Date(`${text.slice(0, 10)}T${text.slice(11, 23)}Z`);
  return at.getTime() > base.stoppedAt.getTime() ? new Date(at.getTime() + 1) : base.stoppedAt;
}

async function replay(
  path: string,
  place: Place,
  {
    postgres,
    base,
    archive,
    to,
    isInterrupted,
  }: Pick<GatheredLog, "isInterrupted"> &
    Pick<RestoreArchiveOptions, "archive" | "to"> & { postgres: string; base: BaseCopy },
): Promise<void> {
  const words = await runRecovery(path, place, postgres, to);
  if (words === null) return;
  const until = await readArchivedUntil(archive);
  // Nothing was written between the end of the log and that moment.
  const lastChange = readLastChange(words, base);
  const isQuiet = !isInterrupted && until !== null && to !== null && until.getTime() >= to.getTime();
  const isLastChange = to !== null && to.getTime() <= lastChange.getTime();
  if (BEYOND_END.test(words) && (isQuiet || isLastChange)) {
    const again = await runRecovery(path, place, postgres, null);
    if (again === null) return;
    throw new Error(`PostgreSQL did not replay its log.\n${again}`);
  }
  if (BEYOND_END.test(words) && isInterrupted)
    throw new Error(
      "The archive was interrupted between the copy before that moment and the moment itself: give " +
        `${lastChange.toISOString()}, which has the last change before that, ` +
        "or a moment after the next copy. Nothing was changed.",
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
    "timezone=UTC",
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
