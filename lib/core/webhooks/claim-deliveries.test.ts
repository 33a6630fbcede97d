/**
 * Goal: a claim gets what no other process is sending, and reads only what it gets. A process claims deliveries from its
 * start, and PostgreSQL keeps the plan that it made then: with a bad one, the first thousands of events after a restore,
 * or after a vacuum of empty tables, are sent ten times slower.
 */
import { afterEach, describe, expect, it } from "vitest";
import { claimDeliveries, type Queues } from "@/lib/core/webhooks/claim-deliveries";
import type { Queryable } from "@/lib/db/transaction";
import { PLANNED_AS_SERVED, useTestDatabase } from "@/lib/testing/database";
import { inOpenTransaction, overlap } from "@/lib/testing/overlap";
import { addEndpoint, arrangeWebhooks, type WebhookScene } from "@/lib/testing/webhooks";

const EVENTS = 500;
/** PostgreSQL makes a new plan for each of the first five executions. */
const CLAIMS_UNTIL_PLANNED = 8;
const LIMITS = {
  perEndpoint: 32,
  perFailingEndpoint: 2,
  unrecordedPerEndpoint: 128,
  total: 512,
  leaseMs: 30_000,
};

const UNKNOWN: Queues = { busy: new Map(), lookedThrough: null };

const database = useTestDatabase(PLANNED_AS_SERVED);
afterEach(async () => {
  // What one test queued would be claimed in the next.
  await database.ownerPool.query(
    "update webhook_endpoints set status = 'DELETED', sealed_secret = null, deleted_at = created_at",
  );
});

it("a claim planned while there was nothing to deliver reads later only what it claims", async () => {
  const { ownerPool } = database;
  const scene = await arrangeWebhooks(database);
  const add = (path: string) =>
    addEndpoint(scene.services, scene.setting, scene.organizationId, `https://receiver.example.com/${path}`);
  const endpoints = [await add("first"), await add("second")];
  for (const table of ["webhook_events", "webhook_deliveries"]) {
    await ownerPool.query(`vacuum analyze ${table}`);
  }
  const rows = await inOpenTransaction(database.pool, async (client) => {
    const claim = () => claimDeliveries(client, scene.clock.now(), UNKNOWN, LIMITS);
    for (let claims = 0; claims < CLAIMS_UNTIL_PLANNED; claims++) expect(await claim()).toEqual([]);
    await queueEvents(scene, endpoints);
    expect(await claim()).toHaveLength(2 * LIMITS.perEndpoint);
    const read = await client.query<{ relname: string; seq_tup_read: number; idx_tup_fetch: number }>(
      `select relname, seq_tup_read, idx_tup_fetch from pg_stat_xact_user_tables
        where relname in ('webhook_events', 'webhook_deliveries') order by relname`,
    );
    return read.rows;
  });
  const each = { seq_tup_read: 0, idx_tup_fetch: 2 * LIMITS.perEndpoint };
  expect(rows).toEqual([
    { relname: "webhook_deliveries", ...each },
    { relname: "webhook_events", ...each },
  ]);
});

it("a claim does not walk over what was delivered since a backup opened its snapshot", async () => {
  const scene = await arrangeWebhooks(database);
  const { id } = await addEndpoint(
    scene.services,
    scene.setting,
    scene.organizationId,
    "https://receiver.example.com/third",
  );
  await queueEvents(scene, [{ id }]);
  scene.clock.advance(1_000);
  const claim = (queues: Queues) => (pool: Queryable) =>
    claimDeliveries(pool, scene.clock.now(), queues, {
      ...LIMITS,
      perEndpoint: EVENTS - 10,
      unrecordedPerEndpoint: EVENTS,
    });
  const { whole, rest, idle } = await inOpenTransaction(database.pool, async (snapshot) => {
    await snapshot.query("set transaction isolation level repeatable read");
    await snapshot.query("select from webhook_deliveries limit 1");
    const claimed = await claim(UNKNOWN)(database.pool);
    expect(claimed).toHaveLength(EVENTS - 10);
    await database.ownerPool.query(
      `update webhook_deliveries set status = 'DELIVERED', due_at = null, leased_until = null, delivered_at = $3
        where endpoint_id = $1 and event_id = any ($2::uuid[])`,
      [id, claimed.map(({ event }) => event.id), scene.clock.now()],
    );
    const claimedTo = claimed.at(-1)?.place ?? null;
    const load = { sending: 0, unrecorded: 0, claimedTo };
    return {
      whole: await pagesOf(claim(UNKNOWN)),
      rest: await pagesOf(claim({ busy: new Map([[id, load]]), lookedThrough: null })),
      idle: await pagesOf(claim({ busy: new Map(), lookedThrough: scene.clock.now() })),
    };
  });
  expect(whole.rows).toBe(10);
  expect(rest.rows).toBe(10);
  expect(idle.rows).toBe(0);
  expect(whole.pages).toBeGreaterThan(EVENTS / 2);
  expect(rest.pages).toBeLessThan(whole.pages / 2);
  expect(idle.pages).toBeLessThan(whole.pages / 10);
});

