import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEMO_FILE } from "@/lib/contract/demo";
import { MAXIMUM_ATTEMPTS, RETRY_DELAYS_MS } from "@/lib/contract/webhooks";
import { createDemo } from "@/lib/core/demo/create-demo";
import { eventBody } from "@/lib/core/webhooks/claim-deliveries";
import { createEventDelivery } from "@/lib/core/webhooks/deliver-events";
import { secretContext, signDelivery } from "@/lib/core/webhooks/sign-delivery";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createTestDatabase } from "@/lib/testing/database";
import { createTestServices } from "@/lib/testing/services";
import { createTestWebhooks, startReceiver } from "@/lib/testing/webhooks";

/**
 * The history of the demo's endpoint. Risks: an impossible page, an event about nothing, an attempt outside the
 * schedule, days that do not add up to their deliveries.
 */
const DESIGN_DAY = new Date("2026-11-20T16:26:00Z");
const DAY_MS = 86_400_000;
/** For a test that creates its own demo. */
const MAKING_TIMEOUT_MS = 120_000;
/** How long a worker takes to poll, and a receiver to answer. */
const SLACK_MS = 1_000;

/** Everything a test opens, closed when its file ends. */
const opened: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of opened.toReversed()) await close();
});

async function arrange(allowsPrivate: boolean, prepare?: string) {
  const database = await createTestDatabase();
  opened.push(database.close);
  if (prepare !== undefined) await database.ownerPool.query(prepare);
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-demo-deliveries-"));
  opened.push(() => rm(dataDirectory, { recursive: true }));
  const { services, clock } = createTestServices(database);
  clock.set(DESIGN_DAY);
  const webhooks = { ...createTestWebhooks(), allowsPrivate };
  const ports = {
    bank: createSandboxBank(database.pool),
    aggregator: createSandboxAggregator(database.pool),
    webhooks,
  };
  await createDemo(services, ports, { appUrl: services.appUrl, dataDirectory });
  const rows = async (sql: string) => (await database.ownerPool.query(sql)).rows;
  return { services, clock, webhooks, dataDirectory, rows, database };
}

