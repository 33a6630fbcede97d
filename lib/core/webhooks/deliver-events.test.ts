/**
 * Events of real changes, sent by the worker's own code to local receivers, on a clock that the test moves.
 */
import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { MAXIMUM_ATTEMPTS, RETRY_DELAYS_MS, webhookEventSchema } from "@/lib/contract/webhooks";
import { claimDeliveries } from "@/lib/core/webhooks/claim-deliveries";
import { createEventDelivery } from "@/lib/core/webhooks/deliver-events";
import { createEncryption } from "@/lib/platform/encryption";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks, startReceiver, type TestReceiver } from "@/lib/testing/webhooks";

const DAY_MS = 86_400_000;

const database = useTestDatabase();

const receivers: TestReceiver[] = [];
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  // Endpoints of one test would be retried in the next.
  await database.ownerPool.query(
    "update webhook_endpoints set status = 'DELETED', sealed_secret = null, deleted_at = created_at where status <> 'DELETED'",
  );
});

async function receive(answer: Parameters<typeof startReceiver>[0]): Promise<TestReceiver> {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const source = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 1_000_000 });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 1,
  });
  const key = await organization.addKey([moveAnything(false)]);
  const webhooks = createTestWebhooks();
  const delivery = createEventDelivery(services, webhooks);
  return {
    services,
    clock,
    organization,
    listen: (url: string) => addEndpoint(services, webhooks, organization.organizationId, url),
    taxes,
    /** To the outside, which is one event until the bank gets it; between own accounts it is two. */
    move: (destinationAccountId = checking) =>
      askTransfer(services, key.context, {
        sourceAccountId: source,
        destinationAccountId,
        amountInCents: 1_000,
      }),
    /** Delivers everything that is due now. */
    deliver: async () => {
      let count = 0;
      for (let round = 0; round < 100; round++) {
        const started = await delivery.runBatch(128);
        await delivery.drain();
        count += started;
        if (started === 0) return count;
      }
      throw new Error("Deliveries never stop being due");
    },
    deliveries: async (endpointId: string) => {
      const { rows } = await database.pool.query(
        `select status, attempts, due_at, last_status_code, last_problem from webhook_deliveries
          where organization_id = $1 and endpoint_id = $2 order by event_id`,
        [organization.organizationId, endpointId],
      );
      return rows;
    },
    endpoint: async (endpointId: string) => {
      const { rows } = await database.pool.query(
        "select * from webhook_endpoints where organization_id = $1 and id = $2",
        [organization.organizationId, endpointId],
      );
      return rows[0];
    },
  };
}

describe("an event", () => {
  it("is sent for a transfer's creation and booking, signed as specified", async () => {
    const scene = await arrange();
    const receiver = await receive(() => 204);
    const { secret } = await scene.listen(receiver.url);
    const transfer = await scene.move(scene.taxes);
    expect(await scene.deliver()).toBe(2);

    expect(receiver.received).toHaveLength(2);
    for (const { headers, body } of receiver.received) {
      const event = webhookEventSchema.parse(JSON.parse(body));
      expect(event.type).toBe("transfer.changed");
      expect(event.resource).toEqual({ type: "transfer", id: transfer.id });
      expect(headers["x-service-event-id"]).toBe(event.id);
      const signature = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-service-signature"]));
      const t = Math.floor(scene.clock.now().getTime() / 1_000);
      expect(Number(signature?.[1])).toBe(t);
      expect(signature?.[2]).toBe(createHmac("sha256", secret).update(`${t}.${body}`).digest("hex"));
    }
  });

  it("reaches only endpoints of its own organization that existed when it happened", async () => {
    const [ours, theirs] = [await arrange(), await arrange()];
    const [here, there, late] = [
      await receive(() => 200),
      await receive(() => 200),
      await receive(() => 200),
    ];
    await ours.listen(here.url);
    await theirs.listen(there.url);
    await ours.move();
    await ours.listen(late.url);
    await ours.deliver();
    expect(here.received).toHaveLength(1);
    expect(there.received).toHaveLength(0);
    expect(late.received).toHaveLength(0);
  });
});

describe("a queue", () => {
  it.each(["busy", "idle"])(
    "of a receiver that is %s is looked through again, and what was committed late is sent",
    async (state) => {
      const scene = await arrange();
      let release: (status: number) => void = () => undefined;
      const held = new Promise<number>((resolve) => {
        release = resolve;
      });
      const receiver = await receive(() => held);
      await scene.listen(receiver.url);
      const process = createEventDelivery(scene.services, createTestWebhooks());
      if (state === "busy") await scene.move();
      expect(await process.runBatch(10)).toBe(state === "busy" ? 1 : 0);
      await scene.move();
      await database.ownerPool.query(
        `update webhook_deliveries set due_at = due_at - interval '1 minute'
        where organization_id = $1 and status = 'PENDING' and leased_until is null`,
        [scene.organization.organizationId],
      );
      scene.clock.advance(999);
      expect(await process.runBatch(10), "the next look begins where the last one ended").toBe(0);
      scene.clock.advance(1);
      expect(await process.runBatch(10), "a second later it begins at the queue's beginning").toBe(1);
      release(204);
      await process.drain();
      expect(receiver.received).toHaveLength(state === "busy" ? 2 : 1);
    },
  );
});

