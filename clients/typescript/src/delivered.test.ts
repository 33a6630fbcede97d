/**
 * What the worker really delivers, of transfers that were really made, read by receivers that are not its own: Stripe's
 * library, which knows the same scheme and nothing of Sluice, and the client of this package.
 */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEventDelivery } from "@/lib/core/webhooks/deliver-events";
import { moveAnything } from "@/lib/testing/api";
import { askTransfer } from "@/lib/testing/ask-transfer";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks, startReceiver } from "@/lib/testing/webhooks";
import {
  createMemorySeenEvents,
  createWebhookReceiver,
  type ReceivedEvent,
  toNodeListener,
} from "./index.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** An organization that makes transfers, and the worker that tells of them. */
async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const sourceAccountId = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
  });
  const destinationAccountId = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([moveAnything(false)]);
  const webhooks = createTestWebhooks();
  const delivery = createEventDelivery(services, webhooks);
  return {
    clock,
    listen: (url: string) => addEndpoint(services, webhooks, organization.organizationId, url),
    move: () =>
      askTransfer(services, key.context, { sourceAccountId, destinationAccountId, amountInCents: 1_000 }),
    deliver: async () => {
      const started = await delivery.runBatch(16);
      await delivery.drain();
      return started;
    },
  };
}

describe("Stripe's library", () => {
  async function receiveOne() {
    const { clock, listen, move, deliver } = await arrange();
    const receiver = await startReceiver(() => 204);
    try {
      const { secret } = await listen(receiver.url);
      const transfer = await move();
      expect(await deliver()).toBe(1);
      const [delivery] = receiver.received;
      const header = delivery?.headers["x-service-signature"];
      if (!delivery || typeof header !== "string") throw new Error("Nothing arrived");
      return { transfer, secret, body: delivery.body, header, sentAtMs: clock.now().getTime() };
    } finally {
      await receiver.close();
    }
  }

  it("verifies what was delivered, and refuses it altered, with another secret, and 301 s later", async () => {
    const { transfer, secret, body, header, sentAtMs } = await receiveOne();
    const read = (changed: { body?: string; secret?: string; afterMs?: number }) =>
      Stripe.webhooks.constructEvent(
        changed.body ?? body,
        header,
        changed.secret ?? secret,
        300,
        undefined,
        sentAtMs + (changed.afterMs ?? 0),
      );
    expect(read({})).toMatchObject({
      type: "transfer.changed",
      resource: { type: "transfer", id: transfer.id },
    });
    expect(read({ afterMs: 300_000 })).toMatchObject({ type: "transfer.changed" });
    const { StripeSignatureVerificationError } = Stripe.errors;
    for (const changed of [
      { body: body.replace("transfer", "Transfer") },
      { body: `${body} ` },
      { secret: `${secret}0` },
      { afterMs: 301_000 },
    ])
      expect(() => read(changed), JSON.stringify(changed)).toThrow(StripeSignatureVerificationError);
  });
});

describe("the client's receiver", () => {
  let server: Server | undefined;
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it("gets each event once: after its handler failed again, after it succeeded not", async () => {
    const { clock, listen, move, deliver } = await arrange();
    const handled: ReceivedEvent[] = [];
    const failures: unknown[] = [];
    const secrets: string[] = ["not known before the endpoint is there"];
    const now = () => clock.now().getTime();
    const seen = createMemorySeenEvents({ now });
    const receive = (request: Request) =>
      createWebhookReceiver({
        secrets,
        now,
        seen,
        onEvent: (event) => {
          if (failures.length === 0) throw new Error("database is away");
          handled.push(event);
        },
        onError: (error) => failures.push(error),
      })(request);
    server = createServer(toNodeListener(receive)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
    const endpoint = await listen(`http://127.0.0.1:${address.port}/hooks`);
    secrets.push(endpoint.secret);

    const transfer = await move();
    expect(await deliver()).toBe(1);
    expect([handled.length, failures.length]).toEqual([0, 1]);
    clock.advance(5_000);
    expect(await deliver()).toBe(1);
    expect(handled).toMatchObject([{ type: "transfer.changed", resource: { id: transfer.id } }]);

    // As a process would that died before it noted the answer.
    await database.ownerPool.query(
      `update webhook_deliveries set status = 'PENDING', due_at = $2, delivered_at = null where event_id = $1`,
      [handled[0]?.id, clock.now()],
    );
    expect(await deliver()).toBe(1);
    expect([handled.length, failures.length]).toEqual([1, 1]);
    expect(await deliver(), "the duplicate counts as received").toBe(0);
  });
});
