import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { describe, expect, it, vi } from "vitest";
import { createSandboxReceivers, HeldAnswers } from "@/lib/api/sandbox/app";
import { REMEMBERED_RECEIPTS, type ReceiverMode, SILENCE_MS } from "@/lib/contract/sandbox";
import { DELIVERY_TIMEOUT_MS } from "@/lib/contract/webhooks";
import { setReceiver } from "@/lib/core/sandbox/receiver";
import { newId } from "@/lib/platform/ids";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestSandbox } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";
import { readReceiver } from "@/lib/views/sandbox/read-receiver";

/**
 * A receiver that anyone who knows its address may call. Goal: it keeps no more than it says, however much is sent; it
 * is not there where real things are; and no silence keeps a process from stopping.
 */
const KIBIBYTE = 1_024;

const database = useTestDatabase();

async function arrange(isOpen = true) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { owner } = organization;
  const world = createTestSandbox(services, true);
  const receivers = createSandboxReceivers(services, isOpen);
  const set = (mode: ReceiverMode) => setReceiver(services, world, owner, mode);
  await set("OK");
  const read = async () => {
    const view = await readReceiver({ services, context: owner }, world);
    if (!view?.address) throw new Error("There is no receiver");
    return { ...view, address: view.address };
  };
  const { address } = await read();
  const event = () => {
    const now = clock.now();
    const resource = { type: "transfer", id: newId(now) };
    return { id: newId(now), type: "transfer.changed", resource, created_at: now.toISOString() };
  };
  const post = (body: string = JSON.stringify(event()), to = address, method = "POST") =>
    receivers.fetch(new Request(to, { method, ...(method === "POST" && { body }) }));
  return { services, clock, organization, owner, receivers, set, read, address, event, post };
}

describe("the sandbox's receiver", () => {
  it.each([
    ["OK", [204, 204, 204, 204, 204, 204]],
    ["UNAVAILABLE", [503, 503]],
    ["ERROR", [500, 500]],
    ["GONE", [410, 410]],
    ["FLAKY", [204, 204, 503, 204, 204, 503]],
  ] as const)("told to answer %s answers %j, and remembers that it did", async (mode, expected) => {
    const scene = await arrange();
    await scene.set(mode);
    const answered: number[] = [];
    for (const _ of expected) answered.push((await scene.post()).status);
    expect(answered).toEqual(expected);
    const { receipts } = await scene.read();
    expect(receipts.map(({ status }) => status)).toEqual([...expected].reverse());
  });

  it("remembers what arrived and when, in business time, and what it answered before a change of mode", async () => {
    const scene = await arrange();
    const first = scene.event();
    await scene.post(JSON.stringify(first));
    await database.ownerPool.query("update organizations set clock_offset_ms = 86400000 where id = $1", [
      scene.organization.organizationId,
    ]);
    await scene.set("UNAVAILABLE");
    const second = scene.event();
    await scene.post(JSON.stringify(second));
    const now = scene.clock.now().getTime();
    expect((await scene.read()).receipts).toEqual([
      {
        place: 2,
        at: new Date(now + 86_400_000).toISOString(),
        eventId: second.id,
        type: "transfer.changed",
        resource: second.resource,
        status: 503,
      },
      expect.objectContaining({ place: 1, at: new Date(now).toISOString(), eventId: first.id, status: 204 }),
    ]);
  });

  it("remembers the last twenty of any number, also of many at once, and counts them all", async () => {
    const scene = await arrange();
    const count = 3 * REMEMBERED_RECEIPTS + 5;
    const answers = await Promise.all(Array.from({ length: count }, () => scene.post()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    const { receipts } = await scene.read();
    expect(receipts.map(({ place }) => place)).toEqual(
      Array.from({ length: REMEMBERED_RECEIPTS }, (_, index) => count - index),
    );
    const { rows } = await database.pool.query(
      "select count(*)::int as count from sandbox_receipts where organization_id = $1",
      [scene.organization.organizationId],
    );
    expect(rows).toEqual([{ count: REMEMBERED_RECEIPTS }]);
  });

  it("takes what may be an event and nothing else: 400 for another body, 413 for more than 16 KiB, none remembered", async () => {
    const scene = await arrange();
    const event = scene.event();
    for (const body of ["", "[]", "no JSON", JSON.stringify({ ...event, state: "COMPLETE" }), "\u0000"]) {
      expect((await scene.post(body)).status, body).toBe(400);
    }
    const padded = (bytes: number) => JSON.stringify(event).padEnd(bytes);
    const tooLong = await scene.post(padded(16 * KIBIBYTE + 1));
    expect([tooLong.status, tooLong.headers.get("connection")]).toEqual([413, "close"]);
    expect((await scene.read()).receipts).toEqual([]);
    expect((await scene.post(padded(16 * KIBIBYTE))).status).toBe(204);
  });

  it("stops reading a body without end", async () => {
    const scene = await arrange();
    let pulled = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(KIBIBYTE));
      },
    });
    // undici's type knows that a stream needs `duplex`; the global one does not.
    const init: RequestInit & { duplex: "half" } = { method: "POST", body: endless, duplex: "half" };
    const response = await scene.receivers.fetch(new Request(scene.address, init));
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(32);
  });

  it("does not exist for a guesser: one 404 for another token, no token, another method, any body", async () => {
    const scene = await arrange();
    const base = scene.address.slice(0, -32);
    const answers = [
      await scene.post(undefined, `${base}${"0".repeat(32)}`),
      await scene.post("no JSON", `${base}${"0".repeat(32)}`),
      await scene.post(undefined, `${base}short`),
      await scene.post(
        undefined,
        `${scene.address.toUpperCase().replace("SANDBOX/RECEIVERS", "sandbox/receivers")}A`,
      ),
      await scene.post(undefined, `${base}%00`),
      await scene.post(undefined, `${scene.address}/more`),
      await scene.post(undefined, scene.address, "GET"),
      await scene.post(undefined, scene.address, "DELETE"),
    ];
    for (const answer of answers) {
      expect([answer.status, await answer.text()]).toEqual([404, "Not Found"]);
    }
    expect((await scene.read()).receipts).toEqual([]);
  });

  it("keeps what another organization's receiver had out of its own", async () => {
    const [ours, theirs] = [await arrange(), await arrange()];
    await theirs.set("ERROR");
    expect((await ours.post()).status).toBe(204);
    expect((await theirs.post()).status).toBe(500);
    expect((await ours.read()).receipts).toHaveLength(1);
    expect((await theirs.read()).receipts).toHaveLength(1);
  });

  it("is closed where something is real or webhooks may not go to this machine, even for those who know the address", async () => {
    const scene = await arrange(false);
    const answer = await scene.post();
    expect([answer.status, await answer.text()]).toEqual([404, "Not Found"]);
    expect((await scene.read()).receipts).toEqual([]);
  });
});

