import { afterEach, describe, expect, it } from "vitest";
import type { DeliveryFilter } from "@/lib/contract/hrefs";
import { MAXIMUM_ATTEMPTS, RETRY_DELAYS_MS } from "@/lib/contract/webhooks";
import { createEndpoint, recreateEndpoint } from "@/lib/core/webhooks/create-endpoint";
import { redeliver, sendTestEvent } from "@/lib/core/webhooks/redeliver";
import { switchOffEndpoint } from "@/lib/core/webhooks/switch-endpoint";
import { countQueries, useTestDatabase } from "@/lib/testing/database";
import { arrangeWebhooks, startReceiver, type TestReceiver } from "@/lib/testing/webhooks";
import { listEndpoints } from "@/lib/views/webhooks/endpoint-facts";
import { readEndpoint } from "@/lib/views/webhooks/read-endpoint";

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

async function arrange(answer: Parameters<typeof startReceiver>[0]) {
  const scene = await arrangeWebhooks(database);
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  const made = await createEndpoint(scene.services, scene.setting, scene.owner(), { url: receiver.url });
  if (made.kind !== "CREATED") throw new Error(made.message);
  const endpointId = made.id;
  const read = async (
    look: { filter?: DeliveryFilter; openedEventId?: string | null; before?: string | null } = {},
    services = scene.services,
  ) => {
    const view = await readEndpoint({ services, context: scene.owner(), time: scene.time() }, scene.setting, {
      endpointId,
      filter: "ALL",
      openedEventId: null,
      before: null,
      ...look,
    });
    if (!view) throw new Error("The endpoint was not found");
    return view;
  };
  return {
    ...scene,
    receiver,
    made,
    endpointId,
    read,
    facts: async () => (await read()).endpoint,
    list: () =>
      listEndpoints({ services: scene.services, context: scene.owner(), time: scene.time() }, scene.setting),
    /** Runs through the whole schedule. */
    failToTheEnd: async () => {
      await scene.deliver();
      for (const delayMs of RETRY_DELAYS_MS) {
        scene.clock.advance(delayMs);
        await scene.deliver();
      }
    },
  };
}

describe("the state of an endpoint", () => {
  it("is new, receiving, failing until a given time, or off with the reason", async () => {
    let status = 200;
    const scene = await arrange(() => status);
    expect(await scene.facts()).toMatchObject({
      href: `/settings/webhooks/${scene.endpointId}`,
      displayUrl: scene.receiver.url.slice("http://".length),
      secretHint: `whsec_••••••••••••${scene.made.secret.slice(-4)}`,
      createdByName: "Mara",
      state: { kind: "NEW" },
      deliveredShare: null,
      lastAttemptAt: null,
      lastSuccessAt: null,
    });
    await scene.move();
    await scene.deliver();
    const succeededAt = scene.clock.now().toISOString();
    expect(await scene.facts()).toMatchObject({
      state: { kind: "RECEIVING" },
      lastAttemptAt: succeededAt,
      lastSuccessAt: succeededAt,
    });
    status = 500;
    scene.clock.advance(DAY_MS);
    await scene.move();
    await scene.deliver();
    const failedAt = scene.clock.now();
    expect(await scene.facts()).toMatchObject({
      state: {
        kind: "FAILING",
        since: failedAt.toISOString(),
        disablesAt: new Date(failedAt.getTime() + 5 * DAY_MS).toISOString(),
      },
      lastSuccessAt: succeededAt,
      retryingCount: 1,
      waitingCount: 0,
    });
    await switchOffEndpoint(scene.services, scene.owner(), scene.endpointId);
    await scene.move();
    expect(await scene.facts()).toMatchObject({
      state: { kind: "OFF", at: failedAt.toISOString(), because: "MEMBER", byName: "Mara" },
      retryingCount: 1,
      waitingCount: 1,
    });
    expect((await scene.list()).endpoints).toEqual([await scene.facts()]);
  });

  it("becomes off at the time that was shown", async () => {
    const scene = await arrange(() => 500);
    await scene.move();
    await scene.deliver();
    const { state } = await scene.facts();
    if (state.kind !== "FAILING") throw new Error("It is not failing");
    scene.clock.set(new Date(new Date(state.disablesAt).getTime() - 2));
    await scene.move();
    await scene.deliver();
    expect((await scene.facts()).state.kind).toBe("FAILING");
    scene.clock.set(new Date(state.disablesAt));
    await scene.move();
    await scene.deliver();
    expect((await scene.facts()).state).toMatchObject({ kind: "OFF", because: "FAILING", byName: null });
  });

  it("has counts for thirty days in the organization's zone, including empty ones", async () => {
    let status = 200;
    const scene = await arrange(() => status);
    // 23:30 in New York is the next day in UTC.
    scene.clock.set(new Date("2026-01-17T04:30:00.000Z"));
    await scene.move();
    await scene.deliver();
    scene.clock.advance(DAY_MS);
    status = 500;
    await scene.move();
    await scene.failToTheEnd();
    const { days, deliveredShare, deadCount } = await scene.facts();
    expect(days).toHaveLength(30);
    expect(days.at(-1)?.day).toBe("2026-01-18");
    expect(days.at(0)?.day).toBe("2025-12-20");
    expect(days.slice(-3)).toMatchObject([
      { day: "2026-01-16", delivered: 1, gaveUp: 0, failedAttempts: 0 },
      { day: "2026-01-17", delivered: 0, gaveUp: 0 },
      { day: "2026-01-18", delivered: 0, gaveUp: 1 },
    ]);
    expect(days.reduce((sum, day) => sum + day.failedAttempts, 0)).toBe(MAXIMUM_ATTEMPTS);
    expect(deliveredShare).toBe(0.5);
    expect(deadCount).toBe(1);
    scene.clock.advance(40 * DAY_MS);
    expect(await scene.facts()).toMatchObject({ deliveredShare: null });
  });

  it("names the endpoint that it replaces, and the reverse", async () => {
    const scene = await arrange(() => 500);
    const again = await recreateEndpoint(scene.services, scene.setting, scene.owner(), scene.endpointId);
    if (again.kind !== "CREATED") throw new Error(again.message);
    expect((await scene.list()).endpoints).toMatchObject([
      { id: scene.endpointId, replaces: null, replacedBy: { id: again.id, href: again.href } },
      { id: again.id, replaces: { id: scene.endpointId, href: scene.made.href }, replacedBy: null },
    ]);
  });
});

