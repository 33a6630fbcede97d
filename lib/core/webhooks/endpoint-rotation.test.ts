/**
 * Rotating a secret without a gap. The receivers of these tests know one secret and reject other signatures, like real
 * ones.
 */
import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { createEndpoint, recreateEndpoint } from "@/lib/core/webhooks/create-endpoint";
import { deleteEndpoint, switchOffEndpoint } from "@/lib/core/webhooks/switch-endpoint";
import { newId } from "@/lib/platform/ids";
import { useTestDatabase } from "@/lib/testing/database";
import { inOpenTransaction } from "@/lib/testing/overlap";
import {
  arrangeWebhooks,
  type ReceivedDelivery,
  startReceiver,
  type TestReceiver,
  type WebhookScene,
} from "@/lib/testing/webhooks";
import { listEndpoints } from "@/lib/views/webhooks/endpoint-facts";

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

function isSignedWith(secret: string, { headers, body }: ReceivedDelivery): boolean {
  const signature = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-service-signature"]));
  return signature?.[2] === createHmac("sha256", secret).update(`${signature?.[1]}.${body}`).digest("hex");
}

/** A receiver that accepts only signatures with the secret that it knows. */
async function receive() {
  const known = { secret: "" };
  const accepted: string[] = [];
  const receiver = await startReceiver((delivery) => {
    if (!isSignedWith(known.secret, delivery)) return 401;
    accepted.push(String(delivery.headers["x-service-event-id"]));
    return 204;
  });
  receivers.push(receiver);
  return { receiver, known, accepted };
}

async function arrange() {
  const scene = await arrangeWebhooks(database);
  const endpoint = await receive();
  const old = await createEndpoint(scene.services, scene.setting, scene.owner(), {
    url: endpoint.receiver.url,
  });
  if (old.kind !== "CREATED") throw new Error(old.message);
  endpoint.known.secret = old.secret;
  return { ...scene, ...endpoint, old };
}

async function recreate(scene: WebhookScene, endpointId: string) {
  const made = await recreateEndpoint(scene.services, scene.setting, scene.owner(), endpointId);
  if (made.kind !== "CREATED") throw new Error(made.message);
  return made;
}

async function eventIds(scene: WebhookScene): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    "select id from webhook_events where organization_id = $1 order by id",
    [scene.organizationId],
  );
  return rows.map(({ id }) => id);
}

describe("a receiver that switches to the new secret", () => {
  it("misses nothing, and recognizes duplicates by their event id", async () => {
    const scene = await arrange();
    await scene.move();
    await scene.deliver();
    const made = await recreate(scene, scene.old.id);
    expect(made).toMatchObject({ url: scene.old.url });
    expect(made.secret).not.toBe(scene.old.secret);

    // It does not know the new secret yet: it accepts the old one and rejects the new one.
    await scene.move();
    await scene.deliver();
    expect(await scene.endpoint(scene.old.id)).toMatchObject({ status: "ENABLED" });
    const between = [...scene.accepted];
    expect(new Set(between)).toEqual(new Set(await eventIds(scene)));

    // Now it only knows the new secret. The old endpoint's remaining deliveries are handed over when the new one succeeds.
    scene.known.secret = made.secret;
    await scene.move();
    await scene.deliver();
    expect(await scene.endpoint(scene.old.id)).toMatchObject({
      status: "DELETED",
      sealed_secret: null,
      deleted_by: null,
    });
    expect(await scene.endpoint(made.id)).toMatchObject({ status: "ENABLED" });
    for (let round = 0; round < 2; round++) {
      scene.clock.advance(DAY_MS);
      await scene.deliver();
    }
    expect(new Set(scene.accepted)).toEqual(new Set(await eventIds(scene)));
    expect(scene.accepted.length, "events sent to both arrived twice, under one id").toBe(4);
    const { rows: withoutDelivery } = await database.pool.query(
      `select number from webhook_attempts a where organization_id = $1 and not exists (
         select from webhook_deliveries d where d.organization_id = a.organization_id
           and d.endpoint_id = a.endpoint_id and d.event_id = a.event_id)`,
      [scene.organizationId],
    );
    expect(withoutDelivery, "attempts of what was handed over").toEqual([]);

    const sent = scene.receiver.received.length;
    await scene.move();
    await scene.deliver();
    expect(scene.receiver.received.length, "only the new one gets events").toBe(sent + 1);
    expect(new Set(scene.accepted)).toEqual(new Set(await eventIds(scene)));
  });

  it("also gets events of changes that committed while the old endpoint was deleted", async () => {
    const scene = await arrange();
    await inOpenTransaction(database.ownerPool, async (slow) => {
      // A change that only sees the old endpoint and commits after its deletion.
      await slow.query(
        "select emit_events('transfer.changed', array[$1::uuid], array[$2::uuid], array[$3::timestamptz])",
        [scene.organizationId, newId(scene.clock.now()), scene.clock.now()],
      );
      const made = await recreate(scene, scene.old.id);
      scene.known.secret = made.secret;
      await scene.move();
      await scene.deliver();
      expect(await scene.endpoint(scene.old.id)).toMatchObject({ status: "DELETED" });
      await slow.query("commit");
    });
    await scene.move();
    await scene.deliver();
    expect(await eventIds(scene)).toHaveLength(3);
    expect(new Set(scene.accepted)).toEqual(new Set(await eventIds(scene)));
  });

  it("gets what waited for an endpoint that was off, without waiting for a new event", async () => {
    const scene = await arrange();
    await switchOffEndpoint(scene.services, scene.owner(), scene.old.id);
    await scene.move();
    await scene.move();
    expect(await scene.deliver()).toBe(0);
    const made = await recreate(scene, scene.old.id);
    expect(scene.woken).toContain("deliver-events");
    scene.known.secret = made.secret;
    expect(await scene.deliver()).toBe(2);
    expect(scene.accepted).toEqual(await eventIds(scene));
    expect(await scene.endpoint(scene.old.id)).toMatchObject({ status: "DELETED" });
    scene.clock.advance(DAY_MS);
    expect(await scene.deliver(), "nothing is sent twice").toBe(0);
  });
});

