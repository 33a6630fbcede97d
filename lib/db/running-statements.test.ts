/**
 * A database that falls silent: connections stay open and nothing comes back. Promise: each statement gets its answer or
 * an error within the limit, no dead connection costs a second user that time, and new connections serve at once.
 */
import { expect, it, onTestFinished } from "vitest";
import { createPool } from "@/lib/db/pool";
import { allowLongStatements, oldestStatementMs } from "@/lib/db/running-statements";
import { inTransaction } from "@/lib/db/transaction";
import { type TestDatabase, useTestDatabase } from "@/lib/testing/database";
import { inOpenTransaction } from "@/lib/testing/overlap";
import { openDatabaseWay } from "@/lib/testing/servers/database-way";
import { waitUntil } from "@/lib/testing/wait-until";

const ANSWER_TIMEOUT_MS = 700;
/** The limit, the interval of its check, and a busy machine. */
const BOUND_MS = 2_500;

const database = useTestDatabase();

async function openSilenceablePool() {
  const { host, port, user, database: name } = database.pool.options;
  const way = await openDatabaseWay({ path: `${host}/.s.PGSQL.${port}` });
  const logged: unknown[] = [];
  const pool = createPool(
    { host: "127.0.0.1", port: way.port, user, database: name, ssl: false, password: "" },
    { answerTimeoutMs: ANSWER_TIMEOUT_MS, log: { warn: (...line: unknown[]) => void logged.push(line) } },
  );
  onTestFinished(async () => {
    await pool.end();
    way.cut();
  });
  return { pool, way, logged };
}

/** Opens so many connections, all idle afterwards. */
async function warmUp(pool: TestDatabase["pool"], count: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()));
  await Promise.all(clients.map((client) => client.query("select 1")));
  for (const client of clients) client.release();
}

it("a statement whose answer is swallowed ends within the limit as unknown, and is not sent a second time", async () => {
  const { pool, way, logged } = await openSilenceablePool();
  await database.ownerPool.query("create sequence sent; grant usage on sequence sent to public");
  const client = await pool.connect();
  const { sent, startedAt } = await inOpenTransaction(database.ownerPool, async (gate) => {
    await gate.query("select pg_advisory_xact_lock(4711)");
    const answer = client.query("select nextval('sent'), pg_advisory_xact_lock(4711)");
    await waitUntil("it reached the server", async () => {
      const { rows } = await database.ownerPool.query("select is_called from sent");
      return rows[0]?.is_called === true;
    });
    way.swallow();
    // Not awaited in here: the gate must open first.
    return { sent: { answer }, startedAt: performance.now() };
  });
  await expect(sent.answer).rejects.toMatchObject({ name: "UnansweredStatement" });
  expect(performance.now() - startedAt).toBeLessThan(BOUND_MS);
  client.release(true);
  const { rows } = await database.ownerPool.query("select last_value as count from sent");
  expect(rows).toEqual([{ count: 1 }]);
  expect(logged.length).toBeGreaterThan(0);
});

it("a transaction on a silent connection fails once and at once: its rollback waits for nothing", async () => {
  const { pool, way } = await openSilenceablePool();
  const startedAt = performance.now();
  const failed = inTransaction(pool, async (client) => {
    await client.query("select 1");
    way.swallow();
    await client.query("select 2");
  });
  await expect(failed).rejects.toMatchObject({ name: "UnansweredStatement" });
  expect(performance.now() - startedAt).toBeLessThan(BOUND_MS);
  expect((await pool.query("select 3 as three")).rows).toEqual([{ three: 3 }]);
});

it("the first unanswered statement closes every connection that has not answered since", async () => {
  const { pool, way } = await openSilenceablePool();
  await warmUp(pool, 6);
  way.swallow();
  await expect(pool.query("select 1")).rejects.toMatchObject({ name: "UnansweredStatement" });
  await waitUntil("all are closed", () => way.countSilent() === 0, BOUND_MS);
  const startedAt = performance.now();
  for (let turn = 0; turn < 8; turn += 1) await pool.query("select 1");
  expect(performance.now() - startedAt).toBeLessThan(ANSWER_TIMEOUT_MS);
});

it("the age of the oldest running statement is known, and grows while there is no answer", async () => {
  const { pool, way } = await openSilenceablePool();
  await pool.query("select 1");
  expect(oldestStatementMs(pool)).toBe(0);
  way.swallow();
  const silent = pool.query("select 1").catch((error: unknown) => error);
  await waitUntil("it ages", () => oldestStatementMs(pool) > ANSWER_TIMEOUT_MS / 2);
  expect(await silent).toMatchObject({ name: "UnansweredStatement" });
  expect(oldestStatementMs(pool)).toBe(0);
});

it("a transaction with a longer limit is neither cut off nor counted, and the limit ends with it", async () => {
  const { pool } = await openSilenceablePool();
  const longer = inTransaction(pool, async (client) => {
    allowLongStatements(client);
    return await client.query("select 1 as one, pg_sleep($1)", [(2 * ANSWER_TIMEOUT_MS) / 1_000]);
  });
  await waitUntil("it runs", () => pool.totalCount - pool.idleCount === 1);
  expect(oldestStatementMs(pool)).toBe(0);
  expect((await longer).rows).toMatchObject([{ one: 1 }]);
  await expect(pool.query("select pg_sleep(5)")).rejects.toMatchObject({ name: "UnansweredStatement" });
});

it("a pool ends although the goodbyes of its idle connections are swallowed", async () => {
  const { host, port, user, database: name } = database.pool.options;
  const way = await openDatabaseWay({ path: `${host}/.s.PGSQL.${port}` });
  onTestFinished(way.cut);
  const pool = createPool({
    host: "127.0.0.1",
    port: way.port,
    user,
    database: name,
    ssl: false,
    password: "",
  });
  await warmUp(pool, 2);
  way.swallow();
  await pool.end();
  await waitUntil("they are closed", () => way.countSilent() === 0);
});
