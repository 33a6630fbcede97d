/**
 * What the worker really delivers, of transfers that were really made, read by receivers that are not its own: Stripe's
 * library, which knows the same scheme and nothing of Sluice, and the client of this package.
 */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import Stripe from "stripe";
import { afterAll, describe, expect, it } from "vitest";
import { useTestDatabase } from "@/lib/testing/database";
import { addEndpoint, arrangeWebhooks, startReceiver } from "@/lib/testing/webhooks";
import {
  createMemorySeenEvents,
  createWebhookReceiver,
  type ReceivedEvent,
  toNodeListener,
} from "./index.js";

const database = useTestDatabase();

describe("Stripe's library", () => {
  async function receiveOne() {
    const { services, setting, organizationId, clock, move, deliver } = await arrangeWebhooks(database);
    const receiver = await startReceiver(() => 204);
    try {
      const { secret } = await addEndpoint(services, setting, organizationId, receiver.url);
      const transferId = await move();
      expect(await deliver()).toBe(1);
      const [delivery] = receiver.received;
      const header = delivery?.headers["x-service-signature"];
      if (!delivery || typeof header !== "string") throw new Error("Nothing arrived");
      return { transferId, secret, body: delivery.body, header, sentAtMs: clock.now().getTime() };
    } finally {
      await receiver.close();
    }
  }

  it("verifies what was delivered, and refuses it altered, with another secret, and 301 s later", async () => {
    const { transferId, secret, body, header, sentAtMs } = await receiveOne();
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
      resource: { type: "transfer", id: transferId },
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
    const { services, setting, organizationId, clock, move, deliver } = await arrangeWebhooks(database);
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
    const url = `http://127.0.0.1:${address.port}/hooks`;
    const endpoint = await addEndpoint(services, setting, organizationId, url);
    secrets.push(endpoint.secret);

    const transferId = await move();
    expect(await deliver()).toBe(1);
    expect([handled.length, failures.length]).toEqual([0, 1]);
    clock.advance(5_000);
    expect(await deliver()).toBe(1);
    expect(handled).toMatchObject([{ type: "transfer.changed", resource: { id: transferId } }]);

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
