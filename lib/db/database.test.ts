import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkBackup } from "@/lib/db/backup/read-backup";
import { findFreePort } from "@/lib/testing/product-process";
import { type Database, openDatabase } from "./database";
import { type EmbeddedServer, startEmbedded } from "./embedded";
import { embeddedConnection, withSuperuser } from "./embedded-engine";
import { loadSecret } from "./secret";

const SECRET = "a-test-secret-of-at-least-32-characters";

const BACKUPS = { directory: tmpdir(), beforeMigration: false, keep: 1 };

let folder: string;
let schemaDirectory: string;
/** Plays the operator's own PostgreSQL: it requires passwords, except from its superuser. */
let external: EmbeddedServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-database-"));
  // Under root the server's account must traverse the folder.
  await chmod(folder, 0o711);
  schemaDirectory = await mkdtemp(join(folder, "schema-"));
  for (const part of ["migrations", "functions"]) await mkdir(join(schemaDirectory, part));
  await writeFile(
    join(schemaDirectory, "migrations/0001_books.sql"),
    'create table books (id integer primary key);\ngrant select, insert on books to :"app_role";\n',
  );
  const dataDirectory = join(folder, "external");
  external = await startEmbedded({ dataDirectory, fsync: false });
  const rules = "local all postgres trust\nlocal all all scram-sha-256\n";
  await writeFile(join(dataDirectory, "postgres/data/pg_hba.conf"), rules);
  await runAsSuperuser("select pg_reload_conf()");
});
afterAll(async () => {
  await external.leave();
  await rm(folder, { recursive: true });
});

function runAsSuperuser(sql: string): Promise<pg.QueryResult> {
  return withSuperuser(external, (superuser) => superuser.query(sql));
}

/** A database of a managed PostgreSQL, by default with the rights that docs/operating.md asks for. */
async function createExternalDatabase({ attributes = "createrole", isOwner = true } = {}): Promise<string> {
  const name = `shop_${randomUUID().slice(0, 8)}`;
  await runAsSuperuser(`create role ${name} login password 'owner-password' ${attributes}`);
  await runAsSuperuser(`create database ${name} ${isOwner ? `owner ${name}` : ""}`);
  return name;
}

function databaseUrl(name: string): string {
  return `postgresql://${name}:owner-password@localhost/${name}?host=${encodeURIComponent(external.host)}`;
}

function openExternal(
  name: string,
  config: { databaseAppRole?: string; secret?: string } = {},
): Promise<Database> {
  return openDatabase({
    config: {
      databaseUrl: databaseUrl(name),
      databaseAppRole: config.databaseAppRole ?? null,
      secret: config.secret ?? SECRET,
      dataDirectory: folder,
      backups: BACKUPS,
    },
    schemaDirectory,
  });
}

async function readRole(database: Database): Promise<unknown> {
  const { rows } = await database.pool.query<{ role: string }>(
    "select current_user as role, count(*)::integer as books from books",
  );
  return rows[0];
}

test("without DATABASE_URL the embedded database opens migrated, in several processes' worth of starts at once", async () => {
  const config = {
    databaseUrl: null,
    databaseAppRole: null,
    secret: null,
    dataDirectory: join(folder, "embedded"),
    backups: BACKUPS,
  };
  const open = () => openDatabase({ config, schemaDirectory });
  const databases = await Promise.all([open(), open(), open()]);
  for (const database of databases) {
    expect(await readRole(database)).toEqual({ role: "sluice_app", books: 0 });
    await expect(database.pool.query("drop table books")).rejects.toMatchObject({ code: "42501" });
  }
  for (const database of databases) await database.close();
  const again = await open();
  expect(await readRole(again)).toEqual({ role: "sluice_app", books: 0 });
  await again.close();
  await again.close();
});