describe("the endpoint of the demo", () => {
  let demo: Awaited<ReturnType<typeof arrange>>;
  beforeAll(async () => {
    demo = await arrange(true);
  });

  it("was created in the demo's past, and sends to the sandbox's receiver", async () => {
    const [endpoint] = await demo.rows(`
      select e.*, u.name as made_by, r.token, r.mode, r.received,
          (select count(*)::int from webhook_attempts) as attempts
        from webhook_endpoints e join users u on u.id = e.created_by
        join sandbox_receivers r on r.organization_id = e.organization_id`);
    expect(endpoint).toMatchObject({
      url: `http://localhost:3000/sandbox/receivers/${endpoint.token}`,
      status: "ENABLED",
      made_by: "Jonas Weil",
      created_at: new Date("2026-08-03T20:40:00Z"),
      mode: "OK",
      failing_since: null,
      consecutive_failures: 0,
    });
    expect(endpoint.received).toBe(endpoint.attempts);
    expect(DESIGN_DAY.getTime() - endpoint.last_success_at.getTime()).toBeLessThan(10 * 60_000);
  });

  it("has no invented events: each names an existing transaction of its type, at one of its times", async () => {
    const events = await demo.rows(`
      select v.*, count(d.*)::int as deliveries,
          coalesce(t.created_at, c.created_at, x.transaction_date) as began
        from webhook_events v
        left join webhook_deliveries d on d.organization_id = v.organization_id and d.event_id = v.id
        left join transfers t on v.resource_type = 'transfer' and t.organization_id = v.organization_id
          and t.id = v.resource_id and t.execution_mode = 'LIVE'
        left join card_transactions c on v.resource_type = 'card_transaction'
          and c.organization_id = v.organization_id and c.id = v.resource_id
        left join external_transactions x on v.resource_type = 'external_transaction'
          and x.organization_id = v.organization_id and x.id = v.resource_id
       group by v.organization_id, v.id, t.created_at, c.created_at, x.transaction_date order by v.id`);
    expect(events.length).toBeGreaterThan(150);
    expect(new Set(events.map(({ type }) => type)).size).toBe(3);
    for (const event of events) {
      expect(event.type).toBe(`${event.resource_type}.changed`);
      expect(event.deliveries).toBe(1);
      expect(event.began?.getTime()).toBeLessThanOrEqual(event.created_at.getTime());
      expect(DESIGN_DAY.getTime() - event.created_at.getTime()).toBeLessThan(30 * DAY_MS);
    }
    const times = events.map(({ created_at }) => created_at.getTime());
    expect(times, "ids sort by time").toEqual([...times].sort((left, right) => left - right));
    expect(times.at(-1)).toBeLessThanOrEqual(DESIGN_DAY.getTime());
  });

  it("received each event at once, and retries only on schedule", async () => {
    const attempts = await demo.rows(`
      select a.event_id, a.number, a.attempted_at as at, a.duration_ms, a.status_code, a.problem, v.created_at,
          d.resent_at, d.status, d.attempts, d.due_at
        from webhook_attempts a
        join webhook_deliveries d using (organization_id, endpoint_id, event_id)
        join webhook_events v on v.organization_id = a.organization_id and v.id = a.event_id
       order by a.event_id, a.number`);
    for (const [index, attempt] of attempts.entries()) {
      const previous = attempt.number === 1 ? null : attempts[index - 1];
      const isResent = attempt.resent_at !== null && attempt.number === MAXIMUM_ATTEMPTS + 1;
      const waitedMs =
        attempt.at.getTime() -
        (isResent ? attempt.resent_at : (previous?.at ?? attempt.created_at)).getTime();
      const delayMs = previous && !isResent ? (RETRY_DELAYS_MS[previous.number - 1] ?? Number.NaN) : 0;
      expect(waitedMs).toBeGreaterThanOrEqual(delayMs * 0.9);
      expect(waitedMs).toBeLessThanOrEqual(delayMs + SLACK_MS);
      expect(previous?.problem ?? "STATUS", "a delivered event is not sent again").toBe("STATUS");
      expect(attempt.problem === null).toBe(attempt.status_code === 204);
    }
    const byHand = attempts.filter(({ resent_at }) => resent_at !== null);
    expect(byHand.map(({ status_code }) => status_code)).toEqual([...Array(MAXIMUM_ATTEMPTS).fill(500), 204]);
  });

  it("shows every delivery state: most delivered at once, a few later, one failed, one retrying", async () => {
    const states = await demo.rows(`
      select status, (attempts > 1)::boolean as again, (resent_at is not null) as resent, count(*)::int as count,
          max(attempts) as attempts from webhook_deliveries group by 1, 2, 3 order by 1, 2, 3`);
    expect(states).toEqual([
      { status: "DEAD", again: true, resent: false, count: 1, attempts: MAXIMUM_ATTEMPTS },
      { status: "DELIVERED", again: false, resent: false, count: expect.any(Number), attempts: 1 },
      {
        status: "DELIVERED",
        again: true,
        resent: false,
        count: expect.any(Number),
        attempts: expect.any(Number),
      },
      { status: "DELIVERED", again: true, resent: true, count: 1, attempts: MAXIMUM_ATTEMPTS + 1 },
      { status: "PENDING", again: true, resent: false, count: 1, attempts: 4 },
    ]);
    expect(states[1].count).toBeGreaterThan(150);
    expect(states[2].count).toBeGreaterThan(3);
    const [retrying] = await demo.rows(
      "select due_at, last_attempt_at, last_status_code from webhook_deliveries where status = 'PENDING'",
    );
    expect(retrying.last_status_code).toBe(503);
    expect(DESIGN_DAY.getTime() - retrying.last_attempt_at.getTime()).toBeLessThan(DAY_MS / 24);
    expect(retrying.due_at.getTime() - DESIGN_DAY.getTime()).toBeGreaterThan(0);
    expect(retrying.due_at.getTime() - DESIGN_DAY.getTime()).toBeLessThan(DAY_MS / 4);
  });

  it("has days that add up to its attempts", async () => {
    const days = await demo.rows(`
      select day::text, delivered, gave_up, failed_attempts from webhook_days order by day`);
    const counted = await demo.rows(`
      select (a.ended at time zone 'America/New_York')::date::text as day,
          count(*) filter (where problem is null)::int as delivered,
          count(*) filter (where number = ${MAXIMUM_ATTEMPTS} and problem is not null)::int as gave_up,
          count(*) filter (where problem is not null)::int as failed_attempts
        from (select *, attempted_at + duration_ms * interval '1 millisecond' as ended from webhook_attempts) a
       group by 1 order by 1`);
    expect(days).toEqual(counted);
    expect(days.length).toBeGreaterThan(20);
  });

  it("has a secret that no one knows, and signatures made with it", async () => {
    const [endpoint] = await demo.rows("select * from webhook_endpoints");
    const secret = demo.webhooks.secrets.decrypt(
      endpoint.sealed_secret,
      secretContext(endpoint.organization_id, endpoint.id),
    );
    expect(secret).toMatch(/^whsec_/);
    expect(secret.endsWith(endpoint.secret_hint)).toBe(true);
    expect(await readFile(join(demo.dataDirectory, DEMO_FILE), "utf8")).not.toContain(secret);
    const attempts = await demo.rows(`
      select a.signature_start, a.signed_at, v.* from webhook_attempts a
        join webhook_events v on v.organization_id = a.organization_id and v.id = a.event_id`);
    for (const { signature_start, signed_at, id, type, resource_type, resource_id, created_at } of attempts) {
      const body = eventBody({
        id,
        type,
        resourceType: resource_type,
        resourceId: resource_id,
        createdAt: created_at,
      });
      expect(signDelivery(secret, body, signed_at).start).toBe(signature_start);
    }
  });

  it("has a receiver that lists the last twenty attempts, as they were answered", async () => {
    const receipts = await demo.rows(
      "select event_id, received_at, mode from sandbox_receipts order by place desc",
    );
    const attempts = await demo.rows(`
      select event_id, attempted_at as received_at,
          case status_code when 204 then 'OK' when 500 then 'ERROR' else 'UNAVAILABLE' end as mode
        from webhook_attempts order by attempted_at desc, event_id desc limit 20`);
    expect(receipts).toEqual(attempts);
  });

  it("recovers by itself: the retrying delivery arrives at its next attempt", async () => {
    const receiver = await startReceiver(() => 204);
    opened.push(receiver.close);
    await demo.database.ownerPool.query("update webhook_endpoints set url = $1", [receiver.url]);
    const [retrying] = await demo.rows(
      "select event_id, due_at from webhook_deliveries where status = 'PENDING'",
    );
    const delivery = createEventDelivery(demo.services, demo.webhooks);
    expect(await delivery.runBatch(128), "nothing past is sent again").toBe(0);
    demo.clock.set(retrying.due_at);
    expect(await delivery.runBatch(128)).toBe(1);
    await delivery.drain();
    expect(receiver.received.map(({ headers }) => headers["x-service-event-id"])).toEqual([
      retrying.event_id,
    ]);
    expect(await demo.rows("select status from webhook_deliveries where status = 'PENDING'")).toEqual([]);
  });
});

