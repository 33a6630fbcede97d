import { type Hmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Duplex, PassThrough, type Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { Logger } from "pino";
import { backupName, makeBackupFolder, PARTIAL, removeOldBackups } from "@/lib/db/backup/backup-folder";
import {
  type BackupHeader,
  type BackupTable,
  createMac,
  encodeFrameHead,
  FORMAT_VERSION,
  FRAME,
  type FrameKind,
  listTables,
  MAX_FRAME_BYTES,
  secretFingerprint,
  setTextForm,
  sumTable,
} from "@/lib/db/backup/backup-format";
import { createClient } from "@/lib/db/client";
import type { Engine } from "@/lib/db/engine";
import { readApplied } from "@/lib/db/migrate";
import type { AppliedMigration, MigrationFile } from "@/lib/db/migration-files";
import { loadSecret } from "@/lib/db/secret";
import { type AgeRecipient, createAgeEncryption } from "@/lib/platform/age";
import { systemClock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import { hasCode } from "@/lib/platform/error-code";

/** Writes the frames of one backup, with backpressure from the disk. */
class FrameWriter {
  readonly #target: Writable;
  readonly #mac: Hmac;

  constructor(target: Writable, secret: string) {
    this.#target = target;
    this.#mac = createMac(secret);
  }

  async json(kind: FrameKind, value: unknown): Promise<void> {
    await this.bytes(kind, Buffer.from(JSON.stringify(value)));
  }

  /** Splits data of any length into frames. */
  async data(chunk: Buffer): Promise<void> {
    for (let start = 0; start < chunk.length; start += MAX_FRAME_BYTES) {
      await this.bytes(FRAME.data, chunk.subarray(start, start + MAX_FRAME_BYTES));
    }
  }

  /** The last frame; without it the file counts as truncated. */
  async end(): Promise<void> {
    const digest = this.#mac.digest();
    await this.#write(encodeFrameHead(FRAME.mac, digest.length));
    await this.#write(digest);
  }

  async bytes(kind: FrameKind, payload: Buffer): Promise<void> {
    if (payload.length > MAX_FRAME_BYTES) throw new Error(`A frame of ${payload.length} bytes is too long.`);
    const head = encodeFrameHead(kind, payload.length);
    this.#mac.update(head).update(payload);
    await this.#write(head);
    await this.#write(payload);
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#target.destroyed) throw this.#target.errored ?? new Error("The file was closed.");
    // An error of the stream rejects the wait.
    if (!this.#target.write(bytes)) await once(this.#target, "drain");
  }
}

interface BackupOptions {
  /** Connection of the owner of the database, who can read every table. */
  owner: pg.ClientConfig;
  secret: string;
  /** Must not exist yet. */
  path: string;
  /** Whom it is encrypted to. None: it is not. */
  recipients?: readonly AgeRecipient[];
  /** Rests between pieces of work, so that it slows payments less; it takes three times as long. */
  isPaced?: boolean;
}

interface WrittenBackup {
  path: string;
  byteLength: number;
  tableCount: number;
  rowCount: number;
  lastMigration: string;
}

const CONNECTION_TIMEOUT_MS = 10_000;
/** Waits for a migration in progress; a table locked for longer than this is an error. */
const LOCK_TIMEOUT_MS = 30_000;
/** Takes half as long as zlib's default for a few percent more bytes. */
const COMPRESSION_LEVEL = 3;

/**
 * Writes a backup of the whole database while the product runs: every table in one REPEATABLE READ READ ONLY snapshot,
 * which blocks only migrations. The file gets its final name once it is complete and on disk, is readable by its owner
 * only, and is removed on failure. Memory is bounded.
 * @throws Error if the file exists, the disk is full, or the database holds no Sluice schema
 */
export async function writeBackup({
  owner,
  secret,
  path,
  recipients = [],
  isPaced = false,
}: BackupOptions): Promise<WrittenBackup> {
  await assertFree(path);
  const partial = `${path}${PARTIAL}${randomUUID().slice(0, 8)}`;
  const client = createClient({
    ...owner,
    application_name: "sluice-backup",
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
  });
  await client.connect();
  try {
    const rest = isPaced ? createRests() : async () => undefined;
    const encryption = recipients.length > 0 ? createAgeEncryption(recipients) : new PassThrough();
    const counts = await intoFile(partial, encryption, (target) =>
      writeSnapshot(client, target, secret, rest),
    );
    await assertFree(path);
    await rename(partial, path);
    await syncFolder(dirname(path));
    return { ...counts, path, byteLength: (await stat(path)).size };
  } finally {
    await rm(partial, { force: true });
    await client.end();
  }
}

type Counts = Pick<WrittenBackup, "tableCount" | "rowCount" | "lastMigration">;

const WORK_MS = 50;

/** Each rest is twice as long as the work since the last one. */
function createRests(): () => Promise<void> {
  let workedFrom = performance.now();
  return async () => {
    const workedMs = performance.now() - workedFrom;
    if (workedMs < WORK_MS) return;
    await pause(2 * workedMs);
    workedFrom = performance.now();
  };
}

async function writeSnapshot(
  client: pg.Client,
  target: Writable,
  secret: string,
  rest: () => Promise<void>,
): Promise<Counts> {
  const frames = new FrameWriter(target, secret);
  await client.query("begin isolation level repeatable read read only");
  await setTextForm(client);
  const tables = await listTables(client);
  const header = await readHeader(client, tables);
  // Locked before anything is read, so that no migration changes a table between the snapshot and its copy.
  const names = tables.map(({ name }) => `public.${pg.escapeIdentifier(name)}`).join(", ");
  await client.query(`lock table ${names} in access share mode`);
  await frames.json(FRAME.header, { ...header, secretFingerprint: secretFingerprint(secret) });
  let rowCount = 0;
  for (const table of tables) rowCount += await writeTable(client, frames, table, rest);
  await frames.end();
  await client.query("rollback");
  return { tableCount: tables.length, rowCount, lastMigration: header.migrations.at(-1)?.name ?? "" };
}

async function readHeader(
  client: pg.Client,
  tables: readonly BackupTable[],
): Promise<Omit<BackupHeader, "secretFingerprint">> {
  const migrations: AppliedMigration[] = tables.some(({ name }) => name === "sluice_migrations")
    ? await readApplied(client)
    : [];
  if (migrations.length === 0)
    throw new Error("This database has no Sluice schema: there is nothing to back up.");
  const { rows } = await client.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  // Sequences ignore snapshots: read after the snapshot was taken, they are never behind its rows.
  const counters = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences
      where schemaname = 'public' and last_value is not null order by 1`,
  );
  return {
    format: FORMAT_VERSION,
    createdAt: systemClock.now().toISOString(),
    postgresVersion: rows[0]?.version ?? "",
    migrations,
    counters: counters.rows,
    tableCount: tables.length,
  };
}

async function writeTable(
  client: pg.Client,
  frames: FrameWriter,
  { name, columns }: BackupTable,
  rest: () => Promise<void>,
): Promise<number> {
  await frames.json(FRAME.tableBegin, { name, columns });
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(", ");
  const rows = client.query(copyTo(`copy public.${pg.escapeIdentifier(name)} (${list}) to stdout`));
  for await (const chunk of rows) {
    await frames.data(chunk);
    // PostgreSQL rests, too: nobody takes what it sends.
    await rest();
  }
  const sum = await sumTable(client, name, rest);
  await frames.json(FRAME.tableEnd, sum);
  return Number(sum.rowCount);
}

/** Compresses and encrypts into the file, which is on disk when this returns. */
async function intoFile<T>(
  path: string,
  encryption: Duplex,
  write: (target: Writable) => Promise<T>,
): Promise<T> {
  const handle = await open(path, "wx", 0o600);
  const file = handle.createWriteStream({ autoClose: false });
  const gzip = createGzip({ level: COMPRESSION_LEVEL });
  // On a full disk nothing drains the pipe anymore: destroy it, or the write would wait forever.
  file.on("error", (error) => gzip.destroy(error));
  encryption.on("error", (error) => file.destroy(error));
  gzip.on("error", () => undefined);
  gzip.pipe(encryption).pipe(file);
  try {
    const result = await write(gzip);
    gzip.end();
    await finished(file);
    await handle.sync();
    return result;
  } finally {
    gzip.destroy();
    encryption.destroy();
    file.destroy();
    await handle.close();
  }
}

async function assertFree(path: string): Promise<void> {
  try {
    await stat(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  throw new Error(`${path} exists: a backup is never written over. Choose another name.`);
}

/** A power failure could otherwise undo the rename. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export type BackupConfig = Pick<Config, "dataDirectory" | "secret"> & {
  backups: Pick<Config["backups"], "directory" | "beforeMigration" | "keep"> &
    Partial<Pick<Config["backups"], "recipients">>;
};

const PREFIX = "before-migration";

/**
 * Backs up the database before migrations change it, and keeps the newest few of those backups. A database without rows
 * needs none. Runs inside the start lock, so only one of several starting processes does it.
 * @throws Error with the way forward if the backup fails; then nothing is migrated
 */
export async function backUpBeforeMigration(
  engine: Pick<Engine, "owner">,
  config: BackupConfig,
  pending: readonly MigrationFile[],
  log?: Pick<Logger, "info">,
): Promise<void> {
  const { directory, beforeMigration, keep, recipients = [] } = config.backups;
  if (!beforeMigration || !(await holdsRows(engine.owner))) return;
  const path = join(directory, backupName(PREFIX, systemClock.now(), recipients.length > 0));
  try {
    await makeBackupFolder(directory);
    log?.info({ path, pending: pending.length }, "Backing up the database before migrations.");
    const secret = await loadSecret(config);
    const { byteLength, rowCount } = await writeBackup({ owner: engine.owner, secret, path, recipients });
    await removeOldBackups(directory, PREFIX, { newest: keep, days: 0, weeks: 0, months: 0 });
    log?.info({ path, byteLength, rowCount }, "Backed up.");
  } catch (error) {
    throw new Error(
      `Nothing was migrated, for the backup before it failed: ${error instanceof Error ? error.message : String(error)}\n` +
        `Make room in ${directory}, choose another folder with SLUICE_BACKUP_DIR, or, if you have a backup of your own, ` +
        "start once with SLUICE_BACKUP_BEFORE_MIGRATION=0.",
      { cause: error },
    );
  }
}

async function holdsRows(owner: pg.ClientConfig): Promise<boolean> {
  const client = createClient({ ...owner, application_name: "sluice-backup" });
  await client.connect();
  try {
    for (const { name } of await listTables(client)) {
      if (name === "sluice_migrations") continue;
      const { rowCount } = await client.query(`select from public.${pg.escapeIdentifier(name)} limit 1`);
      if (rowCount !== 0) return true;
    }
    return false;
  } finally {
    await client.end();
  }
}
