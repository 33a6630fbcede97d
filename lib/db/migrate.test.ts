import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "@/lib/testing/database";
import { inOpenTransaction } from "@/lib/testing/overlap";
import { type MigrateOptions, migrate } from "./migrate";

let database: TestDatabase;
let schemaDirectory: string;
let directory: string;

beforeEach(async () => {
  database = await createEmptyDatabase();
  schemaDirectory = await mkdtemp(join(tmpdir(), "sluice-migrations-"));
  directory = join(schemaDirectory, "migrations");
  for (const part of ["migrations", "functions"]) await mkdir(join(schemaDirectory, part));
  await writeMigration(
    "0001_books.sql",
    'create table books (id integer primary key);\ngrant select on books to :"app_role";\n',
  );
  await writeMigration(
    "0002_pages.sql",
    "create table pages (id integer primary key);\ninsert into pages values (1);\n",
  );
});
afterEach(async () => {
  await database.close();
  await rm(schemaDirectory, { recursive: true });
});

async function writeMigration(name: string, sql: string): Promise<void> {
  await writeFile(join(directory, name), sql);
}

/** A dedicated connection, as every starting process has. */
async function runMigrations(options: Partial<MigrateOptions> = {}): Promise<string[]> {
  const client = new pg.Client(database.ownerConnection);
  await client.connect();
  try {
    return await migrate(client, { schemaDirectory, applicationRole: "sluice_app", ...options });
  } finally {
    await client.end();
  }
}

async function readNames(): Promise<string[]> {
  const { rows } = await database.ownerPool.query<{ name: string }>(
    "select name from sluice_migrations order by number",
  );
  return rows.map(({ name }) => name);
}

test("pending files are applied once, in order, and recorded with their hash", async () => {
  expect(await runMigrations()).toEqual(["0001_books.sql", "0002_pages.sql"]);
  expect(await runMigrations()).toEqual([]);
  await writeMigration("0003_shelves.sql", "create table shelves (id integer primary key);");
  expect(await runMigrations()).toEqual(["0003_shelves.sql"]);
  expect(await readNames()).toEqual(["0001_books.sql", "0002_pages.sql", "0003_shelves.sql"]);
});

test("four processes that start at once apply each file once", async () => {
  const applied = await Promise.all([runMigrations(), runMigrations(), runMigrations(), runMigrations()]);
  expect(applied.flat()).toEqual(["0001_books.sql", "0002_pages.sql"]);
  expect((await database.ownerPool.query("select id from pages")).rows).toEqual([{ id: 1 }]);
});

test("a file that fails leaves nothing behind, and no later one is tried", async () => {
  await writeMigration("0003_broken.sql", "create table half (id integer);\nselect 1 / 0;\n");
  await writeMigration("0004_later.sql", "create table later (id integer);\n");
  await expect(runMigrations()).rejects.toThrow("0003_broken.sql failed: division by zero");
  expect(await readNames()).toEqual(["0001_books.sql", "0002_pages.sql"]);
  const { rows } = await database.ownerPool.query(
    "select to_regclass('half') as half, to_regclass('later') as later",
  );
  expect(rows).toEqual([{ half: null, later: null }]);
  await writeMigration("0003_broken.sql", "create table whole (id integer);\n");
  expect(await runMigrations()).toEqual(["0003_broken.sql", "0004_later.sql"]);
});

test("an applied file that was altered is refused, before anything is applied", async () => {
  await runMigrations();
  await writeMigration("0001_books.sql", "create table books (id bigint primary key);\n");
  await writeMigration("0003_shelves.sql", "create table shelves (id integer);\n");
  await expect(runMigrations()).rejects.toThrow("0001_books.sql was altered after it was applied");
  expect(await readNames()).toEqual(["0001_books.sql", "0002_pages.sql"]);
});

test("different line endings are not an alteration", async () => {
  await runMigrations();
  await writeMigration(
    "0002_pages.sql",
    "create table pages (id integer primary key);\r\ninsert into pages values (1);\r\n",
  );
  expect(await runMigrations()).toEqual([]);
});

test("a database of a newer version is refused", async () => {
  await runMigrations();
  await rm(join(directory, "0002_pages.sql"));
  await expect(runMigrations()).rejects.toThrow("migrated by a newer Sluice (0002_pages.sql)");
});

test("a file numbered before an applied one is refused: the order would differ between installations", async () => {
  await rm(join(directory, "0001_books.sql"));
  await runMigrations();
  await writeMigration("0001_late.sql", "create table late (id integer);\n");
  await expect(runMigrations()).rejects.toThrow("0001_late.sql comes before");
});

