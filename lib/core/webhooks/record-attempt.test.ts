import { describe, expect, it } from "vitest";
import { type AttemptRecord, recordAttempt } from "@/lib/core/webhooks/record-attempt";
import { newId } from "@/lib/platform/ids";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { createTestServices } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks } from "@/lib/testing/webhooks";

const database = useTestDatabase();

async function arrange(events: number) {
  const { services, clock } = createTestServices(database);
  const { organizationId } = await createTestOrganization(database, services);
  const { id: endpointId } = await addEndpoint(
    services,
    createTestWebhooks(),
    organizationId,
    "http://a.example",
  );
  const now = clock.now();
  const eventIds = Array.from({ length: events }, () => newId(now));
  await database.pool.query(
    `insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at)
     select $1, $2, id, 'PENDING', $4 from unnest($3::uuid[]) id`,
    [organizationId, endpointId, eventIds, now],
  );
  const attempt = (eventId: string, more: Partial<AttemptRecord> = {}): AttemptRecord => ({
    organizationId,
    endpointId,
    eventId,
    startedAt: now.toISOString(),
    finishedAt: now.toISOString(),
    signatureStart: "0123abcd",
    durationMs: 1,
    statusCode: 204,
    problem: null,
    answer: "",
    roundAttempts: 0,
    retryInMs: 5_000,
    ...more,
  });
  return { organizationId, endpointId, eventIds, attempt };
}

describe("attempts that end at the same moment", () => {
  it("are all recorded, and each gets its own result, whatever the others' outcomes", async () => {
    const { eventIds, attempt, endpointId } = await arrange(40);
    const failed = { statusCode: 500, problem: "STATUS" } as const;
    const statuses = await Promise.all(
      [...eventIds, newId(new Date(0))].map(async (eventId, place) => {
        const more = [{}, failed, { ...failed, retryInMs: null }][place % 3];
        return (await recordAttempt(database.pool, attempt(eventId, more))).status;
      }),
    );
    const expected = eventIds.map((_id, place) => ["DELIVERED", "PENDING", "DEAD"][place % 3]);
    expect(statuses).toEqual([...expected, "FORGOTTEN"]);
    const { rows } = await database.pool.query(
      `select d.status, a.number, a.problem from webhook_deliveries d
         join webhook_attempts a using (organization_id, endpoint_id, event_id)
        where endpoint_id = $1 order by array_position($2::uuid[], d.event_id)`,
      [endpointId, eventIds],
    );
    expect(rows).toEqual(
      expected.map((status) => ({ status, number: 1, problem: status === "DELIVERED" ? null : "STATUS" })),
    );
  });

  it.each(["together", "one after the other"])(
    "for one delivery that arrived: %s, a later failure neither reopens it nor hides when it arrived",
    async (how) => {
      const { eventIds, attempt, endpointId } = await arrange(1);
      const [eventId = ""] = eventIds;
      const failed = attempt(eventId, { statusCode: 500, problem: "STATUS" });
      const record = (items: AttemptRecord[]) =>
        database.pool.query("select status from record_webhook_attempts($1)", [JSON.stringify(items)]);
      const read = async () => {
        const { rows } = await database.pool.query(
          `select status, due_at as "dueAt", attempts, delivered_at as "deliveredAt" from webhook_deliveries where endpoint_id = $1`,
          [endpointId],
        );
        return rows[0];
      };
      const arrived = attempt(eventId);
      const later = attempt(eventId, {
        finishedAt: new Date(Date.parse(arrived.finishedAt) + 1_000).toISOString(),
      });
      for (const items of how === "together" ? [[arrived, failed, later]] : [[arrived], [failed], [later]])
        await record(items);
      expect(await read()).toEqual({
        status: "DELIVERED",
        dueAt: null,
        attempts: 3,
        deliveredAt: new Date(arrived.finishedAt),
      });
    },
  );

  it("count even if another process is leasing the delivery again, because its lease expired", async () => {
    const { eventIds, attempt, endpointId } = await arrange(1);
    const [eventId = ""] = eventIds;
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query("update webhook_deliveries set leased_until = now() where endpoint_id = $1", [
          endpointId,
        ]),
      () => recordAttempt(database.pool, attempt(eventId)),
    );
    expect({ hasWaited, result }).toEqual({ hasWaited: true, result: { status: "DELIVERED" } });
    const { rows } = await database.pool.query(
      "select status, attempts, leased_until as leased from webhook_deliveries where endpoint_id = $1",
      [endpointId],
    );
    expect(rows, "not sent again").toEqual([{ status: "DELIVERED", attempts: 1, leased: null }]);
  });

  it("for one delivery, sent twice because its lease expired, are all recorded", async () => {
    const { eventIds, attempt, endpointId } = await arrange(1);
    const [eventId = ""] = eventIds;
    const ended = Array.from({ length: 6 }, () => recordAttempt(database.pool, attempt(eventId)));
    expect(await Promise.all(ended)).toEqual(ended.map(() => ({ status: "DELIVERED" })));
    const { rows } = await database.pool.query(
      "select number from webhook_attempts where endpoint_id = $1 order by number",
      [endpointId],
    );
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    const { rows: days } = await database.pool.query(
      "select sum(delivered)::int as delivered from webhook_days where endpoint_id = $1",
      [endpointId],
    );
    expect(days, "counted once each, even if a group was rolled back").toEqual([{ delivered: 6 }]);
  });
});
