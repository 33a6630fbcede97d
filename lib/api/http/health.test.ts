/**
 * What load balancers see. Goal: a process whose database accepts no writes is not ready, though it answers reads; and
 * who asks often costs no more than who asks once.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createHealth } from "@/lib/api/http/health";
import { createPool } from "@/lib/db/pool";
import { useTestDatabase } from "@/lib/testing/database";
import { openDatabaseWay } from "@/lib/testing/servers/database-way";
import { createRealTimeServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";

/** A file system on which nothing can ever be kept: it has room for no byte. */
const FULL_DISK = process.platform === "linux" ? "/proc" : "/dev";

const database = useTestDatabase();

async function ask(health: ReturnType<typeof createHealth>) {
  const response = await health.request("/readyz");
  return { status: response.status, text: await response.text() };
}

it("a database that takes what is written is ready, and it was written to", async () => {
  const services = createRealTimeServices(database.pool);
  const folder = await mkdtemp(join(tmpdir(), "sluice-health-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(await ask(createHealth(services, { databaseFolder: folder }))).toEqual({
    status: 200,
    text: "ready",
  });
  const { rows } = await database.pool.query("select id from readiness_checks");
  expect(rows).toEqual([{ id: true }]);
});

it("a database that answers reads and takes no writes is not ready", async () => {
  const { host, port, user, database: name } = database.pool.options;
  const pool = createPool({
    host,
    port,
    user,
    database: name,
    options: "-c default_transaction_read_only=on",
  });
  onTestFinished(() => pool.end());
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  const health = createHealth(createRealTimeServices(pool), { databaseFolder: null });
  expect(await ask(health)).toEqual({ status: 503, text: "the database accepts no writes" });
  expect((await health.request("/healthz")).status).toBe(200);
});

it("a silent database is not ready within seconds, and ready again once connections are new", async () => {
  const { host, port, user, database: name } = database.pool.options;
  const way = await openDatabaseWay({ path: `${host}/.s.PGSQL.${port}` });
  const address = { host: "127.0.0.1", port: way.port, user, database: name, ssl: false, password: "" };
  const pool = createPool(address, { answerTimeoutMs: 8_000 });
  onTestFinished(async () => {
    await pool.end();
    way.cut();
  });
  const health = createHealth(createRealTimeServices(pool), { databaseFolder: null });
  expect((await ask(health)).status).toBe(200);
  way.swallow();
  const texts: string[] = [];
  await waitUntil(
    "the check ran again",
    async () => texts.push((await ask(health)).text) > 0 && texts.at(-1) !== "ready",
  );
  expect(texts.at(-1)).toBe("the database does not answer within 5 seconds");
  await waitUntil("it is ready", async () => (await ask(health)).status === 200);
});

it("a process is not ready while one of its statements waits longer than a healthy server lets any", async () => {
  const pool = createPool(database.pool.options, { answerTimeoutMs: 60_000 });
  onTestFinished(() => pool.end());
  const health = createHealth(createRealTimeServices(pool), { databaseFolder: null, oldestStatementMs: 400 });
  expect((await ask(health)).status).toBe(200);
  const slow = pool.query("select pg_sleep(3)");
  const texts: string[] = [];
  await waitUntil(
    "it is noticed",
    async () => texts.push((await ask(health)).text) > 0 && texts.at(-1) !== "ready",
  );
  expect(texts.at(-1)).toMatch(/^the database has not answered a statement for \d+ seconds$/);
  await slow;
  await waitUntil("it is ready again", async () => (await ask(health)).status === 200);
});

it("a full disk under the embedded database is not ready, before PostgreSQL fails on it", async () => {
  const health = createHealth(createRealTimeServices(database.pool), { databaseFolder: FULL_DISK });
  expect(await ask(health)).toEqual({ status: 503, text: "the disk of the database is full" });
});

it("a burst of questions writes once", async () => {
  const health = createHealth(createRealTimeServices(database.pool), { databaseFolder: null });
  const versions = async () =>
    (await database.pool.query("select xmin::text as version from readiness_checks")).rows;
  await ask(health);
  const first = await versions();
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(health)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(await versions()).toEqual(first);
});

it("a stopping process is not ready, whatever its database says", async () => {
  const health = createHealth(createRealTimeServices(database.pool), {
    databaseFolder: null,
    isStopping: () => true,
  });
  expect(await ask(health)).toEqual({ status: 503, text: "stopping" });
});
