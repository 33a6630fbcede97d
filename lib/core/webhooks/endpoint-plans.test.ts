/**
 * Goal: the cost of pages and commands does not depend on the number of deliveries. Method: endpoints with two hundred
 * thousand deliveries (fewer in `npm test`), and the plans of the statements that are really sent: with their values and
 * generic, with and without statistics. No long table is scanned as a whole, and no command reads more of it than it
 * shows or changes.
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DeliveryFilter } from "@/lib/contract/hrefs";
import { REPLAYED_AT_MOST, redeliver, replayFailed, sendTestEvent } from "@/lib/core/webhooks/redeliver";
import { switchOffEndpoint, switchOnEndpoint } from "@/lib/core/webhooks/switch-endpoint";
import { SUPERUSER } from "@/lib/db/embedded";
import { newId } from "@/lib/platform/ids";
import { PLANNED_AS_SERVED, type TestDatabase, useTestDatabase } from "@/lib/testing/database";
import { proofSize } from "@/lib/testing/proof-size";
import { seedLists } from "@/lib/testing/seed-lists";
import { addEndpoint, arrangeWebhooks } from "@/lib/testing/webhooks";
import { listEndpoints } from "@/lib/views/webhooks/endpoint-facts";
import { readEndpoint } from "@/lib/views/webhooks/read-endpoint";

const DELIVERIES = proofSize(60_000, 200_000);
/** As many as are read to count waiting ones, and a few extra. */
const READ_AT_MOST = 20_100;
const LONG_TABLES = ["webhook_events", "webhook_deliveries", "webhook_attempts", "webhook_days", "transfers"];

interface Statement {
  text: string;
  values: unknown[];
}

/** Records every statement, including those inside transactions, to explain it later. */
function noting(pool: pg.Pool, sent: Statement[]): pg.Pool {
  const note = <T extends pg.Pool | pg.PoolClient>(target: T): T =>
    new Proxy(target, {
      get(inner, name) {
        const value = Reflect.get(inner, name);
        if (name === "connect") return async () => note(await pool.connect());
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          const [statement] = given;
          if (
            name === "query" &&
            typeof statement === "object" &&
            statement !== null &&
            "text" in statement
          ) {
            const values = "values" in statement && Array.isArray(statement.values) ? statement.values : [];
            sent.push({ text: String(statement.text), values });
          }
          return Reflect.apply(value, inner, given);
        };
      },
    });
  return note(pool);
}

async function arrange(database: TestDatabase) {
  const scene = await arrangeWebhooks(database);
  const superuser = new pg.Client({ ...database.ownerConnection, user: SUPERUSER });
  await superuser.connect();
  await superuser.query("set statement_timeout = 0");
  // Disables foreign keys while rows are seeded.
  await superuser.query("set session_replication_role = replica");
  await superuser.query("set synchronous_commit = off");
  const add = (url: string) => addEndpoint(scene.services, scene.setting, scene.organizationId, url);
  const busy = await add("https://busy.example.com/hooks");
  const healthy = await add("https://healthy.example.com/hooks");
  const now = scene.clock.now();
  await superuser.query(
    `insert into webhook_events
       select $1, new_id(at), 'transfer.changed', 'transfer', gen_random_uuid(), at, false
         from generate_series($2::timestamptz - interval '29 days', $2::timestamptz - interval '1 minute',
           interval '29 days' / $3::integer) as at`,
    [scene.organizationId, now, DELIVERIES],
  );
  await superuser.query(
    `insert into webhook_deliveries
        (organization_id, endpoint_id, event_id, status, due_at, attempts, round_attempts, last_problem, delivered_at)
       select v.organization_id, $2, v.id, s.status,
           case when s.status = 'PENDING' then $3::timestamptz + interval '1 hour' end,
           s.attempts, least(s.attempts, 4), case when s.status <> 'DELIVERED' then 'STATUS' end,
           case when s.status = 'DELIVERED' then v.created_at end
         from webhook_events v
         cross join lateral (select get_byte(uuid_send(v.id), 15) % 4 as digit) one
         cross join lateral (select 4 as attempts,
           case when digit < 2 then 'DELIVERED' when digit = 2 then 'DEAD' else 'PENDING' end as status) s
        where v.organization_id = $1`,
    [scene.organizationId, busy.id, now],
  );
  await superuser.query(
    `insert into webhook_deliveries
        (organization_id, endpoint_id, event_id, status, attempts, round_attempts, delivered_at)
       select v.organization_id, $2, v.id, 'DELIVERED', 1, 1, v.created_at
         from webhook_events v where v.organization_id = $1`,
    [scene.organizationId, healthy.id],
  );
  await superuser.query(
    `insert into webhook_attempts
       select d.organization_id, d.endpoint_id, d.event_id, 1, $3, $3, '00000000', 20, 500, 'STATUS', null
         from webhook_deliveries d where d.organization_id = $1 and d.endpoint_id = $2`,
    [scene.organizationId, busy.id, now],
  );
  // Off for a long time: nothing was tried except a few that had failed before.
  const off = await add("https://off.example.com/hooks");
  await superuser.query(
    `insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at, attempts, last_problem)
       select v.organization_id, $2, v.id, 'PENDING', v.created_at, n.tried, case when n.tried > 0 then 'STATUS' end
         from webhook_events v
         cross join lateral (select (get_byte(uuid_send(v.id), 15) = 0 and get_byte(uuid_send(v.id), 14) = 0)::integer as tried) n
        where v.organization_id = $1`,
    [scene.organizationId, off.id],
  );
  await superuser.query(
    `insert into webhook_days select $1, gen_random_uuid(), '2026-01-15'::date - back
       from generate_series(1, 1000) as endpoint cross join generate_series(0, 29) as back`,
    [scene.organizationId],
  );
  const anybody = newId(now);
  await seedLists(
    superuser,
    {
      organizationId: scene.organizationId,
      keyId: anybody,
      keyName: "key",
      pods: [anybody, newId(now)],
      externalAccountId: anybody,
      cardId: anybody,
      ruleId: anybody,
    },
    { transfers: 20_000, externalTransactions: 1, cardTransactions: 1, auditEntries: 1, ruleExecutions: 1 },
    now,
  );
  return { ...scene, superuser, busy: busy.id, healthy: healthy.id, off: off.id };
}