describe("a list of deliveries", () => {
  it("shows each once over all pages, newest first, even while new ones arrive", async () => {
    const scene = await arrange(() => 200);
    for (let moved = 0; moved < 60; moved++) await scene.move();
    const all = (await scene.deliveries(scene.endpointId)).map((row) => row.event_id).reverse();
    const seen: string[] = [];
    let before: string | null = null;
    for (let page = 0; page < 10; page++) {
      const view = await scene.read({ before });
      expect(view.newestHref).toBe(before === null ? null : `/settings/webhooks/${scene.endpointId}`);
      seen.push(...view.deliveries.map(({ eventId }) => eventId));
      if (page === 0) await scene.move();
      if (!view.olderHref) break;
      before = new URL(view.olderHref, "http://localhost").searchParams.get("before");
    }
    expect(seen).toEqual(all);
  });

  it("filtered to failing ones omits delivered and untried ones", async () => {
    let status = 500;
    const scene = await arrange(() => status);
    await scene.move();
    await scene.failToTheEnd();
    await scene.move();
    await scene.deliver();
    status = 200;
    await scene.move();
    await scene.deliver();
    await scene.move();
    const all = await scene.read();
    expect(all.deliveries.map(({ state }) => state.kind)).toEqual([
      "WAITING",
      "DELIVERED",
      "RETRYING",
      "GAVE_UP",
    ]);
    const failing = await scene.read({ filter: "FAILING" });
    expect(failing.deliveries.map(({ state }) => state.kind)).toEqual(["RETRYING", "GAVE_UP"]);
    expect(failing.filterHrefs).toEqual({
      ALL: `/settings/webhooks/${scene.endpointId}`,
      FAILING: `/settings/webhooks/${scene.endpointId}?filter=failing`,
    });
    const [first] = failing.deliveries;
    expect(first?.href).toBe(`/settings/webhooks/${scene.endpointId}?filter=failing&event=${first?.eventId}`);
    const older = await scene.read({ filter: "FAILING", before: first?.eventId ?? null });
    expect(older.deliveries.map(({ eventId }) => eventId)).toEqual([failing.deliveries[1]?.eventId]);
  });

  it("does not show a delivered one as failing while it is resent", async () => {
    const scene = await arrange(() => 200);
    await scene.move();
    await scene.deliver();
    const eventId = (await scene.read()).deliveries[0]?.eventId ?? "";
    await redeliver(scene.services, scene.owner(), { endpointId: scene.endpointId, eventId });
    expect((await scene.read()).deliveries[0]?.state).toMatchObject({ kind: "WAITING", isHeld: false });
    await switchOffEndpoint(scene.services, scene.owner(), scene.endpointId);
    expect((await scene.read()).deliveries[0]?.state).toMatchObject({ kind: "WAITING", isHeld: true });
  });

  it("uses the same number of statements however long it is", async () => {
    const scene = await arrange(() => 500);
    const statements = async () => {
      const counted = countQueries(scene.services.pool);
      const services = { ...scene.services, pool: counted.pool };
      const openedEventId = (await scene.read()).deliveries[0]?.eventId ?? null;
      await scene.read({ filter: "FAILING", openedEventId }, services);
      await listEndpoints({ services, context: scene.owner(), time: scene.time() }, scene.setting);
      return counted.queries;
    };
    await scene.move();
    await scene.deliver();
    const one = await statements();
    for (let moved = 0; moved < 40; moved++) await scene.move();
    await scene.deliver();
    expect(await statements()).toEqual(one);
    expect(one).toHaveLength(5);
  });
});

