import { afterEach, describe, expect, it } from "vitest";
import { MAXIMUM_ENDPOINTS } from "@/lib/contract/limits";
import { createEndpoint, recreateEndpoint } from "@/lib/core/webhooks/create-endpoint";
import { deleteEndpoint, switchOffEndpoint, switchOnEndpoint } from "@/lib/core/webhooks/switch-endpoint";
import { useTestDatabase } from "@/lib/testing/database";
import { readRecordedChanges } from "@/lib/testing/recorded-changes";
import { arrangeWebhooks, startReceiver, type TestReceiver, type WebhookScene } from "@/lib/testing/webhooks";
import { listEndpoints } from "@/lib/views/webhooks/endpoint-facts";
import { readEndpoint } from "@/lib/views/webhooks/read-endpoint";

const database = useTestDatabase();

const receivers: TestReceiver[] = [];
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

async function receive(answer: Parameters<typeof startReceiver>[0]): Promise<TestReceiver> {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

async function make(scene: WebhookScene, url: string) {
  const made = await createEndpoint(scene.services, scene.setting, scene.owner(), { url });
  if (made.kind !== "CREATED") throw new Error(made.message);
  return made;
}

const page = { filter: "ALL", openedEventId: null, before: null } as const;

describe("an endpoint that an owner adds", () => {
  it("gets events from then on, signed with the secret that was shown", async () => {
    const scene = await arrangeWebhooks(database);
    const receiver = await receive(() => 204);
    const made = await make(scene, `  ${receiver.url} `);
    expect(made).toMatchObject({ url: receiver.url, href: `/settings/webhooks/${made.id}` });
    await scene.move();
    await scene.deliver();
    expect(receiver.received).toHaveLength(1);
    const read = await readEndpoint(
      { services: scene.services, context: scene.owner(), time: scene.time() },
      scene.setting,
      { ...page, endpointId: made.id },
    );
    expect(read).toMatchObject({
      endpoint: { url: receiver.url, state: { kind: "RECEIVING" }, deliveredShare: 1, createdByName: "Mara" },
      deliveries: [{ type: "transfer.changed", attempts: 1, state: { kind: "DELIVERED" } }],
      viewer: { canChange: true },
    });
  });

  it("records who added it, recreated it, switched it off and on, and deleted it", async () => {
    const scene = await arrangeWebhooks(database);
    const { url } = await receive(() => 204);
    const { id } = await make(scene, url);
    const acts = [
      () => switchOffEndpoint(scene.services, scene.owner(), id),
      () => switchOnEndpoint(scene.services, scene.owner(), id),
      () => recreateEndpoint(scene.services, scene.setting, scene.owner(), id),
      () => deleteEndpoint(scene.services, scene.owner(), id),
    ];
    for (const act of acts) await act();
    const changes = await readRecordedChanges(database, scene.owner().organizationId);
    expect(changes.map(({ kind, subject, byName }) => [kind, subject, byName])).toEqual(
      Array(5).fill(["ENDPOINT", url, "Mara"]),
    );
    expect(changes.map(({ after }) => after).sort()).toEqual(["ADDED", "DELETED", "OFF", "ON", "RECREATED"]);
  });

  it("is refused without an address, with an incomplete one, or with one that is in use", async () => {
    const scene = await arrangeWebhooks(database);
    const create = (url: string) => createEndpoint(scene.services, scene.setting, scene.owner(), { url });
    for (const url of ["", "   ", "hooks.example.com", `https://example.com/${"a".repeat(2_000)}`]) {
      expect(await create(url)).toMatchObject({ kind: "REFUSED", problems: { url: expect.any(String) } });
    }
    const made = await make(scene, "http://127.0.0.1:9090/");
    const again = await create("HTTP://127.0.0.1:9090");
    expect(again).toMatchObject({ kind: "REFUSED", problems: { url: expect.any(String) } });
    expect(again).toHaveProperty("message", expect.stringContaining(made.secret.slice(-4)));
    await deleteEndpoint(scene.services, scene.owner(), made.id);
    expect(await create("http://127.0.0.1:9090")).toMatchObject({ kind: "CREATED" });
  });

  it("is refused with the sender's sentence if its address is not allowed", async () => {
    const scene = await arrangeWebhooks(database);
    const sender = { ...scene.setting.sender, checkUrl: async () => "This address is private." };
    const result = await createEndpoint(scene.services, { ...scene.setting, sender }, scene.owner(), {
      url: "https://10.0.0.1/hooks",
    });
    expect(result).toEqual({
      kind: "REFUSED",
      message: "This address is private.",
      problems: { url: "This address is private." },
    });
  });

  it("never exceeds the maximum, however many are added at once", async () => {
    const scene = await arrangeWebhooks(database);
    const results = await Promise.all(
      Array.from({ length: MAXIMUM_ENDPOINTS + 10 }, (_, index) =>
        createEndpoint(scene.services, scene.setting, scene.owner(), {
          url: `http://127.0.0.1:9090/${index}`,
        }),
      ),
    );
    expect(results.filter(({ kind }) => kind === "CREATED")).toHaveLength(MAXIMUM_ENDPOINTS);
    const list = await listEndpoints(
      { services: scene.services, context: scene.owner(), time: scene.time() },
      scene.setting,
    );
    expect(list.endpoints).toHaveLength(MAXIMUM_ENDPOINTS);
    expect(list.hasRoom).toBe(false);
    await deleteEndpoint(scene.services, scene.owner(), list.endpoints[0]?.id ?? "");
    expect(
      await listEndpoints(
        { services: scene.services, context: scene.owner(), time: scene.time() },
        scene.setting,
      ),
    ).toMatchObject({
      hasRoom: true,
    });
  });

  it("is added once if one address is sent twice at once", async () => {
    const scene = await arrangeWebhooks(database);
    const results = await Promise.all(
      Array.from({ length: 4 }, () =>
        createEndpoint(scene.services, scene.setting, scene.owner(), { url: "http://127.0.0.1:9090/x" }),
      ),
    );
    expect(results.filter(({ kind }) => kind === "CREATED")).toHaveLength(1);
  });
});

describe("a deleted endpoint", () => {
  it("has no secret, cannot be read, and gets none of its waiting deliveries", async () => {
    const scene = await arrangeWebhooks(database);
    const receiver = await receive(() => 200);
    const made = await make(scene, receiver.url);
    await scene.move();
    await deleteEndpoint(scene.services, scene.owner(), made.id);
    await scene.move();
    expect(await scene.deliver()).toBe(0);
    expect(receiver.received).toHaveLength(0);
    expect(await scene.endpoint(made.id)).toMatchObject({ status: "DELETED", sealed_secret: null });
    expect(await scene.deliveries(made.id)).toHaveLength(1);
    const input = { ...page, endpointId: made.id };
    expect(
      await readEndpoint(
        { services: scene.services, context: scene.owner(), time: scene.time() },
        scene.setting,
        input,
      ),
    ).toBeNull();
    await expect(deleteEndpoint(scene.services, scene.owner(), made.id)).rejects.toThrow(
      "There is no such endpoint in this organization.",
    );
  });

  it("stays deleted whatever the outcome of a running attempt", async () => {
    for (const status of [200, 410, 500]) {
      const scene = await arrangeWebhooks(database);
      const receiver = await receive(async () => {
        // The attempt is running, and leased.
        await deleteEndpoint(scene.services, scene.owner(), made.id);
        return status;
      });
      const made = await make(scene, receiver.url);
      await scene.move();
      expect(await scene.deliver()).toBe(1);
      expect(await scene.endpoint(made.id)).toMatchObject({ status: "DELETED", sealed_secret: null });
      scene.clock.advance(86_400_000);
      expect(await scene.deliver()).toBe(0);
    }
  });
});