test("a database with rows is backed up once before it is migrated, and the newest backups are kept", async () => {
  const dataDirectory = join(folder, "kept");
  const directory = join(dataDirectory, "backups");
  const own = await mkdtemp(join(folder, "schema-"));
  await cp(schemaDirectory, own, { recursive: true });
  const open = (more: Partial<typeof BACKUPS> = {}) => {
    const backups = { directory, beforeMigration: true, keep: 2, ...more };
    const config = { databaseUrl: null, databaseAppRole: null, secret: null, dataDirectory, backups };
    return openDatabase({ config, schemaDirectory: own });
  };
  const add = (number: number) =>
    writeFile(join(own, `migrations/000${number}_more.sql`), `create table more_${number} (id integer);`);
  const list = async () => ((existsSync(directory) && (await readdir(directory))) || []).sort();
  const server = await startEmbedded({ dataDirectory, fsync: false });
  await (await open()).close();
  await add(2);
  await (await open()).close();
  // An empty database needs no backup.
  expect(await list()).toEqual([]);
  const filled = await open();
  await filled.pool.query("insert into books values (7)");
  await filled.close();
  await add(3);
  const databases = await Promise.all([open(), open()]);
  for (const database of databases) await database.close();
  const [first = ""] = await list();
  expect(await list()).toEqual([expect.stringMatching(/^before-migration-\d{8}T\d{9}Z\.backup$/)]);
  const { header } = await checkBackup(join(directory, first), {
    secret: await loadSecret({ secret: null, dataDirectory }),
  });
  expect(header.migrations.map(({ number }) => number)).toEqual([1, 2]);

  await add(4);
  // A file in place of the folder: the same failure as a full disk.
  await expect(open({ directory: join(own, "migrations/0001_books.sql") })).rejects.toThrow(
    /Nothing was migrated.*SLUICE_BACKUP_BEFORE_MIGRATION=0/s,
  );
  await (await open({ beforeMigration: false })).close();
  expect(await list()).toEqual([first]);
  await writeFile(join(directory, "before-migration-20200101T000000000Z.backup"), "old");
  const abandoned = join(directory, "before-migration-20200102T000000000Z.backup.partial-1234");
  await writeFile(abandoned, "of a killed start");
  await utimes(abandoned, 0, 0);
  await writeFile(join(directory, "sluice-20200101T000000000Z.backup"), "made by hand");
  await add(5);
  await (await open()).close();
  const kept = await list();
  expect(kept).toHaveLength(3);
  expect(kept).toContain(first);
  expect(kept).toContain("sluice-20200101T000000000Z.backup");
  await server.leave();
});

test("a failed start leaves the embedded server", async () => {
  const dataDirectory = join(folder, "failing");
  const config = { databaseUrl: null, databaseAppRole: null, secret: null, dataDirectory, backups: BACKUPS };
  const failing = openDatabase({ config, schemaDirectory: join(folder, "no-such-folder") });
  await expect(failing).rejects.toMatchObject({ code: "ENOENT" });
  expect(existsSync(join(dataDirectory, "postgres/data/PG_VERSION"))).toBe(true);
  expect(existsSync(join(dataDirectory, "postgres/data/postmaster.pid"))).toBe(false);
});

test("with DATABASE_URL the application gets a role of its own with a password that follows from the secret", async () => {
  const name = await createExternalDatabase();
  const databases = await Promise.all([openExternal(name), openExternal(name)]);
  for (const database of databases) {
    expect(await readRole(database)).toEqual({ role: `${name}_app`, books: 0 });
    for (const sql of [
      "create table mine ()",
      "create temporary table mine ()",
      "alter table books add x int",
    ]) {
      await expect(database.pool.query(sql), sql).rejects.toMatchObject({ code: "42501" });
    }
    expect(database.description).not.toContain("password");
  }
  for (const database of databases) await database.close();

  const guess = new pg.Client({
    ...embeddedConnection(external, `${name}_app`, name),
    password: "owner-password",
  });
  await expect(guess.connect()).rejects.toMatchObject({ code: "28P01" });

  const renewed = await openExternal(name, { secret: `${SECRET}-renewed` });
  expect(await readRole(renewed)).toEqual({ role: `${name}_app`, books: 0 });
  await renewed.close();
});

