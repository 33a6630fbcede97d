/** Resending failed and waiting deliveries: nothing is lost, and nothing is sent that should not be. */
import { afterEach, describe, expect, it } from "vitest";
import {
  EVENT_RETENTION_DAYS,
  MAXIMUM_ATTEMPTS,
  RETRY_DELAYS_MS,
  webhookEventSchema,
} from "@/lib/contract/webhooks";
import { DELIVER_EVENTS } from "@/lib/core/shared/work-names";
import { createEndpoint } from "@/lib/core/webhooks/create-endpoint";
import { createEventDelivery } from "@/lib/core/webhooks/deliver-events";
import { forgetEvents } from "@/lib/core/webhooks/forget-events";
import { redeliver, replayFailed, sendTestEvent } from "@/lib/core/webhooks/redeliver";
import { switchOffEndpoint, switchOnEndpoint } from "@/lib/core/webhooks/switch-endpoint";
import { newId } from "@/lib/platform/ids";
import { useTestDatabase } from "@/lib/testing/database";
import { arrangeWebhooks, startReceiver, type TestReceiver } from "@/lib/testing/webhooks";

const MINUTE_MS = 60_000;
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

/** An endpoint whose receiver responds with what `answer` returns. */
async function arrange(answer: Parameters<typeof startReceiver>[0]) {
  const scene = await arrangeWebhooks(database);
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  const made = await createEndpoint(scene.services, scene.setting, scene.owner(), { url: receiver.url });
  if (made.kind !== "CREATED") throw new Error(made.message);
  const endpointId = made.id;
  return {
    ...scene,
    receiver,
    endpointId,
    /** Runs through the whole schedule. */
    failToTheEnd: async () => {
      await scene.deliver();
      for (const delayMs of RETRY_DELAYS_MS) {
        scene.clock.advance(delayMs);
        await scene.deliver();
      }
    },
    stored: () => scene.deliveries(endpointId),
    idsReceived: () => receiver.received.map(({ headers }) => headers["x-service-event-id"]),
    redeliver: (eventId: string) => redeliver(scene.services, scene.owner(), { endpointId, eventId }),
    replay: (since: Date) => replayFailed(scene.services, scene.owner(), { endpointId, since }),
    switchOff: () => switchOffEndpoint(scene.services, scene.owner(), endpointId),
    switchOn: () => switchOnEndpoint(scene.services, scene.owner(), endpointId),
    test: () => sendTestEvent(scene.services, scene.owner(), endpointId),
  };
}