describe("a demo whose webhooks may not go to this machine", () => {
  it(
    "has neither endpoint nor receiver: it would call private addresses",
    async () => {
      const demo = await arrange(false);
      expect(await demo.rows("select from organizations")).toHaveLength(1);
      expect(await demo.rows("select from webhook_endpoints")).toEqual([]);
      expect(await demo.rows("select from sandbox_receivers")).toEqual([]);
      expect(await demo.rows("select from webhook_events")).toEqual([]);
    },
    MAKING_TIMEOUT_MS,
  );
});

/** An endpoint from the organization's first moment, so that every event the triggers write is visible. */
const LISTEN_FROM_THE_START = `
  create function listen() returns trigger language plpgsql as $$
  begin
    insert into webhook_endpoints (organization_id, id, url, sealed_secret, secret_hint, status, created_at)
      values (new.id, '00000000-0000-7000-8000-000000000001', 'http://127.0.0.1:1/', 'none', 'none', 'ENABLED', now());
    return null;
  end $$;
  create trigger listens after insert on organizations for each row execute function listen()`;

describe("the events of the demo", () => {
  it(
    "are those that the triggers would have written for each change of a transfer or card transaction",
    async () => {
      const demo = await arrange(true, LISTEN_FROM_THE_START);
      const reported = (whose: string) =>
        demo.rows(`
        select distinct v.type, v.resource_id, v.created_at from webhook_events v
          join webhook_deliveries d on d.organization_id = v.organization_id and d.event_id = v.id
         where d.endpoint_id ${whose} '00000000-0000-7000-8000-000000000001'
           and v.created_at > timestamptz '2026-11-20T16:26:00Z' - interval '30 days'
           -- The demo connects its outside accounts at the end, all at once.
           and v.type <> 'external_transaction.changed'
         order by v.created_at, v.resource_id`);
      const byTriggers = await reported("=");
      expect(byTriggers.length).toBeGreaterThan(100);
      expect(await reported("<>")).toEqual(byTriggers);
    },
    MAKING_TIMEOUT_MS,
  );
});