describe("two processes", () => {
  it("never send the same delivery at once: each event is sent once while nothing fails", async () => {
    const scene = await arrange();
    const receiver = await receive(() => 204);
    await scene.listen(receiver.url);
    for (let moved = 0; moved < 100; moved++) await scene.move();
    const processes = Array.from({ length: 4 }, () =>
      createEventDelivery(scene.services, createTestWebhooks()),
    );
    for (let round = 0; round < 100 && receiver.received.length < 100; round++) {
      await Promise.all(processes.map((one) => one.runBatch(16)));
      await Promise.all(processes.map((one) => one.drain()));
    }
    const ids = receiver.received.map(({ headers }) => headers["x-service-event-id"]);
    expect(ids).toHaveLength(100);
    expect(new Set(ids).size).toBe(100);
  });

  it("send what a crashed one had leased once the lease expires, and not before", async () => {
    const scene = await arrange();
    const receiver = await receive(() => 204);
    const { id } = await scene.listen(receiver.url);
    await scene.move();
    const claim = () =>
      claimDeliveries(
        database.pool,
        scene.clock.now(),
        { busy: new Map(), lookedThrough: null },
        {
          total: 10,
          perEndpoint: 10,
          unrecordedPerEndpoint: 10,
          perFailingEndpoint: 10,
          leaseMs: 30_000,
        },
      );
    expect(await claim()).toHaveLength(1);
    scene.clock.advance(29_999);
    expect(await scene.deliver()).toBe(0);
    // Expired leases are looked for every second.
    scene.clock.advance(1_000);
    expect(await scene.deliver()).toBe(1);
    expect(await scene.deliveries(id)).toMatchObject([{ status: "DELIVERED", attempts: 1 }]);
  });
});

