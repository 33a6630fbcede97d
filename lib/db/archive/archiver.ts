import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import type { Logger } from "pino";
import {
  archiveParts,
  type BaseCopy,
  COMPLETE,
  ENCRYPTED,
  halfMade,
  keepBase,
  listBases,
  listSegments,
  PARTIAL,
  prepareArchive,
  readLsn,
  removeBase,
  removeOld,
  SEGMENT_BYTES,
  segmentName,
  segmentStart,
} from "@/lib/db/archive/archive-folder";
import { prepareArchiveKey } from "@/lib/db/archive/archive-key";
import { copyCluster, type FileEncryption, syncPath } from "@/lib/db/archive/copy-cluster";
import { isHeld } from "@/lib/db/backup/hold";
import { createClient } from "@/lib/db/client";
import { type AgeRecipient, createAgeEncryption } from "@/lib/platform/age";
import { systemClock } from "@/lib/platform/clock";
import { readFreeDiskSpace } from "@/lib/platform/free-disk-space";

export interface ArchiverOptions {
  /** As the superuser of the embedded server. */
  connection: pg.ClientConfig;
  /** The cluster's folder. */
  dataPath: string;
  /** SLUICE_ARCHIVE_DIR. */
  directory: string;
  /** How far back a restore must reach. */
  days: number;
  /** Whom it is encrypted to. None: it is not. */
  recipients?: readonly AgeRecipient[];
  log: Pick<Logger, "info" | "warn" | "error">;
  /** How long a server without an archive must have run before its first copy: a trial of a moment needs none. */
  firstCopyAfterMs?: number;
  /** How often the log is copied: what the loss of this machine's disk may cost. */
  everyMs?: number;
}

export interface Archiver {
  /** Copies the rest of the log and ends. */
  stop(): Promise<void>;
}

/** Holds the log until it is copied; `max_slot_wal_keep_size` bounds how much. */
const SLOT = "sluice_archive";
/** "arch" in ASCII: one process at a time archives a server. */
const LOCK_KEY = 0x61726368;
const EVERY_MS = 1_000;
const FIRST_COPY_AFTER_MS = 60_000;
const BETWEEN_COPIES_MS = 24 * 3_600_000;
const AFTER_FAILURE_MS = 10_000;
const AFTER_FAILED_COPY_MS = 600_000;
const ERROR_EVERY_MS = 60_000;
/** Below this the database keeps its disk to itself: nothing more is copied or held back for it. */
const RESERVE_BYTES = 256 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** A minute's, written every second. */
const MAXIMUM_PIECES = 60;

/**
 * Copies the log of the embedded server as it is written, and its folder once a day: together they restore any second
 * in between (`npm run restore -- --to`). Of several processes one does it. A failure is logged once a minute and tried
 * again; it never stops the database.
 */
export function openArchiver(options: ArchiverOptions): Archiver {
  const stopping = new AbortController();
  const ended = keepArchiving(options, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function keepArchiving(options: ArchiverOptions, signal: AbortSignal): Promise<void> {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const sayFailure = (err: unknown) => {
    if (performance.now() - reportedAt < ERROR_EVERY_MS) return;
    reportedAt = performance.now();
    options.log.error({ err }, "The archive of the database is behind: a restore reaches less far.");
  };
  if ((await listBases(options.directory).catch(() => [])).length === 0)
    await pauseUntil(options.firstCopyAfterMs ?? FIRST_COPY_AFTER_MS, signal);
  while (!signal.aborted) {
    try {
      await archiveOnce(options, signal, sayFailure);
    } catch (error) {
      sayFailure(error);
    }
    await pauseUntil(AFTER_FAILURE_MS, signal);
  }
}

/** Until stopped, an error, or at once if another process does it. */
async function archiveOnce(
  options: ArchiverOptions,
  signal: AbortSignal,
  sayFailure: (error: unknown) => void,
): Promise<void> {
  const client = createClient({ ...options.connection, application_name: "sluice-archive" });
  await client.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      LOCK_KEY,
    ]);
    if (!rows[0]?.taken) return;
    await prepareArchive(options.directory);
    const keys = await prepareArchiveKey(options.directory, options.recipients ?? []);
    const encrypt = keys.length > 0 ? () => createAgeEncryption(keys) : null;
    await followLog(client, { ...options, encrypt }, signal, sayFailure);
  } finally {
    await client.end();
  }
}