describe("a delivery that is opened", () => {
  it("shows the sent bytes and every attempt with its response", async () => {
    const scene = await arrange(() => 503);
    await scene.move();
    await scene.deliver();
    scene.clock.advance(RETRY_DELAYS_MS[0]);
    await scene.deliver();
    const eventId = (await scene.read()).deliveries[0]?.eventId ?? "";
    await redeliver(scene.services, scene.owner(), { endpointId: scene.endpointId, eventId });
    const { opened, deliveries } = await scene.read({ openedEventId: eventId });
    expect(opened?.body).toBe(scene.receiver.received[0]?.body);
    expect(opened?.history.map(({ number, statusCode, problem }) => [number, statusCode, problem])).toEqual([
      [1, 503, "STATUS"],
      [2, 503, "STATUS"],
    ]);
    for (const [index, attempt] of (opened?.history ?? []).entries()) {
      const header = String(scene.receiver.received[index]?.headers["x-service-signature"]);
      expect(header).toMatch(new RegExp(`^t=${attempt.signedAtSeconds},v1=${attempt.signatureStart}`));
    }
    expect(opened?.resent).toEqual({ at: scene.clock.now().toISOString(), byName: "Mara" });
    expect(deliveries[0]?.href, "its row is a link that closes it").toBe(
      `/settings/webhooks/${scene.endpointId}`,
    );
  });

  it("shows the latest time of each further attempt, and the attempt happens by then", async () => {
    const scene = await arrange(() => 500);
    await scene.move();
    await scene.deliver();
    const eventId = (await scene.read()).deliveries[0]?.eventId ?? "";
    const { opened } = await scene.read({ openedEventId: eventId });
    if (opened?.state.kind !== "RETRYING") throw new Error("It is not being retried");
    const times = [opened.state.dueAt, ...opened.nextAttempts];
    expect(times).toHaveLength(MAXIMUM_ATTEMPTS - 1);
    for (const time of times) {
      scene.clock.set(new Date(time));
      expect(await scene.deliver()).toBe(1);
    }
    const after = await scene.read({ openedEventId: eventId });
    expect(after.opened).toMatchObject({ state: { kind: "GAVE_UP" }, nextAttempts: [] });
  });

  it("shows no next attempt for an endpoint that is off", async () => {
    const scene = await arrange(() => 500);
    await scene.move();
    await scene.deliver();
    await switchOffEndpoint(scene.services, scene.owner(), scene.endpointId);
    const eventId = (await scene.read()).deliveries[0]?.eventId ?? "";
    const { opened } = await scene.read({ openedEventId: eventId });
    expect(opened).toMatchObject({ state: { kind: "RETRYING", isHeld: true }, nextAttempts: [] });
  });

  it("is marked if a member sent it as a test", async () => {
    const scene = await arrange(() => 200);
    await scene.move();
    const sent = await sendTestEvent(scene.services, scene.owner(), scene.endpointId);
    if (sent.kind !== "SENT") throw new Error(sent.message);
    const { deliveries } = await scene.read();
    expect(deliveries.map(({ eventId, isTest }) => [eventId === sent.eventId, isTest]).sort()).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it("does not open for another endpoint's event or an invalid id", async () => {
    const [ours, theirs] = [await arrange(() => 200), await arrange(() => 200)];
    await theirs.move();
    const foreign = (await theirs.read()).deliveries[0]?.eventId ?? "";
    for (const openedEventId of [foreign, "no-id", "'; drop table webhook_events; --"]) {
      const view = await ours.read({ openedEventId, before: openedEventId });
      expect(view.opened).toBeNull();
    }
    for (const endpointId of [theirs.endpointId, "no-id", ""]) {
      const input = {
        endpointId,
        filter: "ALL",
        openedEventId: null,
        before: null,
      } as const;
      expect(
        await readEndpoint(
          { services: ours.services, context: ours.owner(), time: ours.time() },
          ours.setting,
          input,
        ),
      ).toBeNull();
    }
  });
});