describe("resending by hand", () => {
  it("sends a delivered event once more under its own id, marked as resent", async () => {
    const scene = await arrange(() => 200);
    await scene.move();
    await scene.deliver();
    const [event] = await scene.stored();
    scene.clock.advance(MINUTE_MS);
    await scene.redeliver(event.event_id);
    expect(scene.woken).toContain(DELIVER_EVENTS);
    expect(await scene.deliver()).toBe(1);
    expect(scene.idsReceived()).toEqual([event.event_id, event.event_id]);
    expect(await scene.stored()).toMatchObject([
      { status: "DELIVERED", attempts: 2, resent_at: scene.clock.now(), resent_by: scene.owner().actor.id },
    ]);
  });

  it("restarts the whole schedule of a failed one", async () => {
    const scene = await arrange(() => 500);
    await scene.move();
    await scene.failToTheEnd();
    const [event] = await scene.stored();
    expect(event.status).toBe("DEAD");
    await scene.redeliver(event.event_id);
    await scene.failToTheEnd();
    expect(await scene.stored()).toMatchObject([
      { status: "DEAD", attempts: 2 * MAXIMUM_ATTEMPTS, round_attempts: MAXIMUM_ATTEMPTS },
    ]);
  });

  it("tries one that waits for its next attempt now, and keeps its place in the schedule", async () => {
    const scene = await arrange(() => 500);
    await scene.move();
    await scene.deliver();
    scene.clock.advance(RETRY_DELAYS_MS[0]);
    await scene.deliver();
    const [before] = await scene.stored();
    await scene.redeliver(before.event_id);
    expect(await scene.deliver()).toBe(1);
    const [after] = await scene.stored();
    expect(after).toMatchObject({ status: "PENDING", attempts: 3, round_attempts: 3 });
    const waitMs = after.due_at.getTime() - scene.clock.now().getTime();
    expect(waitMs).toBeGreaterThan(RETRY_DELAYS_MS[1]);
    expect(waitMs).toBeLessThanOrEqual(RETRY_DELAYS_MS[2]);
  });

  it("is refused if the endpoint is off, or the event is unknown or past its retention", async () => {
    const scene = await arrange(() => 200);
    await scene.move();
    await scene.deliver();
    const [event] = await scene.stored();
    for (const eventId of [newId(scene.clock.now()), "no id"]) {
      await expect(scene.redeliver(eventId)).rejects.toThrow("This event is no longer available.");
    }
    await scene.switchOff();
    await expect(scene.redeliver(event.event_id)).rejects.toThrow("This endpoint is switched off.");
    await scene.switchOn();
    scene.clock.advance((EVENT_RETENTION_DAYS + 1) * DAY_MS);
    await forgetEvents(scene.services, 100);
    await expect(scene.redeliver(event.event_id)).rejects.toThrow("This event is no longer available.");
    expect(await scene.deliver()).toBe(0);
  });

  it("is not overwritten by an attempt of the previous round, whenever that is recorded", async () => {
    let hangs = () => {};
    const hanging = new Promise<void>((resolve) => {
      hangs = resolve;
    });
    let answer: (status: number) => void = () => {};
    const answered = new Promise<number>((resolve) => {
      answer = resolve;
    });
    const scene = await arrange((_, place) => {
      if (place !== MAXIMUM_ATTEMPTS - 1) return 500;
      hangs();
      return answered;
    });
    await scene.move();
    await scene.deliver();
    for (const delayMs of RETRY_DELAYS_MS.slice(0, -1)) {
      scene.clock.advance(delayMs);
      await scene.deliver();
    }
    scene.clock.advance(RETRY_DELAYS_MS[RETRY_DELAYS_MS.length - 1] ?? 0);
    // The last attempt hangs in one process until its lease expires; another process makes it and it fails.
    expect(await scene.delivery.runBatch(1)).toBe(1);
    const rival = createEventDelivery(scene.services, scene.setting);
    scene.clock.advance(MINUTE_MS);
    await hanging;
    expect(await rival.runBatch(1)).toBe(1);
    await rival.drain();
    const [event] = await scene.stored();
    expect(event.status).toBe("DEAD");
    await scene.redeliver(event.event_id);
    answer(500);
    await scene.delivery.drain();
    expect(await scene.stored()).toMatchObject([
      { status: "PENDING", attempts: MAXIMUM_ATTEMPTS + 1, round_attempts: 0 },
    ]);
    await scene.failToTheEnd();
    expect(scene.receiver.received).toHaveLength(2 * MAXIMUM_ATTEMPTS + 1);
  });
});

describe.each(["resending by hand", "replaying"] as const)("%s", (how) => {
  const again = async (scene: Awaited<ReturnType<typeof arrange>>) => {
    const [event] = await scene.stored();
    if (how === "replaying") await scene.replay(new Date(0));
    else await scene.redeliver(event.event_id);
  };

  it("gives a failed event the whole schedule again", async () => {
    const scene = await arrange(() => 500);
    await scene.move();
    await scene.failToTheEnd();
    await again(scene);
    expect(await scene.stored()).toMatchObject([
      { status: "PENDING", round_attempts: 0, due_at: scene.clock.now(), resent_by: scene.owner().actor.id },
    ]);
    await scene.failToTheEnd();
    expect(await scene.stored()).toMatchObject([
      { status: "DEAD", attempts: 2 * MAXIMUM_ATTEMPTS, round_attempts: MAXIMUM_ATTEMPTS },
    ]);
  });

  it("keeps the place in the schedule of an event that waits for its next attempt", async () => {
    const scene = await arrange(() => 500);
    await scene.move();
    await scene.deliver();
    await again(scene);
    expect(await scene.stored()).toMatchObject([
      { status: "PENDING", round_attempts: 1, due_at: scene.clock.now() },
    ]);
  });
});

