/**
 * A process claims deliveries from its start, and PostgreSQL keeps the plan that it made then. With a bad one, the first
 * thousands of events after a restore, or after a vacuum of empty tables, are sent ten times slower.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { claimDeliveries } from "@/lib/core/webhooks/claim-deliveries";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { addEndpoint, arrangeWebhooks } from "@/lib/testing/webhooks";

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

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it("a claim planned while there was nothing to deliver does not scan whole tables later", async () => {
  const { ownerPool } = database;
  const scene = await arrangeWebhooks(database);
  const add = (path: string) =>
    addEndpoint(scene.services, scene.setting, scene.organizationId, `https://receiver.example.com/${path}`);
  const endpoints = [await add("first"), await add("second")];
  for (const table of ["webhook_events", "webhook_deliveries"]) {
    await ownerPool.query(`vacuum analyze ${table}`);
  }
  const client = await database.pool.connect();
  const claim = () => claimDeliveries(client, scene.clock.now(), new Map(), LIMITS);
  for (let claims = 0; claims < CLAIMS_UNTIL_PLANNED; claims++) expect(await claim()).toEqual([]);
  await ownerPool.query(
    `with events as (
       insert into webhook_events (organization_id, id, type, resource_type, resource_id, created_at)
         select $1, new_id($2), 'transfer.changed', 'transfer', gen_random_uuid(), $2 from generate_series(1, $3)
         returning id)
     insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at)
       select $1, endpoint_id, events.id, 'PENDING', $2 from events, unnest($4::uuid[]) endpoint_id`,
    [scene.organizationId, scene.clock.now(), EVENTS, endpoints.map(({ id }) => id)],
  );
  await client.query("begin");
  expect(await claim()).toHaveLength(2 * LIMITS.perEndpoint);
  const { rows } = await client.query<{ relname: string; seq_tup_read: number }>(
    `select relname, seq_tup_read from pg_stat_xact_user_tables
      where relname in ('webhook_events', 'webhook_deliveries') order by relname`,
  );
  await client.query("rollback");
  client.release();
  expect(rows).toEqual([
    { relname: "webhook_deliveries", seq_tup_read: 0 },
    { relname: "webhook_events", seq_tup_read: 0 },
  ]);
});