it("an event due exactly where a look begins is claimed", async () => {
  const scene = await arrangeWebhooks(database);
  const { id } = await addEndpoint(
    scene.services,
    scene.setting,
    scene.organizationId,
    "https://receiver.example.com/fourth",
  );
  await queueEvents(scene, [{ id }]);
  const claim = (queues: Queues) => claimDeliveries(database.pool, scene.clock.now(), queues, LIMITS);
  const setDue = (due: Date | "-infinity") =>
    database.ownerPool.query(
      "update webhook_deliveries set due_at = $2, leased_until = null where endpoint_id = $1",
      [id, due],
    );
  await setDue("-infinity");
  expect(await claim(UNKNOWN)).toHaveLength(LIMITS.perEndpoint);
  const lookedThrough = scene.clock.now();
  await setDue(new Date(lookedThrough.getTime() - 500));
  expect(await claim({ busy: new Map(), lookedThrough })).toHaveLength(LIMITS.perEndpoint);
});

describe("a claim", () => {
  async function arrange() {
    const scene = await arrangeWebhooks(database);
    const { id } = await addEndpoint(
      scene.services,
      scene.setting,
      scene.organizationId,
      "https://receiver.example.com/fifth",
    );
    await queueEvents(scene, [{ id }]);
    /** As a process that has just started. */
    const claim = (perEndpoint: number, by: Queryable = database.pool) =>
      claimDeliveries(by, scene.clock.now(), UNKNOWN, {
        ...LIMITS,
        perEndpoint,
        unrecordedPerEndpoint: EVENTS,
      });
    return { clock: scene.clock, id, claim };
  }

  it("gets nothing that another process leased, until the moment the lease ends", async () => {
    const { clock, claim } = await arrange();
    expect(await claim(EVENTS)).toHaveLength(EVENTS);
    expect(await claim(EVENTS)).toEqual([]);
    clock.advance(LIMITS.leaseMs - 1);
    expect(await claim(EVENTS)).toEqual([]);
    clock.advance(1);
    expect(await claim(EVENTS)).toHaveLength(EVENTS);
  });

  it("neither waits for one at the same moment nor gets the same", async () => {
    const { claim } = await arrange();
    const half = EVENTS / 2;
    const claimed: string[] = [];
    const note = async (claiming: ReturnType<typeof claim>) => {
      claimed.push(...(await claiming).map(({ event }) => event.id));
    };
    const { hasWaited } = await overlap(
      database,
      (client) => note(claim(half, client)),
      () => note(claim(EVENTS)),
    );
    expect(hasWaited).toBe(false);
    expect(claimed).toHaveLength(EVENTS);
    expect(new Set(claimed).size).toBe(EVENTS);
  });

  it("gets few deliveries of an endpoint only after ten failures in a row", async () => {
    const { id, claim } = await arrange();
    const failedInARow = (times: number) =>
      database.ownerPool.query("update webhook_endpoints set consecutive_failures = $2 where id = $1", [
        id,
        times,
      ]);
    await failedInARow(10);
    expect(await claim(100)).toHaveLength(LIMITS.perFailingEndpoint);
    await failedInARow(9);
    expect(await claim(100)).toHaveLength(100);
  });
});

/** All of one moment. */
async function queueEvents(
  { organizationId, clock }: Pick<WebhookScene, "organizationId" | "clock">,
  endpoints: readonly { id: string }[],
): Promise<void> {
  await database.ownerPool.query(
    `with events as (
       insert into webhook_events (organization_id, id, type, resource_type, resource_id, created_at)
         select $1, new_id($2), 'transfer.changed', 'transfer', gen_random_uuid(), $2 from generate_series(1, $3)
         returning id)
     insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at)
       select $1, endpoint_id, events.id, 'PENDING', $2 from events, unnest($4::uuid[]) endpoint_id`,
    [organizationId, clock.now(), EVENTS, endpoints.map(({ id }) => id)],
  );
}

/** The pages that a statement reads, and its rows; it is rolled back. */
async function pagesOf(
  send: (pool: Queryable) => Promise<unknown>,
): Promise<{ pages: number; rows: number }> {
  let plan: { Plan: Record<string, number> } | undefined;
  await inOpenTransaction(database.ownerPool, (client) => {
    const explaining = {
      query: async (statement: { text: string; values: unknown[] }) => {
        const explained = `explain (analyze, buffers, format json) ${statement.text}`;
        const { rows } = await client.query(explained, statement.values);
        plan = rows[0]["QUERY PLAN"][0];
        return { rows: [] };
      },
    };
    return send(explaining as unknown as Queryable);
  });
  return { pages: plan?.Plan["Shared Hit Blocks"] ?? 0, rows: plan?.Plan["Actual Rows"] ?? 0 };
}
