import { describe, expect, it } from "vitest";
import { EVENT_RETENTION_DAYS } from "@/lib/contract/webhooks";
import { createEventDelivery } from "@/lib/core/webhooks/deliver-events";
import { forgetEvents } from "@/lib/core/webhooks/forget-events";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks, startReceiver } from "@/lib/testing/webhooks";

const DAY_MS = 86_400_000;

const database = useTestDatabase();

describe("what was sent", () => {
  it("is kept for thirty days of its organization's clock, then deleted completely in small batches", async () => {
    const { services, clock } = createTestServices(database);
    const organization = await createTestOrganization(database, services);
    const source = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 100_000 });
    // Outside: until the bank gets it, a transfer has one event.
    const destination = await organization.addAccount({
      name: "Checking",
      type: "EXTERNAL_ACCOUNT",
      balanceInCents: 1,
    });
    const key = await organization.addKey([moveAnything(false)]);
    const webhooks = createTestWebhooks();
    const receiver = await startReceiver(() => 204);
    await addEndpoint(services, webhooks, organization.organizationId, receiver.url);
    const delivery = createEventDelivery(services, webhooks);
    const moveAndDeliver = async () => {
      await askTransfer(services, key.context, {
        sourceAccountId: source,
        destinationAccountId: destination,
        amountInCents: 100,
      });
      await delivery.runBatch(10);
      await delivery.drain();
    };
    const count = async () => {
      const { rows } = await database.pool.query(
        `select (select count(*) from webhook_events where organization_id = $1)::int as events,
            (select count(*) from webhook_deliveries where organization_id = $1)::int as deliveries,
            (select count(*) from webhook_attempts where organization_id = $1)::int as attempts,
            (select count(*) from webhook_days where organization_id = $1)::int as days`,
        [organization.organizationId],
      );
      return rows[0];
    };
    for (let moved = 0; moved < 3; moved++) await moveAndDeliver();
    clock.advance(EVENT_RETENTION_DAYS * DAY_MS - 60_000);
    await moveAndDeliver();
    expect(await forgetEvents(services, 100), "before the thirty days are over").toBe(0);
    expect(await count()).toEqual({ events: 4, deliveries: 4, attempts: 4, days: 2 });

    clock.advance(3 * DAY_MS);
    expect(await forgetEvents(services, 2), "two events with their deliveries and attempts").toBe(6);
    expect(await count()).toEqual({ events: 2, deliveries: 2, attempts: 2, days: 1 });
    // As a version would that relied on a foreign key for the attempts.
    await database.pool.query(
      "delete from webhook_deliveries where organization_id = $1 and event_id in (select event_id from webhook_deliveries order by event_id limit 1)",
      [organization.organizationId],
    );
    expect(await count()).toEqual({ events: 2, deliveries: 1, attempts: 2, days: 1 });
    await forgetEvents(services, 2);
    expect(await count()).toEqual({ events: 1, deliveries: 1, attempts: 1, days: 1 });
    await receiver.close();
  });
});
