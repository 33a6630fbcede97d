/**
 * Goal: only Increase wakes the polling, and only that happens. Method: webhooks as Increase's emulator signs them, and
 * every way in which one can be forged, old, too large or not expected.
 */
import { once } from "node:events";
import { serve } from "@hono/node-server";
import Increase from "increase";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { createHooks } from "@/lib/api/hooks/app";
import { openBankWebhooks } from "@/lib/api/hooks/bank-webhook";
import { MAXIMUM_BODY_BYTES } from "@/lib/contract/limits";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { COLLECT_BANK_NOTICES } from "@/lib/core/shared/work-names";
import { systemClock } from "@/lib/platform/clock";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestServices } from "@/lib/testing/services";
import { openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

const SECRET = "a shared secret of tests";
const PATH = "/hooks/bank/increase";

const database = useTestDatabase();

function arrange(secret: string | null = SECRET) {
  const { services, woken } = createTestServices(database);
  const hooks = createHooks(
    { ...services, audit: createAuditWriter(services) },
    openBankWebhooks({ increase: { webhookSecret: secret }, mercury: null }),
  );
  const send = (body: string, headers: Record<string, string> = {}) =>
    hooks.request(PATH, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
  return { hooks, send, woken };
}

function signed(body: string, { secret = SECRET, ageMs = 0 } = {}) {
  const at = new Date(systemClock.now().getTime() - ageMs);
  const signer = new Webhook(`whsec_${Buffer.from(secret).toString("base64")}`);
  return {
    "webhook-id": "event_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": signer.sign("event_1", at, body),
  };
}

const BODY = JSON.stringify({ id: "event_1", category: "ach_transfer.updated", type: "event" });

test("a signed webhook wakes the polling and nothing else, however often it comes", async () => {
  const { send, woken } = arrange();
  for (const _ of [1, 2]) {
    const response = await send(BODY, signed(BODY));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ received: true });
  }
  expect(woken).toEqual([COLLECT_BANK_NOTICES, COLLECT_BANK_NOTICES]);
});

test("what Increase's own emulator sends is accepted", async () => {
  const { hooks, woken } = arrange();
  const server = serve({ fetch: (request) => hooks.fetch(request), hostname: "127.0.0.1", port: 0 });
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const emulator = await openIncreaseEmulator({
    startsAt: systemClock.now(),
    apiKey: "emulated",
    openingInCents: 0,
  });
  onTestFinished(() => emulator.close());
  const increase = new Increase({ apiKey: "emulated", baseURL: emulator.url, maxRetries: 0 });
  await increase.eventSubscriptions.create({
    url: `http://127.0.0.1:${address.port}${PATH}`,
    shared_secret: SECRET,
  });
  const account = await increase.accounts.create({ name: "Sluice" });
  const number = await increase.accountNumbers.create({ account_id: account.id, name: "Income" });
  await increase.simulations.inboundACHTransfers.create({ account_number_id: number.id, amount: 100 });
  expect(woken).toContain(COLLECT_BANK_NOTICES);
});

test.each([
  ["without a signature", {}],
  ["signed with another secret", signed(BODY, { secret: "another secret of tests" })],
  ["signed over another body", signed(`${BODY} `)],
  ["six minutes old", signed(BODY, { ageMs: 6 * 60_000 })],
  ["from the future", signed(BODY, { ageMs: -6 * 60_000 })],
  ["with a time that is none", { ...signed(BODY), "webhook-timestamp": "soon" }],
])("one %s is refused and wakes nothing", async (_, headers) => {
  const { send, woken } = arrange();
  const response = await send(BODY, headers);
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ error: { code: "UNAUTHORIZED" } });
  expect(woken).toEqual([]);
});

test("a larger body than any request may have is refused before it is hashed", async () => {
  const { send, woken } = arrange();
  const body = "x".repeat(MAXIMUM_BODY_BYTES + 1);
  expect((await send(body, signed(body))).status).toBe(413);
  expect(woken).toEqual([]);
});

test("a body that is no JSON is refused even when it is signed", async () => {
  const { send, woken } = arrange();
  expect((await send("not json", signed("not json"))).status).toBe(401);
  expect(woken).toEqual([]);
});

test("without a secret there is no such address, nor another method of it", async () => {
  expect((await arrange(null).send(BODY, signed(BODY))).status).toBe(404);
  expect((await arrange().hooks.request(PATH)).status).toBe(404);
});