describe("a receiver that fails", () => {
  it("gets eight attempts within a day, at the scheduled times only, and then the delivery fails", async () => {
    const scene = await arrange();
    const receiver = await receive(() => 503);
    const { id } = await scene.listen(receiver.url);
    await scene.move();
    const began = scene.clock.now();
    await scene.deliver();
    for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
      expect(receiver.received).toHaveLength(index + 1);
      scene.clock.advance(Math.floor(delayMs * 0.9) - 1);
      expect(await scene.deliver(), "jitter shortens by at most a tenth").toBe(0);
      scene.clock.advance(delayMs - Math.floor(delayMs * 0.9) + 1);
      expect(await scene.deliver(), "jitter never lengthens").toBe(1);
    }
    expect(receiver.received).toHaveLength(MAXIMUM_ATTEMPTS);
    expect(scene.clock.now().getTime() - began.getTime()).toBeLessThan(DAY_MS);
    expect(await scene.deliveries(id)).toMatchObject([
      {
        status: "DEAD",
        attempts: MAXIMUM_ATTEMPTS,
        due_at: null,
        last_status_code: 503,
        last_problem: "STATUS",
      },
    ]);
    const ids = new Set(receiver.received.map(({ headers }) => headers["x-service-event-id"]));
    const signatures = new Set(receiver.received.map(({ headers }) => headers["x-service-signature"]));
    expect(ids.size, "every attempt names the same event").toBe(1);
    expect(signatures.size, "every attempt has a new signature").toBe(MAXIMUM_ATTEMPTS);
  });

  it.each([
    ["seconds", () => "60", 60_000],
    ["more than the next step", () => "86400", RETRY_DELAYS_MS[1]],
    ["less than the schedule", () => "1", RETRY_DELAYS_MS[0]],
    ["what nobody can read", () => "soon", RETRY_DELAYS_MS[0]],
  ])("is left alone as long as it asks for with Retry-After: %s", async (_, header, delayMs) => {
    const scene = await arrange();
    const receiver = await receive(() => ({ status: 503, headers: { "Retry-After": header() } }));
    const { id } = await scene.listen(receiver.url);
    await scene.move();
    const began = scene.clock.now().getTime();
    await scene.deliver();
    const [{ due_at: dueAt }] = await scene.deliveries(id);
    const isScheduled = delayMs === RETRY_DELAYS_MS[0];
    expect(dueAt.getTime() - began).toBeLessThanOrEqual(delayMs);
    expect(dueAt.getTime() - began).toBeGreaterThanOrEqual(isScheduled ? delayMs * 0.9 : delayMs);
    scene.clock.advance(delayMs);
    expect(await scene.deliver()).toBe(1);
  });

  it("is switched off after five days of only failures, and owners are notified", async () => {
    const scene = await arrange();
    const receiver = await receive(() => 500);
    const { id } = await scene.listen(receiver.url);
    for (let day = 0; day < 5; day++) {
      await scene.move();
      await scene.deliver();
      expect((await scene.endpoint(id)).status).toBe("ENABLED");
      scene.clock.advance(DAY_MS);
    }
    await scene.deliver();
    expect(await scene.endpoint(id)).toMatchObject({ status: "DISABLED", disabled_because: "FAILING" });
    const { rows } = await database.pool.query(
      "select kind, subject_id from notices where organization_id = $1 and kind = 'ENDPOINT_DISABLED'",
      [scene.organization.organizationId],
    );
    expect(rows).toEqual([{ kind: "ENDPOINT_DISABLED", subject_id: id }]);
    expect(await scene.deliver(), "one that is switched off gets nothing").toBe(0);
  });

  it("is not switched off if one delivery in between succeeds", async () => {
    const scene = await arrange();
    let isUp = false;
    const receiver = await receive(() => (isUp ? 200 : 500));
    const { id } = await scene.listen(receiver.url);
    for (let day = 0; day < 8; day++) {
      isUp = day === 3;
      await scene.move();
      await scene.deliver();
      scene.clock.advance(DAY_MS);
    }
    expect((await scene.endpoint(id)).status).toBe("ENABLED");
  });

  it("is switched off at once when it answers 410 Gone", async () => {
    const scene = await arrange();
    const receiver = await receive(() => 410);
    const { id } = await scene.listen(receiver.url);
    await scene.move();
    await scene.deliver();
    expect(await scene.endpoint(id)).toMatchObject({ status: "DISABLED", disabled_because: "GONE" });
  });

  it("gets no request if its secret cannot be decrypted, and its history says so", async () => {
    const scene = await arrange();
    const receiver = await receive(() => 200);
    const { id } = await scene.listen(receiver.url);
    await database.ownerPool.query("update webhook_endpoints set sealed_secret = $2 where id = $1", [
      id,
      createEncryption("the secret of another server, long enough", "webhook signing secrets").encrypt(
        "whsec_x",
        id,
      ),
    ]);
    await scene.move();
    await scene.deliver();
    expect(receiver.received).toHaveLength(0);
    expect(await scene.deliveries(id)).toMatchObject([
      { status: "PENDING", attempts: 1, last_problem: "SECRET" },
    ]);
  });

  it("does not block deliveries to others, however many of its own wait", async () => {
    const scene = await arrange();
    const silent = await receive(() => null);
    const prompt = await receive(() => 200);
    const { id: silentId } = await scene.listen(silent.url);
    await scene.listen(prompt.url);
    for (let moved = 0; moved < 60; moved++) await scene.move();
    const delivery = createEventDelivery(scene.services, createTestWebhooks());
    await vi.waitUntil(
      async () => {
        await delivery.runBatch(128);
        return prompt.received.length >= 60;
      },
      { timeout: 20_000, interval: 1 },
    );
    expect(silent.received.length).toBeLessThanOrEqual(32);
    const ended = (await scene.deliveries(silentId)).filter(({ attempts }) => attempts > 0);
    expect(ended, "no attempt to the silent one has ended").toEqual([]);
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
    await delivery.drain();
  });

  it("gets a bounded number of unrecorded deliveries, each once, even while recording is slow", async () => {
    const scene = await arrange();
    const receiver = await receive(() => 200);
    const { id } = await scene.listen(receiver.url);
    for (let moved = 0; moved < 160; moved++) await scene.move();
    const delivery = createEventDelivery(scene.services, createTestWebhooks());
    const client = await database.ownerPool.connect();
    try {
      await client.query("begin");
      // Recording an attempt locks its endpoint first.
      await client.query("select from webhook_endpoints where id = $1 for update", [id]);
      await vi.waitUntil(
        async () => (await delivery.runBatch(128)) === 0 && receiver.received.length >= 128,
        20_000,
      );
      expect(await delivery.runBatch(128)).toBe(0);
      expect(receiver.received).toHaveLength(128);
    } finally {
      await client.query("rollback");
      client.release();
    }
    await delivery.drain();
    await scene.deliver();
    expect(new Set(receiver.received.map(({ headers }) => headers["x-service-event-id"])).size).toBe(160);
    expect(receiver.received).toHaveLength(160);
  });
});
