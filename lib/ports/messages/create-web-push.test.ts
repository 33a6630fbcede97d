import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { createWebPush, derivePushKeys, pushSubject } from "@/lib/ports/messages/create-web-push";
import { MessageNotSent, type OutgoingPush, SUBSCRIPTION_ENDED } from "@/lib/ports/messages/message-ports";
import { createWebhookSender, type SenderSeams } from "@/lib/ports/webhooks/create-webhook-sender";
import {
  createTestDevice,
  createTestPush,
  startPushService,
  type TestPushService,
} from "@/lib/testing/push/push-service";

let service: TestPushService;
beforeEach(async () => {
  service = await startPushService();
});
afterEach(() => service.close());

const SECRET = "a product secret of tests";

function message(subscription: OutgoingPush["subscription"]): OutgoingPush {
  return {
    subscription,
    payload: '{"title":"$1,250.00 to Payroll needs your decision"}',
    keepSeconds: 3_600,
    isUrgent: true,
    topic: createHash("sha256").update("a proposal").digest("base64url").slice(0, 32),
  };
}

/** As in production: https and public addresses only. */
function guardedPush(seams: SenderSeams = {}) {
  const sender = createWebhookSender({ allowsPrivate: false }, seams);
  return createWebPush({ identity: derivePushKeys(SECRET), subject: "mailto:operator@example.com", sender });
}

async function failureOf(sending: Promise<unknown>): Promise<MessageNotSent> {
  try {
    await sending;
  } catch (error) {
    if (error instanceof MessageNotSent) return error;
    throw error;
  }
  throw new Error("was sent");
}

describe("a notification", () => {
  it("reaches a push service signed, and only its device can read it", async () => {
    const device = createTestDevice(service.origin);
    const other = createTestDevice(service.origin);
    const sent = message(device.subscription);
    await createTestPush().port.send(sent);
    expect(service.received).toHaveLength(1);
    const [push] = service.received;
    if (!push) throw new Error("Nothing arrived");
    expect(push.token).toBe(device.token);
    expect(push.headers).toMatchObject({ ttl: "3600", urgency: "high", topic: sent.topic });
    expect(push.body.toString("latin1")).not.toContain("Payroll");
    expect(device.decrypt(push.body)).toBe(sent.payload);
    expect(() => other.decrypt(push.body)).toThrow();
  });

  it.each([
    [404, "PERMANENT", SUBSCRIPTION_ENDED],
    [410, "PERMANENT", SUBSCRIPTION_ENDED],
    [413, "PERMANENT", "413"],
    [301, "PERMANENT", "301"],
    [403, "TEMPORARY", "403"],
    [429, "TEMPORARY", "429"],
    [503, "TEMPORARY", "503"],
  ] as const)("answered with %i fails as %s", async (status, kind, code) => {
    const device = createTestDevice(service.origin);
    service.answerWith(device.token, status);
    const failure = await failureOf(createTestPush().port.send(message(device.subscription)));
    expect(failure).toMatchObject({ kind, code });
    // Anyone who has the endpoint can send to the device.
    expect(failure.message).not.toContain(device.token);
  });

  it("to a push service that is down is tried again", async () => {
    const device = createTestDevice(service.origin);
    await service.close();
    const failure = await failureOf(createTestPush().port.send(message(device.subscription)));
    expect(failure).toMatchObject({ kind: "TEMPORARY", code: "CONNECTION" });
    service = await startPushService();
  });
});

describe("an endpoint that leads to this server's own network", () => {
  it.each([
    "http://push.example/x",
    "https://127.0.0.1/x",
    "https://[::1]/x",
    "https://169.254.169.254/latest/meta-data",
    "https://10.0.0.8:9200/_search",
    "https://localhost/x",
    "https://user:secret@push.example/x",
    "file:///etc/passwd",
    "not an address",
  ])("%s cannot be registered, nor called if it is stored", async (endpoint) => {
    const { subscription } = createTestDevice(service.origin);
    const push = guardedPush({ resolve: async () => ["93.184.215.14"] });
    const hostile = { ...subscription, endpoint };
    if (endpoint !== "https://localhost/x") expect(await push.check(hostile)).not.toBeNull();
    if (URL.canParse(endpoint)) {
      const local = guardedPush({ resolve: async () => ["127.0.0.1"] });
      expect(await failureOf(local.send(message(hostile)))).toMatchObject({
        kind: "PERMANENT",
        code: "ADDRESS",
      });
    }
  });

  it("is refused also when its name resolves there only later", async () => {
    const { subscription } = createTestDevice(service.origin);
    const addresses = [["93.184.215.14"], ["127.0.0.1"]];
    const push = guardedPush({ resolve: async () => addresses.shift() ?? ["127.0.0.1"] });
    const rebinding = { ...subscription, endpoint: "https://push.example/x" };
    expect(await push.check(rebinding)).toBeNull();
    expect(await failureOf(push.send(message(rebinding)))).toMatchObject({ code: "ADDRESS" });
  });
});

it("a key that is not on the curve is refused before anything is encrypted for it", async () => {
  const { subscription } = createTestDevice(service.origin);
  const p256dh = Buffer.alloc(65, 4).toString("base64url");
  const forged = { ...subscription, keys: { ...subscription.keys, p256dh } };
  expect(await createTestPush().port.check(forged)).toBe("The browser sent an unusable key.");
});

describe("this server's key", () => {
  it("is the same in every process with the same secret, and another with another", () => {
    expect(derivePushKeys(SECRET)).toEqual(derivePushKeys(SECRET));
    expect(derivePushKeys("another secret").publicKey).not.toBe(derivePushKeys(SECRET).publicKey);
    // Devices registered with it would be lost if it ever changed.
    expect(derivePushKeys(SECRET).publicKey).toBe(PUBLIC_KEY_OF_SECRET);
  });
});

const PUBLIC_KEY_OF_SECRET =
  "BAG0E4ACE7CZ-h9Ah2Z9U_uLJtc9sp6K05VR0KYoCmzVZ76Nyd55j1MQ9KWfgtKVplc68SjxrsHKTL_Y09T3BcM";

test.each([
  [
    { supportEmail: "help@example.com", appUrl: "https://sluice.example", mailFrom: "x@y" },
    "mailto:help@example.com",
  ],
  [{ supportEmail: null, appUrl: "https://sluice.example", mailFrom: "x@y" }, "https://sluice.example"],
  [
    { supportEmail: null, appUrl: "http://localhost:3000", mailFrom: "Sluice <sluice@localhost>" },
    "mailto:sluice@localhost",
  ],
  [
    { supportEmail: null, appUrl: "http://localhost:3000", mailFrom: "me@example.com" },
    "mailto:me@example.com",
  ],
])("push services reach the operator of %o at %s", (config, subject) => {
  expect(pushSubject(config)).toBe(subject);
});