describe("replaying failed deliveries", () => {
  it("includes failed ones and those waiting for their next attempt, since a given time, and nothing else", async () => {
    let status = 500;
    const scene = await arrange(() => status);
    await scene.move();
    await scene.failToTheEnd();
    scene.clock.advance(MINUTE_MS);
    const since = scene.clock.now();
    await scene.move();
    await scene.failToTheEnd();
    status = 200;
    await scene.move();
    await scene.deliver();
    status = 500;
    await scene.move();
    await scene.deliver();
    const [early, dead, delivered, waiting] = await scene.stored();
    expect([early.status, dead.status, delivered.status, waiting.status]).toEqual([
      "DEAD",
      "DEAD",
      "DELIVERED",
      "PENDING",
    ]);
    scene.receiver.received.length = 0;
    expect(await scene.replay(since)).toEqual({ kind: "REPLAYED", count: 2, hasMore: false });
    expect(await scene.replay(since), "replayed deliveries are not counted again").toMatchObject({
      count: 0,
    });
    status = 200;
    expect(await scene.deliver()).toBe(2);
    expect(scene.idsReceived().sort()).toEqual([dead.event_id, waiting.event_id]);
    expect((await scene.stored()).map((row) => row.status)).toEqual([
      "DEAD",
      "DELIVERED",
      "DELIVERED",
      "DELIVERED",
    ]);
  });

  it("covers the retention, and is refused for the future and while the endpoint is off", async () => {
    const scene = await arrange(() => 500);
    await scene.move();
    await scene.failToTheEnd();
    expect(await scene.replay(scene.clock.now()), "since this moment").toMatchObject({ kind: "REPLAYED" });
    expect(await scene.replay(new Date(scene.clock.now().getTime() + 1))).toMatchObject({ kind: "REFUSED" });
    expect(await scene.replay(new Date(Number.NaN))).toMatchObject({ kind: "REFUSED" });
    await scene.switchOff();
    expect(await scene.replay(scene.clock.now())).toMatchObject({
      kind: "REFUSED",
      message: expect.stringContaining("Switch it on"),
    });
    await scene.switchOn();
    expect(await scene.replay(new Date(0))).toMatchObject({ count: 1 });
    await scene.failToTheEnd();
    scene.clock.advance(EVENT_RETENTION_DAYS * DAY_MS);
    expect(await scene.replay(new Date(0)), "past the retention").toMatchObject({ count: 0 });
  });

  it("loses nothing while members replay and resend and two workers deliver", async () => {
    let fails = true;
    const accepted = new Set<unknown>();
    const scene = await arrange(({ headers }, place) => {
      if (fails && place % 3 !== 0) return 503;
      accepted.add(headers["x-service-event-id"]);
      return 200;
    });
    const began = scene.clock.now();
    for (let moved = 0; moved < 30; moved++) await scene.move();
    const workers = [scene.delivery, createEventDelivery(scene.services, scene.setting)];
    const events = await scene.stored();
    const disturb = async (round: number) => {
      await Promise.all([
        ...workers.map((worker) => worker.runBatch(16)),
        scene.replay(began),
        ...events.filter((_, index) => index % 5 === round % 5).map((row) => scene.redeliver(row.event_id)),
        ...(round % 4 === 0 ? [scene.switchOff().then(scene.switchOn)] : []),
      ]);
    };
    for (let round = 0; round < 12; round++) {
      // A member is refused while it is off, and retries.
      await disturb(round).catch((error: unknown) => {
        if (!(error instanceof Error) || !error.message.includes("switched off")) throw error;
      });
      await Promise.all(workers.map((worker) => worker.drain()));
      scene.clock.advance(RETRY_DELAYS_MS[round % 3] ?? 0);
    }
    fails = false;
    await scene.switchOn();
    scene.clock.advance(DAY_MS);
    await scene.deliver();
    await scene.replay(began);
    await scene.deliver();
    const ended = await scene.stored();
    expect(ended).toHaveLength(30);
    expect(new Set(ended.map((row) => row.status))).toEqual(new Set(["DELIVERED"]));
    expect(accepted).toEqual(new Set(events.map((row) => row.event_id)));
  });
});

