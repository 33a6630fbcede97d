/** Who may read and change an endpoint: nothing crosses organizations, and its secret is shown only once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { createEndpoint, recreateEndpoint } from "@/lib/core/webhooks/create-endpoint";
import { redeliver, replayFailed, sendTestEvent } from "@/lib/core/webhooks/redeliver";
import { deleteEndpoint, switchOffEndpoint, switchOnEndpoint } from "@/lib/core/webhooks/switch-endpoint";
import { useTestDatabase } from "@/lib/testing/database";
import { arrangeWebhooks, startReceiver, type TestReceiver } from "@/lib/testing/webhooks";
import { listEndpoints } from "@/lib/views/webhooks/endpoint-facts";
import { type EndpointView, readEndpoint } from "@/lib/views/webhooks/read-endpoint";

const TABLES = [
  "webhook_endpoints",
  "webhook_events",
  "webhook_deliveries",
  "webhook_attempts",
  "webhook_days",
] as const;

const database = useTestDatabase();
let receiver: TestReceiver;
beforeAll(async () => {
  receiver = await startReceiver(() => 500);
});
afterAll(async () => {
  await receiver.close();
});

/** An endpoint with a failed delivery. */
async function arrange() {
  const scene = await arrangeWebhooks(database);
  const made = await createEndpoint(scene.services, scene.setting, scene.owner(), { url: receiver.url });
  if (made.kind !== "CREATED") throw new Error(made.message);
  await scene.move();
  await scene.deliver();
  const [delivery] = await scene.deliveries(made.id);
  const target = { endpointId: made.id, eventId: String(delivery.event_id) };
  const { services, setting } = scene;
  const read = (by: Context<MemberActor>): Promise<EndpointView | null> =>
    readEndpoint({ services, context: by, time: scene.time() }, setting, {
      endpointId: target.endpointId,
      filter: "FAILING",
      openedEventId: target.eventId,
      before: null,
    });
  const list = (by: Context<MemberActor>) =>
    listEndpoints({ services, context: by, time: scene.time() }, setting);
  /** Every command that changes an endpoint, by name. */
  const changes: Record<string, (by: Context<MemberActor>) => Promise<unknown>> = {
    recreate: (by) => recreateEndpoint(services, setting, by, target.endpointId),
    "switch off": (by) => switchOffEndpoint(services, by, target.endpointId),
    "switch on": (by) => switchOnEndpoint(services, by, target.endpointId),
    test: (by) => sendTestEvent(services, by, target.endpointId),
    redeliver: (by) => redeliver(services, by, target),
    replay: (by) => replayFailed(services, by, { endpointId: target.endpointId, since: new Date(0) }),
    delete: (by) => deleteEndpoint(services, by, target.endpointId),
  };
  const snapshot = async () => {
    const tables = await Promise.all(
      TABLES.map((table) =>
        database.ownerPool.query(
          `select to_jsonb(t)::text as row from ${table} t where organization_id = $1 order by 1`,
          [scene.organizationId],
        ),
      ),
    );
    return tables.map(({ rows }) => rows);
  };
  return { ...scene, made, target, read, list, changes, snapshot };
}

describe("a member of another organization", () => {
  it("can neither read nor change an endpoint with any command, whatever their role there", async () => {
    const ours = await arrange();
    const theirs = await arrangeWebhooks(database);
    const stranger = theirs.owner();
    const before = await ours.snapshot();
    for (const [name, change] of Object.entries(ours.changes)) {
      await expect(change(stranger), name).rejects.toMatchObject({
        code: "INVALID_PARAMETERS",
        message: "There is no such endpoint in this organization.",
      });
    }
    expect(await ours.read(stranger)).toBeNull();
    expect((await ours.list(stranger)).endpoints).toEqual([]);
    expect(await ours.snapshot()).toEqual(before);
  });

  it("has no role here, even if their context names this organization", async () => {
    const ours = await arrange();
    const theirs = await arrangeWebhooks(database);
    const stranger = { ...theirs.owner(), organizationId: ours.organizationId };
    const before = await ours.snapshot();
    for (const [name, change] of Object.entries(ours.changes)) {
      await expect(change(stranger), name).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    }
    await expect(
      createEndpoint(ours.services, ours.setting, stranger, { url: "http://127.0.0.1:9090/hooks" }),
    ).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    expect(await ours.snapshot()).toEqual(before);
  });
});

