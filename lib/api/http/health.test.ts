/**
 * What load balancers see. Goal: a process whose database accepts no writes is not ready, though it answers reads; and
 * who asks often costs no more than who asks once.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createHealth } from "@/lib/api/http/health";
import { createPool } from "@/lib/db/pool";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { createRealTimeServices } from "@/lib/testing/services";

/** A file system on which nothing can ever be kept: it has room for no byte. */
const FULL_DISK = process.platform === "linux" ? "/proc" : "/dev";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

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