test("DATABASE_APP_ROLE names the application's role", async () => {
  const name = await createExternalDatabase();
  const database = await openExternal(name, { databaseAppRole: `${name} "service"` });
  expect(await readRole(database)).toEqual({ role: `${name} "service"`, books: 0 });
  await database.close();
});

test.each([
  [{ attributes: "" }, 'ALTER ROLE "%" CREATEROLE;'],
  [{ isOwner: false }, 'ALTER DATABASE "%" OWNER TO "%";'],
])(
  "missing rights (%o) are answered with the statement to run, which then suffices",
  async (options, statement) => {
    const name = await createExternalDatabase(options);
    const sql = statement.replaceAll("%", name);
    await expect(openExternal(name)).rejects.toThrow(sql);
    await runAsSuperuser(sql);
    await (await openExternal(name)).close();
  },
);

test.each([
  ["alter role % createdb", "has CREATEDB"],
  ["alter role % superuser", "has SUPERUSER"],
  ["grant pg_write_all_data to %", "is a member of another role"],
])("an application role with powers is refused: %s", async (statement, reason) => {
  const name = await createExternalDatabase();
  await (await openExternal(name)).close();
  await runAsSuperuser(statement.replace("%", `${name}_app`));
  await expect(openExternal(name)).rejects.toThrow(/must have no powers|may not|made by someone else/);
  if (!reason.includes("SUPERUSER")) await expect(openExternal(name)).rejects.toThrow(reason);
});

test("an application role that someone else made is answered with the statement to run", async () => {
  const name = await createExternalDatabase();
  await runAsSuperuser(`create role ${name}_app login`);
  const sql = `GRANT "${name}_app" TO "${name}" WITH ADMIN OPTION;`;
  await expect(openExternal(name)).rejects.toThrow(sql);
  await runAsSuperuser(sql);
  await (await openExternal(name)).close();
});

test("a start waits for a database that is not up yet, but not forever", async () => {
  const name = await createExternalDatabase();
  const port = await findFreePort();
  const url = `postgresql://${name}:owner-password@127.0.0.1:${port}/${name}`;
  const server = createServer((client) => {
    const upstream = connect(join(external.host, `.s.PGSQL.${external.port}`));
    client.on("error", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  const open = (waitMs: number, warn: () => void) =>
    openDatabase({
      config: {
        databaseUrl: url,
        databaseAppRole: null,
        secret: SECRET,
        dataDirectory: folder,
        backups: BACKUPS,
      },
      schemaDirectory,
      waitMs,
      log: { debug: () => {}, info: () => {}, warn, error: () => {} },
    });
  await expect(open(600, () => {})).rejects.toThrow(`DATABASE_URL: no connection to 127.0.0.1:${port}`);

  const warned: unknown[] = [];
  // It comes up after the first attempt failed.
  const database = await open(60_000, (...line: unknown[]) => {
    warned.push(line);
    server.listen(port, "127.0.0.1");
  });
  expect(warned).toMatchObject([[{ host: "127.0.0.1", port }, "waiting for the database"]]);
  expect(await readRole(database)).toEqual({ role: `${name}_app`, books: 0 });
  expect(database.description).toMatch(/^PostgreSQL 18\.\d+ at /);
  await database.close();
  server.close();
});

test("a wrong password fails the start at once", async () => {
  const name = await createExternalDatabase();
  const config = {
    databaseUrl: databaseUrl(name).replace("owner-password", "another-one"),
    databaseAppRole: null,
    secret: SECRET,
    dataDirectory: folder,
    backups: BACKUPS,
  };
  await expect(openDatabase({ config, waitMs: 3_600_000 })).rejects.toThrow("password authentication failed");
});

test("an unreachable server is named without its password", async () => {
  const failure = openDatabase({
    config: {
      databaseUrl: "postgresql://shop:hidden-word@127.0.0.1:1/shop",
      databaseAppRole: null,
      secret: SECRET,
      dataDirectory: folder,
      backups: BACKUPS,
    },
  });
  await expect(failure).rejects.toThrow("DATABASE_URL: no connection to 127.0.0.1:1, database shop");
  await expect(failure).rejects.not.toThrow("hidden-word");
});