describe("a receiver that is silent", () => {
  it("outlasts the sender's timeout, and ends anyway", async () => {
    expect(SILENCE_MS).toBeGreaterThan(DELIVERY_TIMEOUT_MS);
    vi.useFakeTimers();
    try {
      const held = new HeldAnswers().hold(new AbortController().signal);
      await vi.advanceTimersByTimeAsync(SILENCE_MS - 1);
      expect(await Promise.race([held, Promise.resolve("WAITS")])).toBe("WAITS");
      await vi.advanceTimersByTimeAsync(1);
      expect(await held).toBe("SILENT");
    } finally {
      vi.useRealTimers();
    }
  });

  it("keeps 64 waiting and no more: the next is refused at once, until one goes away", async () => {
    const answers = new HeldAnswers();
    const senders = Array.from({ length: 64 }, () => new AbortController());
    const held = senders.map(({ signal }) => answers.hold(signal));
    expect(await answers.hold(new AbortController().signal)).toBe("REFUSED");
    senders[0]?.abort();
    expect(await held[0]).toBe("GONE_AWAY");
    const late = answers.hold(new AbortController().signal);
    answers.release();
    expect(await Promise.all([...held.slice(1), late])).toEqual(Array(64).fill("REFUSED"));
    expect(await answers.hold(AbortSignal.abort())).toBe("REFUSED");
  });

  it("does not keep a process from stopping: held requests are answered 503, and the server closes", async () => {
    const scene = await arrange();
    await scene.set("SILENT");
    const server = createServer(
      getRequestListener((request) => scene.receivers.fetch(request), { overrideGlobalObjects: false }),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const bound = server.address();
    if (typeof bound !== "object" || bound === null) throw new Error("A TCP server has a port");
    const url = `http://127.0.0.1:${bound.port}${new URL(scene.address).pathname}`;
    const send = () => fetch(url, { method: "POST", body: JSON.stringify(scene.event()) });
    const waiting = [send(), send()];
    await waitUntil("both are held", async () => (await scene.read()).receipts.length === 2);
    const closed = new Promise((resolve) => server.close(resolve));
    scene.receivers.release();
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    // A connection kept alive would hold the server open.
    expect(answers.map(({ headers }) => headers.get("connection"))).toEqual(["close", "close"]);
    await closed;
    expect((await scene.post()).status, "nor does one that comes now").toBe(503);
    expect((await scene.read()).receipts.map(({ status }) => status)).toEqual([null, null, null]);
  });
});