describe("an endpoint that is switched off and on", () => {
  it("gets the events of that time, and interrupted schedules start over", async () => {
    let status = 500;
    const scene = await arrange(() => status);
    await scene.move();
    await scene.deliver();
    scene.clock.advance(RETRY_DELAYS_MS[0]);
    await scene.deliver();
    await scene.switchOff();
    expect(await scene.endpoint(scene.endpointId)).toMatchObject({
      status: "DISABLED",
      disabled_because: "MEMBER",
      disabled_by: scene.owner().actor.id,
    });
    await scene.move();
    scene.clock.advance(DAY_MS);
    expect(await scene.deliver()).toBe(0);

    await scene.switchOn();
    expect(scene.woken).toContain(DELIVER_EVENTS);
    expect(await scene.endpoint(scene.endpointId)).toMatchObject({
      status: "ENABLED",
      disabled_at: null,
      disabled_because: null,
      disabled_by: null,
      failing_since: null,
      consecutive_failures: 0,
    });
    expect(await scene.stored()).toMatchObject([
      { status: "PENDING", attempts: 2, round_attempts: 0, due_at: scene.clock.now() },
      { status: "PENDING", attempts: 0, round_attempts: 0 },
    ]);
    status = 200;
    // What was due while it was off is found by the next look through whole queues.
    scene.clock.advance(1_000);
    expect(await scene.deliver()).toBe(2);
  });

  it("is switched off again only by five days of new failures, not by earlier ones", async () => {
    const scene = await arrange(() => 500);
    for (let day = 0; day <= 5; day++) {
      await scene.move();
      await scene.deliver();
      scene.clock.advance(DAY_MS);
    }
    expect(await scene.endpoint(scene.endpointId)).toMatchObject({
      status: "DISABLED",
      disabled_because: "FAILING",
    });
    await scene.switchOff();
    expect(await scene.endpoint(scene.endpointId), "the reason for being off is unchanged").toMatchObject({
      disabled_because: "FAILING",
      disabled_by: null,
    });
    await scene.switchOn();
    await scene.deliver();
    expect(await scene.endpoint(scene.endpointId)).toMatchObject({ status: "ENABLED" });
  });
});

describe("a test event", () => {
  it("looks exactly like a real one, goes to this endpoint only, and names a transfer that can be read", async () => {
    const scene = await arrange(() => 200);
    const other = await startReceiver(() => 200);
    receivers.push(other);
    await scene.move();
    const newest = await scene.move();
    await scene.deliver();
    scene.receiver.received.length = 0;
    await createEndpoint(scene.services, scene.setting, scene.owner(), { url: other.url });
    const sent = await scene.test();
    if (sent.kind !== "SENT") throw new Error(sent.message);
    expect(sent.href).toBe(`/settings/webhooks/${scene.endpointId}?event=${sent.eventId}`);
    expect(await scene.deliver()).toBe(1);
    expect(other.received).toHaveLength(0);
    const [delivery] = scene.receiver.received;
    expect(webhookEventSchema.parse(JSON.parse(delivery?.body ?? ""))).toEqual({
      id: sent.eventId,
      type: "transfer.changed",
      resource: { type: "transfer", id: newest },
      created_at: scene.clock.now().toISOString(),
    });
  });

  it("is sent even without a transfer, and never names a simulation", async () => {
    const scene = await arrange(() => 200);
    const simulated = await scene.move({ simulation: true });
    const [first, second] = [await scene.test(), await scene.test()];
    expect([first.kind, second.kind]).toEqual(["SENT", "SENT"]);
    expect(await scene.deliver()).toBe(2);
    for (const { body } of scene.receiver.received) {
      expect(webhookEventSchema.parse(JSON.parse(body)).resource.id).not.toBe(simulated);
    }
  });

  it("is refused while the endpoint is off, and after ten in a minute, however many are sent at once", async () => {
    const scene = await arrange(() => 200);
    await scene.switchOff();
    expect(await scene.test()).toMatchObject({
      kind: "REFUSED",
      message: expect.stringContaining("Switch it on"),
    });
    await scene.switchOn();
    const results = await Promise.all(Array.from({ length: 14 }, () => scene.test()));
    expect(results.filter(({ kind }) => kind === "SENT")).toHaveLength(10);
    expect(results.find(({ kind }) => kind === "REFUSED")).toHaveProperty(
      "message",
      expect.stringContaining("at most 10 test events a minute"),
    );
    scene.clock.advance(MINUTE_MS + 1);
    expect(await scene.test()).toMatchObject({ kind: "SENT" });
  });
});