type ArchivingOptions = ArchiverOptions & { encrypt: FileEncryption | null };

async function followLog(
  client: pg.Client,
  options: ArchivingOptions,
  signal: AbortSignal,
  sayFailure: (error: unknown) => void,
): Promise<void> {
  const copies = new DailyCopies(options, sayFailure);
  const log = new LogCopy(client, options);
  let isLast = false;
  try {
    for (;;) {
      // What ends now needs the log that comes after it.
      if (isLast) await copies.made();
      const { timeline, isGap, position } = await log.copyNews();
      await copies.keepIfWhole(position);
      await writeFile(archiveParts(options.directory).until, "", { mode: 0o600 });
      if (isLast) return;
      await copies.makeIfDue(timeline, isGap);
      await pauseUntil(options.everyMs ?? EVERY_MS, signal);
      // Once more after the signal: what was committed until now.
      isLast = signal.aborted;
    }
  } finally {
    await copies.discard();
  }
}

interface ServerState {
  flushed: string;
  timeline: number;
  /** Null: there is no slot, or it no longer holds the log. */
  held: string | null;
}

/** The log in the archive, complete up to a position. */
class LogCopy {
  readonly #client: pg.Client;
  readonly #options: ArchivingOptions;
  readonly #wal: string;
  /** Of the segment that is being written, if the archive is encrypted. */
  #pieceCount = 0;
  #position: bigint | null = null;
  /** The log up to the newest copy of the cluster is not complete. */
  #isGap = false;

  constructor(client: pg.Client, options: ArchivingOptions) {
    this.#client = client;
    this.#options = options;
    this.#wal = archiveParts(options.directory).wal;
  }

  async copyNews(): Promise<{ timeline: number; isGap: boolean; position: bigint }> {
    await this.#leaveRoom();
    let state = await this.#readState();
    if (state.held === null) {
      await this.#makeSlot();
      state = await this.#readState();
      this.#position = null;
      this.#isGap = true;
    }
    const { timeline, held, flushed } = state;
    if (this.#position === null)
      this.#position = segmentStart(segmentName(timeline, readLsn(held ?? flushed)));
    const end = readLsn(flushed);
    while (this.#position < end) this.#position = await this.#copySegment(timeline, this.#position, end);
    const isGap = this.#isGap;
    this.#isGap = false;
    return { timeline, isGap, position: this.#position };
  }

  async #readState(): Promise<ServerState> {
    const { rows } = await this.#client.query<ServerState>(
      `select pg_current_wal_flush_lsn()::text as flushed,
              ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline,
              (select restart_lsn::text from pg_replication_slots
                where slot_name = $1 and wal_status <> 'lost') as held`,
      [SLOT],
    );
    const [state] = rows;
    if (!state) throw new Error("PostgreSQL does not say where its log ends.");
    return state;
  }

  async #makeSlot(): Promise<void> {
    await this.#dropSlot();
    await this.#client.query("select pg_create_physical_replication_slot($1, true)", [SLOT]);
    this.#options.log.info("The archive of the database begins.");
  }

