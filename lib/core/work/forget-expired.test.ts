import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { expect, test } from "vitest";
import { forgetExpired } from "@/lib/core/work/forget-expired";
import { PLANNED_AS_SERVED, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const KEPT = 5_000;
const EXPIRED = 30;

const database = useTestDatabase(PLANNED_AS_SERVED);

test("expired results are found without reading those of the last day", async () => {
  const { services, clock } = createTestServices(database);
  const { organizationId } = await createTestOrganization(database, services);
  await database.ownerPool.query(
    `insert into idempotency_results
       select $1, gen_random_uuid(), 'createTransfer', '/transfers', n::text, '\\x00', 202, '{}',
           $2::timestamptz + case when n <= $3 then interval '-2 hours' else interval '1 minute' end
         from generate_series(1, $3 + $4::integer) n`,
    [organizationId, clock.now(), EXPIRED, KEPT],
  );
  const plan = await explain(services.clock.now());
  const read = [...plan.matchAll(/(?:actual rows=|Rows Removed by [\w ]+: )([\d.]+)/g)];
  expect(Math.max(...read.map(([, rows]) => Number(rows))), plan).toBeLessThanOrEqual(EXPIRED);

  expect(await forgetExpired(services, 1_000)).toBe(EXPIRED);
  const { rows } = await database.pool.query(
    "select count(*)::int from idempotency_results where organization_id = $1",
    [organizationId],
  );
  expect(rows).toEqual([{ count: KEPT }]);
});

test("a session is deleted 90 days after it expired, unless it is its person's newest or something refers to it", async () => {
  const { services, clock } = createTestServices(database);
  const { organizationId, owner } = await createTestOrganization(database, services);
  const DAY_MS = 86_400_000;
  const add = async (endedDaysAgo: number): Promise<string> => {
    const id = randomUUID();
    const expiresAt = new Date(clock.now().getTime() - endedDaysAgo * DAY_MS);
    await database.ownerPool.query(
      `insert into sessions (id, user_id, organization_id, method, authenticated_at, last_seen_at, expires_at, user_agent)
        values ($1, $2, $3, 'PASSWORD', $4, $4, $4, 'an old browser')`,
      [id, owner.actor.id, organizationId, expiresAt],
    );
    return id;
  };
  const [old, challenged, recent] = [await add(91), await add(92), await add(89)];
  await database.ownerPool.query("insert into challenges values ('kept', 'MANAGE', $1, $2, '', $3, null)", [
    owner.actor.id,
    challenged,
    clock.now(),
  ]);
  const listed = async () => {
    const { rows } = await database.ownerPool.query<{ id: string }>(
      "select id from sessions where user_id = $1 and user_agent = 'an old browser'",
      [owner.actor.id],
    );
    return rows.map(({ id }) => id).toSorted();
  };
  await forgetExpired(services, 1_000);
  expect(await listed()).toEqual([challenged, recent].toSorted());
  expect(await listed()).not.toContain(old);

  // A year later everything has expired: the newest of them all is the one that pages show.
  clock.advance(400 * DAY_MS);
  await database.ownerPool.query("delete from challenges");
  await forgetExpired(services, 1_000);
  const { rows } = await database.ownerPool.query("select id from sessions where user_id = $1", [
    owner.actor.id,
  ]);
  expect(rows).toEqual([{ id: owner.actor.sessionId }]);
});

/** How the statement that is really sent is carried out, rolled back. */
async function explain(now: Date): Promise<string> {
  const sent: { text: string; values: unknown[] }[] = [];
  const pool = { query: async (statement: (typeof sent)[number]) => ({ rowCount: sent.push(statement) }) };
  await forgetExpired({ pool: pool as unknown as Pool, clock: { now: () => now } }, 1_000);
  const statement = sent.find(({ text }) => text.includes("delete from idempotency_results"));
  const client = await database.ownerPool.connect();
  try {
    await client.query("begin");
    const { rows } = await client.query(`explain (analyze, costs off) ${statement?.text}`, statement?.values);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  } finally {
    await client.query("rollback");
    client.release();
  }
}
