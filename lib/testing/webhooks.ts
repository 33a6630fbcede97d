import { createServer, type IncomingHttpHeaders } from "node:http";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { createEventDelivery } from "@/lib/core/webhooks/deliver-events";
import { makeSigningSecret, secretContext, secretHint } from "@/lib/core/webhooks/sign-delivery";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import { createEncryption } from "@/lib/platform/encryption";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { createWebhookSender } from "@/lib/ports/webhooks/create-webhook-sender";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import type { TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

/** An endpoint of an organization, for tests of what happens to it. @returns its id and its secret */
export async function addEndpoint(
  services: Pick<Services, "pool" | "clock">,
  { secrets }: WebhookSetting,
  organizationId: string,
  url: string,
): Promise<{ id: string; secret: string }> {
  const now = services.clock.now();
  const id = newId(now);
  const secret = makeSigningSecret();
  await services.pool.query(
    `insert into webhook_endpoints (organization_id, id, url, sealed_secret, secret_hint, status, created_at)
     values ($1, $2, $3, $4, $5, 'ENABLED', $6)`,
    [
      organizationId,
      id,
      url,
      secrets.encrypt(secret, secretContext(organizationId, id)),
      secretHint(secret),
      now,
    ],
  );
  return { id, secret };
}

/** Delivers for real, but only to receivers on this machine: every host resolves to it. */
export function createTestWebhooks(): WebhookSetting {
  return {
    sender: createWebhookSender({ allowsPrivate: true }, { resolve: async () => ["127.0.0.1"] }),
    secrets: createEncryption("a secret of tests that has enough characters", "webhook signing secrets"),
    allowsPrivate: true,
  };
}

export interface ReceivedDelivery {
  headers: IncomingHttpHeaders;
  /** Byte for byte, as UTF-8. */
  body: string;
}

export interface TestReceiver {
  url: string;
  received: ReceivedDelivery[];
  close(): Promise<void>;
}

type Answer = number | null | { status: number; headers: Record<string, string> };

/** A receiver on its own port. `answer`: the status for each delivery, immediately or later; null never answers. */
export async function startReceiver(
  answer: (delivery: ReceivedDelivery, place: number) => Answer | Promise<Answer>,
): Promise<TestReceiver> {
  const received: ReceivedDelivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const delivery = { headers: request.headers, body: Buffer.concat(chunks).toString("utf8") };
      received.push(delivery);
      const answered = await answer(delivery, received.length - 1);
      if (typeof answered === "number") response.writeHead(answered).end();
      else if (answered !== null) response.writeHead(answered.status, answered.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An organization whose changes go to receivers of the test, on a clock that the test moves. */
export async function arrangeWebhooks(database: TestDatabase) {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const source = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 1_000_000 });
  // Outside: until the bank gets it, a transfer has one event. Between own accounts it would have two at once.
  const destination = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 1,
  });
  const key = await organization.addKey([moveAnything(false)]);
  const setting = createTestWebhooks();
  const delivery = createEventDelivery(services, setting);
  const { organizationId } = organization;

  /**
   * One change, so one event per endpoint; simulations emit none. A millisecond after the previous one: within one
   * millisecond, events have no order. @returns the transfer's id
   */
  async function move(options: { simulation?: true } = {}): Promise<string> {
    clock.advance(1);
    const transfer = await askTransfer(services, key.context, {
      sourceAccountId: source,
      destinationAccountId: destination,
      amountInCents: 1_000,
      ...options,
    });
    return transfer.id;
  }

  /** Delivers everything due at this moment. @returns the number of attempts */
  async function deliver(): Promise<number> {
    let count = 0;
    for (let round = 0; round < 100; round++) {
      const started = await delivery.runBatch(128);
      await delivery.drain();
      count += started;
      if (started === 0) return count;
    }
    throw new Error("Deliveries never stop being due");
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
    /** What is stored about the deliveries to an endpoint, oldest first. */
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