test.each([
  ["3_books.sql", "must be named like"],
  ["0002_other.sql", "same number"],
])("a file named %s is refused", async (name, reason) => {
  await writeMigration(name, "select 1;");
  await expect(runMigrations()).rejects.toThrow(reason);
});

test("a migration yields to requests while its table is busy, and is applied once it is free", async () => {
  await runMigrations();
  await writeMigration("0003_more.sql", "alter table pages add column title text;");
  const tries: string[] = [];
  const applied = await inOpenTransaction(database.ownerPool, async (busy) => {
    await busy.query("select from pages");
    return runMigrations({
      lockTimeoutMs: 50,
      log: {
        debug: () => undefined,
        info: (_facts: unknown, text?: string) => {
          tries.push(text ?? "");
          // Requests queued behind it get through: a second reader is served while the first still reads.
          if (tries.length === 2)
            void database.ownerPool.query("select from pages").then(() => busy.query("commit"));
        },
      },
    });
  });
  expect(applied).toEqual(["0003_more.sql"]);
  expect(tries.length).toBeGreaterThanOrEqual(2);
});

test("an index on a large table is created while the table is written to, and created again after an interruption", async () => {
  await runMigrations();
  await writeMigration(
    "0003_index.sql",
    "-- outside a transaction: pages is large\ncreate unique index concurrently pages_once on pages ((id / 2));\n",
  );
  await database.ownerPool.query("insert into pages values (2), (3)");
  // Fails, and leaves an invalid index behind.
  await expect(runMigrations()).rejects.toThrow("0003_index.sql failed");
  expect(await readNames()).toEqual(["0001_books.sql", "0002_pages.sql"]);
  await database.ownerPool.query("delete from pages where id = 3");
  // Concurrent starts do not deadlock.
  const applied = await Promise.all([runMigrations(), runMigrations(), runMigrations()]);
  expect(applied.flat()).toEqual(["0003_index.sql"]);
  const { rows } = await database.ownerPool.query(
    "select indisvalid from pg_index where indexrelid = 'pages_once'::regclass",
  );
  expect(rows).toEqual([{ indisvalid: true }]);
  await writeMigration("0004_other.sql", "-- outside a transaction\nupdate pages set id = 7;");
  await expect(runMigrations()).rejects.toThrow("may only make and drop indexes");
});

test("what must happen before migrations happens once, in one process, and its failure migrates nothing", async () => {
  let calls = 0;
  const beforeMigrating = async () => {
    calls += 1;
  };
  await runMigrations({ beforeMigrating });
  // A database that is being created holds nothing to back up.
  expect(calls).toBe(0);
  await writeMigration("0003_shelves.sql", "create table shelves (id integer);");
  const failing = () => Promise.reject(new Error("the disk is full"));
  await expect(runMigrations({ beforeMigrating: failing })).rejects.toThrow("the disk is full");
  expect(await readNames()).toEqual(["0001_books.sql", "0002_pages.sql"]);
  await Promise.all([runMigrations({ beforeMigrating }), runMigrations({ beforeMigrating })]);
  await runMigrations({ beforeMigrating });
  expect(calls).toBe(1);
});

test("a file that ends the transaction itself is refused", async () => {
  await writeMigration("0003_commits.sql", "create table half (id integer);\ncommit;\n");
  await expect(runMigrations()).rejects.toThrow("0003_commits.sql failed: it ends the transaction itself");
});

test("the application has the privileges that the files grant, and no others", async () => {
  await runMigrations();
  const { pool } = database;
  expect(
    (await pool.query("select current_user as role, count(*)::integer as books from books")).rows,
  ).toEqual([{ role: "sluice_app", books: 0 }]);
  // PostgreSQL answers this one only with a warning.
  await pool.query("grant insert on books to sluice_app");
  for (const sql of [
    "insert into books values (1)",
    "update books set id = 2",
    "delete from books",
    "truncate books",
    "drop table books",
    "alter table books disable trigger all",
    "select from pages",
    "select from sluice_migrations",
    "create table mine (id integer)",
    "create temporary table mine (id integer)",
    "create schema mine",
    "create function mine() returns integer language sql return 1",
    "set role sluice_owner",
    "alter role sluice_app superuser",
    "create role mine",
  ]) {
    await expect(pool.query(sql), sql).rejects.toMatchObject({ code: "42501" });
  }
});