it("waiting deliveries of an endpoint are handed over in batches, completely", async () => {
  const scene = await arrange();
  await switchOffEndpoint(scene.services, scene.owner(), scene.old.id);
  await database.ownerPool.query(
    `select emit_events('transfer.changed', array_agg($1::uuid), array_agg(gen_random_uuid()),
        array_agg($2::timestamptz - n * interval '1 second'))
       from generate_series(1, 20050) as n`,
    [scene.organizationId, scene.clock.now()],
  );
  const made = await recreate(scene, scene.old.id);
  scene.known.secret = made.secret;
  const handedOn: number[] = [];
  for (let success = 0; success < 3; success++) {
    expect(await scene.delivery.runBatch(1)).toBe(1);
    await scene.delivery.drain();
    handedOn.push((await scene.deliveries(made.id)).length);
  }
  expect(handedOn).toEqual([10_000, 20_000, 20_050]);
  expect(await scene.deliveries(scene.old.id)).toEqual([]);
});

describe("a replacement", () => {
  it("is created once, however many members request it at once", async () => {
    const scene = await arrange();
    const results = await Promise.all(
      Array.from({ length: 6 }, () =>
        recreateEndpoint(scene.services, scene.setting, scene.owner(), scene.old.id),
      ),
    );
    expect(results.filter(({ kind }) => kind === "CREATED")).toHaveLength(1);
    const { endpoints } = await listEndpoints(
      { services: scene.services, context: scene.owner(), time: scene.time() },
      scene.setting,
    );
    expect(endpoints).toHaveLength(2);
    const [old, made] = endpoints;
    expect(old?.replacedBy).toMatchObject({ id: made?.id, secretHint: made?.secretHint });
    expect(made?.replaces).toMatchObject({ id: old?.id, secretHint: old?.secretHint });
  });

  it("can itself be replaced only after it has taken over", async () => {
    const scene = await arrange();
    const made = await recreate(scene, scene.old.id);
    expect(await recreateEndpoint(scene.services, scene.setting, scene.owner(), made.id)).toMatchObject({
      kind: "REFUSED",
      message: expect.stringContaining("recreate the first one"),
    });
    scene.known.secret = made.secret;
    await scene.move();
    await scene.deliver();
    expect(await recreate(scene, made.id)).toMatchObject({ kind: "CREATED" });
  });

  it("that is deleted leaves the first one unchanged, even if a running attempt succeeds", async () => {
    const scene = await arrange();
    const made = await recreate(scene, scene.old.id);
    const other = await startReceiver(async (delivery) => {
      if (!isSignedWith(made.secret, delivery)) return 204;
      await deleteEndpoint(scene.services, scene.owner(), made.id);
      return 204;
    });
    receivers.push(other);
    await database.ownerPool.query("update webhook_endpoints set url = $2 where id = any ($1)", [
      [made.id, scene.old.id],
      other.url,
    ]);
    await scene.move();
    expect(await scene.deliver()).toBe(2);
    expect(await scene.endpoint(made.id)).toMatchObject({ status: "DELETED" });
    expect(await scene.endpoint(scene.old.id)).toMatchObject({ status: "ENABLED" });
    expect(await recreate(scene, scene.old.id), "so that it can be recreated again").toMatchObject({
      kind: "CREATED",
    });
  });

  it("remains if the first one is deleted, and gets none of its deleted deliveries", async () => {
    const scene = await arrange();
    await scene.move();
    const made = await recreate(scene, scene.old.id);
    await deleteEndpoint(scene.services, scene.owner(), scene.old.id);
    scene.known.secret = made.secret;
    await scene.move();
    await scene.deliver();
    expect(scene.accepted).toEqual((await eventIds(scene)).slice(1));
    const { endpoints } = await listEndpoints(
      { services: scene.services, context: scene.owner(), time: scene.time() },
      scene.setting,
    );
    expect(endpoints).toMatchObject([{ id: made.id, replaces: null, state: { kind: "RECEIVING" } }]);
  });
});