describe.each(["ACCOUNTANT", "VIEWER"] as const)("a member who is %s", (role) => {
  it("reads everything and changes nothing", async () => {
    const scene = await arrange();
    const member = { ...(await scene.organization.addMember(role, "Vic")), now: scene.clock.now() };
    const before = await scene.snapshot();
    for (const [name, change] of Object.entries(scene.changes)) {
      await expect(change(member), name).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    }
    const lookUps: string[] = [];
    const sender = {
      ...scene.setting.sender,
      checkUrl: async (url: string) => {
        lookUps.push(url);
        return null;
      },
    };
    await expect(
      createEndpoint(scene.services, { ...scene.setting, sender }, member, {
        url: "http://127.0.0.1:9090/hooks",
      }),
    ).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    expect(lookUps, "nor causes DNS lookups").toEqual([]);
    expect(await scene.snapshot()).toEqual(before);
    expect(await scene.read(member)).toMatchObject({
      endpoint: { id: scene.target.endpointId },
      opened: { eventId: scene.target.eventId },
      viewer: { canChange: false },
    });
    expect(await scene.list(member)).toMatchObject({
      endpoints: [{ id: scene.target.endpointId }],
      viewer: { canChange: false },
    });
  });
});

it("an old session cannot add, recreate or delete an endpoint without step-up", async () => {
  const scene = await arrange();
  const url = `${receiver.url}/another`;
  const guarded = {
    add: () => createEndpoint(scene.services, scene.setting, scene.owner(), { url }),
    recreate: () => recreateEndpoint(scene.services, scene.setting, scene.owner(), scene.target.endpointId),
    delete: () => deleteEndpoint(scene.services, scene.owner(), scene.target.endpointId),
  };
  scene.clock.advance(6 * 60_000);
  const before = await scene.snapshot();
  for (const [name, change] of Object.entries(guarded)) {
    await expect(change(), name).rejects.toThrow(NotConfirmed);
  }
  expect(await scene.snapshot()).toEqual(before);
  await database.ownerPool.query("update sessions set authenticated_at = $2 where id = $1", [
    scene.owner().actor.sessionId,
    scene.clock.now(),
  ]);
  for (const [name, change] of Object.entries(guarded)) {
    await expect(change(), name).resolves.not.toMatchObject({ kind: "REFUSED" });
  }
});

it("a co-owner can change endpoints like an owner", async () => {
  const scene = await arrange();
  const coOwner = { ...(await scene.organization.addMember("CO_OWNER", "Jonas")), now: scene.clock.now() };
  for (const [name, change] of Object.entries(scene.changes)) {
    await expect(change(coOwner), name).resolves.not.toMatchObject({ kind: "REFUSED" });
  }
});

it("a secret is in no table and in no view after it was shown", async () => {
  const scene = await arrange();
  const again = await recreateEndpoint(scene.services, scene.setting, scene.owner(), scene.target.endpointId);
  if (again.kind !== "CREATED") throw new Error(again.message);
  const views = JSON.stringify([
    await scene.read(scene.owner()),
    await scene.list(scene.owner()),
    await sendTestEvent(scene.services, scene.owner(), scene.target.endpointId),
  ]);
  const { rows } = await database.ownerPool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  expect(rows.map(({ name }) => name)).toContain("webhook_endpoints");
  for (const { secret } of [scene.made, again]) {
    const bare = secret.slice("whsec_".length);
    expect(views).not.toContain(bare);
    expect(views, "except for the characters that identify secrets").toContain(secret.slice(-4));
    for (const { name } of rows) {
      const found = await database.ownerPool.query(
        // Bytes appear as hex digits.
        `select from "${name}" t where strpos(to_jsonb(t)::text, $1) > 0 or strpos(to_jsonb(t)::text, $2) > 0 limit 1`,
        [bare, Buffer.from(bare).toString("hex")],
      );
      expect(found.rowCount, name).toBe(0);
    }
  }
});
