import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { createEventDelivery } from "@/lib/core/webhooks/deliver-events";
import { moveAnything } from "@/lib/testing/api";
import { askTransfer } from "@/lib/testing/ask-transfer";
import type { TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { createTestWebhooks } from "@/lib/testing/webhooks";

/** An organization whose changes are sent to receivers of the test, on a clock that the test moves. */
export async function arrangeWebhooks(database: TestDatabase) {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const source = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 1_000_000 });
  const destination = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([moveAnything(false)]);
  const setting = createTestWebhooks();
  const delivery = createEventDelivery(services, setting);
  const { organizationId } = organization;

  /** One change, so one event to each endpoint that there is; a simulation is none. @returns the transfer's id. */
  async function move(options: { simulation?: true } = {}): Promise<string> {
    const transfer = await askTransfer(services, key.context, {
      sourceAccountId: source,
      destinationAccountId: destination,
      amountInCents: 1_000,
      ...options,
    });
    return transfer.id;
  }

  /** Everything that is due at this moment, to its end. @returns how many attempts were made. */
  async function deliver(): Promise<number> {
    let count = 0;
    for (let round = 0; round < 100; round++) {
      const started = await delivery.runBatch(128);
      await delivery.drain();
      count += started;
      if (started === 0) return count;
    }
    throw new Error("Deliveries are due without end");
  }

  return {
    services,
    clock,
    woken,
    organization,
    organizationId,
    setting,
    delivery,
    move,
    deliver,
    book: () => bookDueTransfers(services, 64),
    /** The owner as of now. */
    owner: () => ({ ...organization.owner, now: clock.now() }),
    time: () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" }),
    /** What is stored of the deliveries to an endpoint, oldest first. */
    deliveries: async (endpointId: string) => {
      const { rows } = await database.pool.query(
        "select * from webhook_deliveries where organization_id = $1 and endpoint_id = $2 order by event_id",
        [organizationId, endpointId],
      );
      return rows;
    },
    endpoint: async (endpointId: string) => {
      const { rows } = await database.pool.query(
        "select * from webhook_endpoints where organization_id = $1 and id = $2",
        [organizationId, endpointId],
      );
      return rows[0];
    },
  };
}

export type WebhookScene = Awaited<ReturnType<typeof arrangeWebhooks>>;