type Side = Awaited<ReturnType<typeof arrange>>;

/** Pages and commands by name. Each one's changes are undone by the next. */
const COMMANDS: Record<string, (side: Side, services: Side["services"]) => Promise<unknown>> = {
  "the list of endpoints": (side, services) =>
    listEndpoints({ services, context: side.owner(), time: side.time() }, side.setting),
  "the page of an endpoint": (side, services) => readPage(side, services, side.busy, "ALL"),
  "what fails": (side, services) => readPage(side, services, side.busy, "FAILING"),
  "failing deliveries of a healthy endpoint": (side, services) =>
    readPage(side, services, side.healthy, "FAILING"),
  "failing deliveries of an endpoint that is off": (side, services) =>
    readPage(side, services, side.off, "FAILING"),
  "a test event": (side, services) => sendTestEvent(services, side.owner(), side.busy),
  "sending again": async (side, services) => {
    const { rows } = await side.superuser.query(
      `select event_id as "eventId" from webhook_deliveries where organization_id = $1 and endpoint_id = $2 limit 1`,
      [side.organizationId, side.busy],
    );
    await redeliver(services, side.owner(), { endpointId: side.busy, eventId: rows[0].eventId });
  },
  "replaying ten thousand": async (side, services) => {
    const result = await replayFailed(services, side.owner(), { endpointId: side.busy, since: new Date(0) });
    expect(result).toEqual({ kind: "REPLAYED", count: REPLAYED_AT_MOST, hasMore: true });
  },
  "replaying nothing": async (side, services) => {
    const result = await replayFailed(services, side.owner(), {
      endpointId: side.healthy,
      since: new Date(0),
    });
    expect(result).toEqual({ kind: "REPLAYED", count: 0, hasMore: false });
  },
  "switching off and on": async (side, services) => {
    await switchOffEndpoint(services, side.owner(), side.healthy);
    await switchOnEndpoint(services, side.owner(), side.healthy);
  },
};

function readPage(side: Side, services: Side["services"], endpointId: string, filter: DeliveryFilter) {
  const openedEventId = newId(side.clock.now());
  return readEndpoint({ services, context: side.owner(), time: side.time() }, side.setting, {
    endpointId,
    filter,
    openedEventId,
    before: null,
  });
}

const database = useTestDatabase(PLANNED_AS_SERVED);
let side: Side;
beforeAll(async () => {
  side = await arrange(database);
}, 300_000);
afterAll(async () => {
  await side?.superuser.end();
});

// In this order, because gathered statistics cannot be removed.
describe.each(["absent", "fresh"])("with statistics that are %s", (statistics) => {
  beforeAll(async () => {
    const { rows } = await side.superuser.query(
      "select from pg_stats where tablename in ('webhook_deliveries', 'webhook_events')",
    );
    expect(rows).toEqual([]);
    if (statistics === "fresh") await side.superuser.query("analyze");
  });

  it.each(Object.keys(COMMANDS))("%s: every statement uses an index", async (name) => {
    const sent: Statement[] = [];
    await COMMANDS[name]?.(side, { ...side.services, pool: noting(side.services.pool, sent) });
    const statements = sent.filter(({ text }) => /webhook_/.test(text) && !/advisory/.test(text));
    expect(statements.length).toBeGreaterThan(0);
    for (const { text, values } of statements) {
      for (const plan of await explain(side, text, values)) {
        for (const table of LONG_TABLES) expect(plan).not.toMatch(new RegExp(`Seq Scan on ${table}\\b`));
        expect(mostRows(plan), plan).toBeLessThanOrEqual(READ_AT_MOST);
      }
    }
  });
});

/** The plan as executed, in a transaction that is rolled back, and the generic plan. */
async function explain({ superuser }: Side, text: string, values: unknown[]): Promise<string[]> {
  const plan = (rows: { "QUERY PLAN": string }[]) => rows.map((row) => row["QUERY PLAN"]).join("\n");
  // An insert cannot run again, because its rows already exist.
  const how = text.includes("insert into") ? "costs off" : "analyze, costs off, timing off, buffers off";
  await superuser.query("begin");
  const carriedOut = await superuser.query(`explain (${how}) ${text}`, values);
  await superuser.query("rollback");
  const generic = await superuser.query(`explain (generic_plan, costs off) ${text}`);
  return [plan(carriedOut.rows), plan(generic.rows)];
}

/** The most rows that a step of a plan read or filtered out per execution. */
function mostRows(plan: string): number {
  const counts = [...plan.matchAll(/(?:actual rows=|Rows Removed by [\w ]+: )([\d.]+)/g)];
  return Math.max(0, ...counts.map(([, count]) => Number(count)));
}