  async #dropSlot(): Promise<void> {
    await this.#client.query(
      "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1",
      [SLOT],
    );
  }

  /** @throws Error if the disk of the archive is nearly full; if it is the database's too, the log is let go */
  async #leaveRoom(): Promise<void> {
    const { directory, dataPath } = this.#options;
    const free = await readFreeDiskSpace(directory);
    if (free === null || free >= RESERVE_BYTES) return;
    const ofDatabase = await readFreeDiskSpace(dataPath);
    if (ofDatabase !== null && ofDatabase < RESERVE_BYTES) await this.#dropSlot();
    throw new Error(`${directory}: less than ${RESERVE_BYTES / 1024 / 1024} MB are free.`);
  }

  /** @returns the new position: the end of what was written, or of the segment */
  async #copySegment(timeline: number, from: bigint, flushed: bigint): Promise<bigint> {
    const name = segmentName(timeline, from);
    const start = segmentStart(name);
    const segmentEnd = start + BigInt(SEGMENT_BYTES);
    const to = flushed < segmentEnd ? flushed : segmentEnd;
    const source = join(this.#options.dataPath, "pg_wal", name);
    const { encrypt } = this.#options;
    if (encrypt === null) {
      const partial = join(this.#wal, `${name}${PARTIAL}`);
      await copyRange(source, partial, Number(from - start), Number(to - start));
      if (to < segmentEnd) return to;
      await compress(partial, join(this.#wal, `${name}${COMPLETE}`), this.#wal, null);
    } else {
      if (to < segmentEnd) {
        await this.#encryptPiece(name, Number(from - start), Number(to - start), encrypt);
        return to;
      }
      await compress(source, join(this.#wal, `${name}${COMPLETE}${ENCRYPTED}`), this.#wal, encrypt);
      this.#pieceCount = 0;
    }
    await this.#removeParts(name, [`${name}${COMPLETE}`, `${name}${COMPLETE}${ENCRYPTED}`]);
    await this.#client.query("select pg_replication_slot_advance($1, $2::pg_lsn)", [
      SLOT,
      writeLsn(segmentEnd),
    ]);
    return to;
  }

  /**
   * Appending to an encrypted file would use a key twice, so each second's part is a file of its own, and many of them
   * become one.
   */
  async #encryptPiece(name: string, from: number, to: number, encrypt: FileEncryption): Promise<void> {
    const start = this.#pieceCount < MAXIMUM_PIECES ? from : 0;
    const source = createReadStream(join(this.#options.dataPath, "pg_wal", name), { start, end: to - 1 });
    const making = halfMade(this.#wal);
    await pipeline(source, encrypt(), createWriteStream(making, { mode: 0o600, flush: true }));
    await rename(making, join(this.#wal, pieceName(name, start)));
    await syncPath(this.#wal);
    this.#pieceCount = start === 0 ? 1 : this.#pieceCount + 1;
    if (start === 0) await this.#removeParts(name, [pieceName(name, 0)]);
  }

  /** Of a segment, all but some. */
  async #removeParts(name: string, kept: readonly string[]): Promise<void> {
    for (const part of await readdir(this.#wal))
      if (part.startsWith(name) && !kept.includes(part)) await rm(join(this.#wal, part), { force: true });
  }
}

/** `…partial-000a0000.age`: a piece of a segment from that byte on. */
function pieceName(segment: string, from: number): string {
  return `${segment}${PARTIAL}-${from.toString(16).padStart(8, "0")}${ENCRYPTED}`;
}

function writeLsn(position: bigint): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffffffffn).toString(16)}`;
}

async function copyRange(from: string, to: string, start: number, end: number): Promise<void> {
  const source = await open(from, "r");
  try {
    const target = await open(to, start === 0 ? "w" : "r+", 0o600);
    try {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let at = start; at < end; ) {
        const { bytesRead } = await source.read(buffer, 0, Math.min(CHUNK_BYTES, end - at), at);
        if (bytesRead === 0) throw new Error(`${from} ends before what PostgreSQL has written.`);
        await target.write(buffer, 0, bytesRead, at);
        at += bytesRead;
      }
      await target.datasync();
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** The compressed file gets its name once it is on the disk. */
async function compress(
  from: string,
  to: string,
  folder: string,
  encrypt: FileEncryption | null,
): Promise<void> {
  const making = halfMade(folder);
  const [source, gzip] = [createReadStream(from), createGzip({ level: 1 })];
  const file = createWriteStream(making, { mode: 0o600, flush: true });
  if (encrypt) await pipeline(source, gzip, encrypt(), file);
  else await pipeline(source, gzip, file);
  await rename(making, to);
  await syncPath(folder);
}

/** A copy that cannot be restored before the log reaches its end. */
interface UnfinishedCopy {
  making: string;
  facts: Omit<BaseCopy, "path">;
}

/** Copies of the cluster's folder, beside the log's. */
class DailyCopies {
  readonly #options: ArchivingOptions;
  readonly #sayFailure: (error: unknown) => void;
  #running: Promise<void> | null = null;
  #unfinished: UnfinishedCopy | null = null;
  #failedAt = Number.NEGATIVE_INFINITY;
  #isFirst = true;

  constructor(options: ArchivingOptions, sayFailure: (error: unknown) => void) {
    this.#options = options;
    this.#sayFailure = sayFailure;
  }

  async makeIfDue(timeline: number, isGap: boolean): Promise<void> {
    if (this.#running || this.#unfinished || performance.now() - this.#failedAt < AFTER_FAILED_COPY_MS)
      return;
    const isBroken = isGap || (this.#isFirst && !(await this.#isComplete(timeline)));
    this.#isFirst = false;
    if (!isBroken && !(await this.#isOld())) return;
    this.#running = this.#make()
      .then((unfinished) => {
        this.#unfinished = unfinished;
      })
      .catch((error: unknown) => {
        this.#failedAt = performance.now();
        this.#isFirst = true;
        this.#sayFailure(error);
      })
      .finally(() => {
        this.#running = null;
      });
  }

  async made(): Promise<void> {
    await this.#running;
  }

  /** From here on a restore may choose the copy, if the log is in the archive up to its end. */
  async keepIfWhole(position: bigint): Promise<void> {
    if (!this.#unfinished || position < readLsn(this.#unfinished.facts.stopLsn)) return;
    const { making, facts } = this.#unfinished;
    const { directory, days, log } = this.#options;
    await keepBase(directory, making, facts);
    this.#unfinished = null;
    log.info(
      { megabytes: Math.round(facts.byteLength / 1_000_000) },
      "The database was copied to the archive.",
    );
    await removeOld(directory, days);
  }

  /** What the log did not reach is of no use: it may never get there. */
  async discard(): Promise<void> {
    await this.made();
    if (this.#unfinished) await rm(this.#unfinished.making, { recursive: true, force: true });
  }

  async #isOld(): Promise<boolean> {
    const newest = (await listBases(this.#options.directory)).at(-1);
    // A plain copy beside encrypted ones would be a hole: it goes as soon as it may.
    if (newest && newest.isEncrypted !== (this.#options.encrypt !== null)) return true;
    return !newest || systemClock.now().getTime() - newest.stoppedAt.getTime() >= BETWEEN_COPIES_MS;
  }

  /** Whether every segment since the newest copy is there. */
  async #isComplete(timeline: number): Promise<boolean> {
    const newest = (await listBases(this.#options.directory)).at(-1);
    if (newest?.timeline !== timeline) return false;
    const names = new Set((await listSegments(this.#options.directory)).map((name) => name.slice(0, 24)));
    const starts = [...names].map(segmentStart);
    const last = starts.reduce((one, other) => (other > one ? other : one), 0n);
    for (let at = segmentStart(newest.firstSegment); at <= last; at += BigInt(SEGMENT_BYTES))
      if (!names.has(segmentName(timeline, at))) return false;
    return names.has(newest.firstSegment);
  }

  async #make(): Promise<UnfinishedCopy> {
    const { connection, dataPath, directory, encrypt } = this.#options;
    const client = createClient({ ...connection, application_name: "sluice-archive-copy" });
    await client.connect();
    const making = halfMade(archiveParts(directory).base);
    try {
      await this.#makeRoom(client);
      await mkdir(making, { mode: 0o700 });
      const { rows } = await client.query<{ id: string }>(
        "select system_identifier::text as id from pg_control_system()",
      );
      const copied = await copyCluster(client, dataPath, join(making, "data"), encrypt);
      const facts = { ...copied, systemId: rows[0]?.id ?? "", isEncrypted: encrypt !== null };
      return { making, facts };
    } catch (error) {
      await rm(making, { recursive: true, force: true });
      throw error;
    } finally {
      await client.end();
    }
  }

  /** An old copy gives way to a new one, the newest never does. @throws Error if that is not enough */
  async #makeRoom(client: pg.Client): Promise<void> {
    const { directory } = this.#options;
    const { rows } = await client.query<{ bytes: string }>(
      "select sum(pg_database_size(oid))::text as bytes from pg_database",
    );
    const needed = Number(rows[0]?.bytes ?? 0) + RESERVE_BYTES;
    const hasRoom = async () => ((await readFreeDiskSpace(directory)) ?? 0) >= needed;
    for (const { path } of (await listBases(directory)).slice(0, -1)) {
      if ((await hasRoom()) || (await isHeld(archiveParts(directory).reading))) break;
      await removeBase(directory, path);
    }
    if (!(await hasRoom()))
      throw new Error(`${directory}: a copy of the database needs ${Math.ceil(needed / 1_000_000)} MB.`);
  }
}

async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
