import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  archiveParts,
  listBases,
  listSegments,
  readArchivedUntil,
  readLsn,
  removeOld,
  segmentName,
  segmentStart,
} from "@/lib/db/archive/archive-folder";
import { type Archiver, openArchiver } from "@/lib/db/archive/archiver";
import { restoreArchive } from "@/lib/db/archive/restore-archive";
import { hold } from "@/lib/db/backup/hold";
import { asSuperuser, clusterPath, openEmbeddedEngine } from "@/lib/db/embedded-engine";
import type { Engine } from "@/lib/db/engine";
import { type AgeIdentity, type AgeRecipient, createIdentity } from "@/lib/platform/age";
import { readPostmasterPid, removeDataDirectory } from "@/lib/testing/product-process";
import { waitUntil } from "@/lib/testing/wait-until";

/** Protects: any second that the archive covers comes back, and a moment that it does not cover is refused. */

/** Copying a whole server takes seconds; on a machine that does much else, most of a minute. */
const COPY_TIMEOUT_MS = 90_000;
const log = { info() {}, warn() {}, error() {} };

let folder: string;
let archive: string;
let dataDirectory: string;
let engine: Engine | null;
let archiver: Archiver | null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-archive-"));
  [archive, dataDirectory] = [join(folder, "archive"), join(folder, "home")];
  await open();
});
afterEach(async () => {
  await close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function open(): Promise<void> {
  engine = await openEmbeddedEngine({ dataDirectory });
}

async function close(): Promise<void> {
  await archiver?.stop();
  await engine?.leave();
  [archiver, engine] = [null, null];
}

function startArchiver(recipients: readonly AgeRecipient[] = [], everyMs = 50): void {
  archiver = openArchiver({
    connection: asSuperuser(engine?.owner ?? {}),
    dataPath: clusterPath(dataDirectory),
    directory: archive,
    days: 2,
    recipients,
    log,
    firstCopyAfterMs: 0,
    everyMs,
  });
}

async function query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new pg.Client(engine?.owner);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const write = (value: number) => query(`insert into kept values (${value})`);
const read = async () =>
  (await query<{ value: number }>("select value from kept order by value")).map(({ value }) => value);

/** Past this moment, to the millisecond that `Date` can hold. */
async function passMoment(): Promise<Date> {
  const [row] = await query<{ at: Date }>(
    "select date_trunc('milliseconds', clock_timestamp()) as at, pg_sleep(0.02)",
  );
  const at = new Date((row?.at.getTime() ?? 0) + 5);
  await query("select pg_sleep(0.05)");
  return at;
}

async function archiveUntilNow(): Promise<void> {
  const now = await passMoment();
  await waitUntil(
    "the archive has it",
    async () => ((await readArchivedUntil(archive))?.getTime() ?? 0) > now.getTime(),
  );
}

const restore = (to: Date | null, identities: readonly AgeIdentity[] = []) =>
  restoreArchive({ dataDirectory, postgresBin: null, archive, identities, to, say: () => undefined });

/** Until the copy that is being made has this file of the cluster's folder. */
async function untilCopied(name: string): Promise<void> {
  const { base } = archiveParts(archive);
  await waitUntil(
    `${name} is copied`,
    async () =>
      (await readdir(base).catch(() => [])).some((copy) => existsSync(join(base, copy, "data", name))),
    COPY_TIMEOUT_MS,
  );
}

/** Every file of the archive. */
async function listArchive(): Promise<string[]> {
  const entries = await readdir(archive, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test("every moment since the first copy comes back, to the end of the log", {
  timeout: 240_000,
}, async () => {
  await query("create table kept (value int)");
  await write(1);
  startArchiver();
  await waitUntil("a copy is made", async () => (await listBases(archive)).length === 1, COPY_TIMEOUT_MS);
  await write(2);
  const before = await passMoment();
  await write(3);
  // Over several segments.
  await query(
    "create table filler as select repeat(md5(i::text), 20) as text from generate_series(1, 60000) i",
  );
  const later = await passMoment();
  await query("drop table kept");
  await archiveUntilNow();
  expect((await listSegments(archive)).filter((name) => name.endsWith(".gz")).length).toBeGreaterThan(0);

  await expect(restore(before)).rejects.toThrow("Sluice is running on");
  await close();
  const { movedAside } = await restore(before);
  expect(movedAside).toContain("before-restore-");
  await open();
  expect(await read()).toEqual([1, 2]);
  await write(9);
  await close();

  // Without the cluster: its disk is lost.
  await rm(dataDirectory, { recursive: true });
  await restore(later);
  await open();
  expect(await read()).toEqual([1, 2, 3]);
  await close();

  await restore(null);
  await open();
  await expect(read()).rejects.toThrow("does not exist");
  await close();

  const [base] = await listBases(archive);
  await expect(restore(new Date((base?.stoppedAt.getTime() ?? 0) - 1))).rejects.toThrow("The archive in");
  const until = (await readArchivedUntil(archive))?.getTime() ?? 0;
  await expect(restore(new Date(until + 60_000))).rejects.toThrow("The archive reaches to");
});

test("a copy is not offered before the log is in the archive up to its end", {
  timeout: 240_000,
}, async () => {
  await query("create table kept (value int)");
  startArchiver([], 3_600_000);
  // Written last. The log that follows would be copied in an hour.
  await untilCopied("backup_label");
  process.kill(await readPostmasterPid(dataDirectory), "SIGKILL");
  await archiver?.stop();
  expect(await listBases(archive)).toEqual([]);
  expect(await readdir(archiveParts(archive).base)).toEqual([]);
});

test("a copy that ends while the archive is closed is kept, and restores without the old log", {
  timeout: 240_000,
}, async () => {
  await query("create table kept (value int)");
  await write(1);
  startArchiver([], 3_600_000);
  await untilCopied("PG_VERSION");
  await close();
  expect(await listBases(archive)).toHaveLength(1);
  await removeDataDirectory(dataDirectory);
  await restore(null);
  await open();
  expect(await read()).toEqual([1]);
});

test("a moment in which nothing was written is restored, and a log that was interrupted is not passed over", {
  timeout: 240_000,
}, async () => {
  await query("create table kept (value int)");
  await write(1);
  startArchiver();
  await waitUntil("a copy is made", async () => (await listBases(archive)).length === 1, COPY_TIMEOUT_MS);
  await archiveUntilNow();
  const quiet = await readArchivedUntil(archive);
  await archiveUntilNow();
  await close();
  await rm(dataDirectory, { recursive: true });
  await restore(quiet);
  await open();
  expect(await read()).toEqual([1]);

  // The restored cluster begins a line of its own, with a copy at once.
  startArchiver();
  await waitUntil(
    "another copy is made",
    async () => (await listBases(archive)).length === 2,
    COPY_TIMEOUT_MS,
  );
  await write(2);
  const again = await passMoment();
  await write(9);
  await archiveUntilNow();
  await close();
  const copies = await listBases(archive);
  expect(copies.map(({ timeline }) => timeline)).toEqual([1, 2]);
  await rm(dataDirectory, { recursive: true });
  await restore(again);
  await open();
  expect(await read()).toEqual([1, 2]);
  await close();
  const between = new Date((copies[1]?.stoppedAt.getTime() ?? 0) - 1);
  const refusal = await restore(between).catch((error: unknown) => String(error));
  expect(refusal).toContain("was interrupted");
  // What it names instead can be restored.
  const [lastChange = ""] = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(String(refusal)) ?? [];
  await restore(new Date(lastChange));
  await open();
  expect(await read()).toEqual([1]);

  // The timeline that the first restore from this copy began is taken; what follows gets a new one.
  startArchiver();
  await waitUntil(
    "a third copy is made",
    async () => (await listBases(archive)).length === 3,
    COPY_TIMEOUT_MS,
  );
  await write(3);
  await archiveUntilNow();
  await close();
  expect((await listBases(archive)).at(-1)?.timeline).toBe(4);
  await restore(again);
  await open();
  expect(await read()).toEqual([1, 2]);
});

test("a second process does not archive beside the first, and takes over from it", async () => {
  await query("create table kept (value int)");
  startArchiver();
  const first = archiver;
  await waitUntil("a copy is made", async () => (await listBases(archive)).length === 1, COPY_TIMEOUT_MS);
  startArchiver();
  await archiveUntilNow();
  await first?.stop();
  expect(await listBases(archive)).toHaveLength(1);
});

test("a log that was let go begins again, with a copy at once", async () => {
  await query("create table kept (value int)");
  startArchiver();
  await waitUntil("a copy is made", async () => (await listBases(archive)).length === 1, COPY_TIMEOUT_MS);
  const superuser = new pg.Client(asSuperuser(engine?.owner ?? {}));
  await superuser.connect();
  // As PostgreSQL itself does beyond `max_slot_wal_keep_size`.
  await superuser.query("select pg_drop_replication_slot('sluice_archive')");
  await waitUntil(
    "another copy is made",
    async () => (await listBases(archive)).length === 2,
    COPY_TIMEOUT_MS,
  );
  const { rowCount } = await superuser.query("select from pg_replication_slots");
  await superuser.end();
  expect(rowCount).toBe(1);
});

test("what no restore within the days needs is removed, and the newest copy stays", async () => {
  const { base, wal } = archiveParts(archive);
  await mkdir(wal, { recursive: true });
  const hoursAgo = [100, 60, 40, 5];
  for (const [index, hours] of hoursAgo.entries()) {
    const path = join(base, `copy-${index}`);
    await mkdir(path, { recursive: true });
    const firstSegment = segmentName(1, BigInt(index * 10) * 16n * 1024n * 1024n);
    const stoppedAt = new Date(Date.now() - hours * 3_600_000);
    await writeFile(
      join(path, "copy.json"),
      JSON.stringify({ systemId: "1", timeline: 1, firstSegment, stopLsn: "0/1", stoppedAt, byteLength: 1 }),
    );
    await writeFile(join(wal, `${firstSegment}.gz`), "");
  }
  await removeOld(archive, 2);
  expect((await readdir(base)).sort()).toEqual(["copy-1", "copy-2", "copy-3"]);
  expect(await listSegments(archive)).toHaveLength(3);
  await removeOld(archive, 1);
  expect((await readdir(base)).sort()).toEqual(["copy-2", "copy-3"]);
});

test("positions and names of segments are PostgreSQL's", async () => {
  const [row] = await query<{ lsn: string; name: string }>(
    "select '12/AB000028'::pg_lsn::text as lsn, pg_walfile_name('12/AB000028'::pg_lsn) as name",
  );
  expect(segmentName(1, readLsn(row?.lsn ?? ""))).toBe(row?.name);
  expect(segmentStart(row?.name ?? "")).toBe(readLsn("12/AB000000"));
});

const MARK = "text that must not be readable";
const pair = await createIdentity();

test.each<[string, AgeRecipient, AgeIdentity]>([
  ["a passphrase", { passphrase: "a passphrase of this test" }, { passphrase: "a passphrase of this test" }],
  ["a public key", pair, pair],
])(
  "encrypted with %s, no file of it can be read without, and every moment comes back with it",
  {
    timeout: 240_000,
  },
  async (_how, recipient, identity) => {
    await query("create table kept (value int)");
    await query(`create table notes as select '${MARK}'::text as text`);
    await query("checkpoint").catch(() => undefined);
    await write(1);
    startArchiver([recipient]);
    await waitUntil("a copy is made", async () => (await listBases(archive)).length === 1, COPY_TIMEOUT_MS);
    await write(2);
    const before = await passMoment();
    await write(3);
    await query(
      "create table filler as select repeat(md5(i::text), 20) as text from generate_series(1, 40000) i",
    );
    for (let value = 4; value < 80; value++) {
      await write(value);
      if (value % 10 === 0) await query(`insert into notes values ('${MARK}')`);
    }
    await archiveUntilNow();
    await close();
    const files = (await listArchive()).filter((path) => !/\/(until|copy\.json)$/.test(path));
    expect(files.length).toBeGreaterThan(100);
    for (const path of files) {
      const bytes = await readFile(path);
      expect(bytes.subarray(0, 21).toString(), path).toBe("age-encryption.org/v1");
      expect(bytes.includes(MARK), path).toBe(false);
    }
    await expect(restore(null)).rejects.toThrow("The archive cannot be opened.");
    await expect(restore(null, [{ passphrase: "another passphrase" }])).rejects.toThrow(
      "The archive cannot be opened.",
    );
    await restore(before, [identity]);
    await open();
    expect(await read()).toEqual([1, 2]);
    await close();
    await restore(null, [identity]);
    await open();
    expect(await read()).toEqual(Array.from({ length: 79 }, (_, index) => index + 1));
    expect(await query("select from notes")).toHaveLength(8);
  },
);

test("encryption that begins later makes a copy at once, and the plain one goes when it may", {
  timeout: 240_000,
}, async () => {
  await query("create table kept (value int)");
  startArchiver();
  await waitUntil("a copy is made", async () => (await listBases(archive)).length === 1, COPY_TIMEOUT_MS);
  await write(1);
  await archiveUntilNow();
  await archiver?.stop();
  startArchiver([pair]);
  await waitUntil("another is made", async () => (await listBases(archive)).length === 2, COPY_TIMEOUT_MS);
  await write(2);
  await archiveUntilNow();
  await close();
  expect((await listBases(archive)).map(({ isEncrypted }) => isEncrypted)).toEqual([false, true]);
  await restore(null, [pair]);
  await open();
  expect(await read()).toEqual([1, 2]);
});

test("nothing is removed while a restore reads it", async () => {
  await mkdir(archiveParts(archive).wal, { recursive: true });
  const names = [1n, 2n].map((number) => segmentName(1, number * 16n * 1024n * 1024n));
  for (const name of names) await writeFile(join(archiveParts(archive).wal, `${name}.gz`), "");
  const path = join(archiveParts(archive).base, "20200101T000000000Z");
  await mkdir(path, { recursive: true });
  await writeFile(
    join(path, "copy.json"),
    JSON.stringify({
      systemId: "1",
      timeline: 1,
      firstSegment: names[1],
      stopLsn: "0/0",
      stoppedAt: "2020-01-01T00:00:00Z",
      byteLength: 1,
    }),
  );
  const release = await hold(archiveParts(archive).reading);
  await removeOld(archive, 1);
  expect(await listSegments(archive)).toHaveLength(2);
  await release();
  await removeOld(archive, 1);
  expect(await listSegments(archive)).toHaveLength(1);
});
