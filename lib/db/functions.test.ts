/**
 * Functions have one present text, each in its own file. A database gets what changed in one transaction, and keeps
 * nothing that no file says anymore.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "@/lib/testing/database";
import { readFunctionFiles } from "./functions";
import { migrate } from "./migrate";

let database: TestDatabase;
let schemaDirectory: string;
const messages: unknown[] = [];

beforeEach(async () => {
  database = await createEmptyDatabase();
  schemaDirectory = await mkdtemp(join(tmpdir(), "sluice-functions-"));
  await mkdir(join(schemaDirectory, "functions"));
  await write(
    "migrations/0001_books.sql",
    "alter default privileges revoke execute on functions from public;\ncreate table books (id integer, title text);",
  );
});
afterEach(async () => {
  messages.length = 0;
  await database.close();
  await rm(schemaDirectory, { recursive: true });
});

async function write(path: string, sql: string): Promise<void> {
  await mkdir(dirname(join(schemaDirectory, path)), { recursive: true });
  await writeFile(join(schemaDirectory, path), sql);
}

const writeFunction = (path: string, sql: string) => write(`functions/${path}`, sql);
const remove = (path: string) => rm(join(schemaDirectory, path));

/** A dedicated connection, as every starting process has. */
async function start(): Promise<void> {
  const client = new pg.Client(database.ownerConnection);
  await client.connect();
  try {
    const log = { debug: (facts: unknown) => messages.push(facts), info: () => undefined };
    await migrate(client, { schemaDirectory, applicationRole: "sluice_app", log });
  } finally {
    await client.end();
  }
}

/** The files that the last start applied. */
async function startAndListApplied(): Promise<unknown> {
  messages.length = 0;
  await start();
  return messages.flatMap((facts) => (facts as { functions?: string[] }).functions ?? []);
}

async function listSignatures(): Promise<string[]> {
  const { rows } = await database.ownerPool.query<{ signature: string }>(
    "select oid::regprocedure::text as signature from pg_proc where pronamespace = 'public'::regnamespace order by 1",
  );
  return rows.map(({ signature }) => signature);
}

const double = (text = "n * 2") =>
  `-- Twice as much.\ncreate or replace function double(n integer) returns integer language sql as $$ select ${text} $$;\n\ngrant execute on function double to :"app_role";\n`;

test("a changed text is applied once at the next start, and unchanged ones are not touched", async () => {
  await writeFunction("a/double.sql", double());
  await writeFunction(
    "b/four.sql",
    "create or replace function four() returns integer language sql as 'select double(2)';",
  );
  await Promise.all([start(), start(), start()]);
  expect(messages.filter((facts) => "functions" in (facts as object))).toHaveLength(1);
  expect((await database.ownerPool.query("select four() as four")).rows).toEqual([{ four: 4 }]);
  expect(await startAndListApplied()).toEqual([]);
  await writeFunction("a/double.sql", double("n + n + 0"));
  expect(await startAndListApplied()).toEqual(["a/double.sql"]);
  expect((await database.pool.query("select double(4) as n")).rows).toEqual([{ n: 8 }]);
  await expect(database.pool.query("select four()")).rejects.toMatchObject({ code: "42501" });
});

test("functions are created after those they call, whatever their names", async () => {
  await writeFunction(
    "a/first.sql",
    "create or replace function first() returns integer language sql as 'select second()';",
  );
  await writeFunction(
    "z/second.sql",
    "create or replace function second() returns integer language sql as 'select third()';",
  );
  await writeFunction(
    "b/third.sql",
    "create or replace function third() returns integer language sql as 'select 3';",
  );
  const files = await readFunctionFiles(join(schemaDirectory, "functions"));
  expect(files.map(({ name }) => name)).toEqual(["third", "second", "first"]);
  await start();
  expect((await database.ownerPool.query("select first() as n")).rows).toEqual([{ n: 3 }]);
});

test("after a change of arguments or return type, only the present function is left", async () => {
  await writeFunction("a/double.sql", double());
  await start();
  await writeFunction(
    "a/double.sql",
    double().replaceAll("n integer", "n bigint").replace("returns integer", "returns bigint"),
  );
  await start();
  expect(await listSignatures()).toEqual(["double(bigint)"]);
  await writeFunction(
    "a/double.sql",
    double()
      .replaceAll("n integer", "amount bigint")
      .replace("returns integer", "returns text")
      .replace("n * 2", "(amount * 2)::text"),
  );
  await start();
  expect((await database.pool.query("select double(4) as n")).rows).toEqual([{ n: "8" }]);
  expect(await listSignatures()).toEqual(["double(bigint)"]);
});

test("a function whose file is gone is dropped with its triggers; one from a migration stays", async () => {
  await write(
    "migrations/0002_kept.sql",
    "create function kept() returns integer language sql as 'select 1';",
  );
  const noted =
    "create or replace function noted() returns trigger language plpgsql as $$ begin new.title := 'noted'; return new; end $$;\n";
  const trigger = (name: string) =>
    `create or replace trigger ${name} before insert on books for each row execute function noted();\n`;
  await writeFunction("a/noted.sql", noted + trigger("books_note") + trigger("books_note_again"));
  await start();
  await database.ownerPool.query("insert into books (id) values (1)");
  await writeFunction("a/noted.sql", noted + trigger("books_note"));
  await start();
  const triggers = "select tgname from pg_trigger where tgrelid = 'books'::regclass";
  expect((await database.ownerPool.query(triggers)).rows).toEqual([{ tgname: "books_note" }]);
  await remove("functions/a/noted.sql");
  await start();
  await database.ownerPool.query("insert into books (id) values (2)");
  expect((await database.ownerPool.query("select title from books order by id")).rows).toEqual([
    { title: "noted" },
    { title: null },
  ]);
  expect(await listSignatures()).toEqual(["kept()"]);
});

test("a failing function leaves all of them unchanged, and is named", async () => {
  await writeFunction("a/double.sql", double());
  await start();
  await writeFunction("a/double.sql", double("n * 3"));
  await writeFunction(
    "z/broken.sql",
    "create or replace function broken() returns integer language sql as 'select nothing()';",
  );
  await expect(start()).rejects.toThrow("functions/z/broken.sql failed: function nothing() does not exist");
  expect((await database.pool.query("select double(4) as n")).rows).toEqual([{ n: 8 }]);
});

test.each([
  ["a/other.sql", "create or replace function double() returns void language sql as '';", "must begin with"],
  ["b/double.sql", double(), "Two files hold the function double"],
])("%s is refused where its name is not that of its function alone", async (path, sql, words) => {
  await writeFunction("a/double.sql", double());
  await writeFunction(path, sql);
  await expect(start()).rejects.toThrow(words);
});
