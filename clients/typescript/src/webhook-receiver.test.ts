/**
 * The receiver behind real HTTP and behind Fetch: what is handled is handled once, what failed comes again, and nothing
 * that does not verify is handled at all.
 */
import { once } from "node:events";
import { createServer, request as httpRequest, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { eventBody } from "@/lib/core/webhooks/claim-deliveries";
import { makeSigningSecret, signDelivery } from "@/lib/core/webhooks/sign-delivery";
import { newId } from "@/lib/platform/ids";
import {
  createMemorySeenEvents,
  createWebhookReceiver,
  type ReceivedEvent,
  type SeenEvents,
  toNodeListener,
  type WebhookReceiverOptions,
} from "./index.js";

const T_MS = 1_795_182_012_000;
const SECRET = makeSigningSecret();

function makeDelivery(secret = SECRET, atMs = T_MS) {
  const id = newId(new Date(atMs));
  const body = eventBody({
    id,
    type: "transfer.changed",
    resourceType: "transfer",
    resourceId: newId(new Date(atMs)),
    createdAt: new Date(atMs),
  });
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "X-Service-Event-Id": id,
    "X-Service-Signature": signDelivery(secret, body, new Date(atMs)).header,
  };
  return { id, body, headers };
}

const toRequest = ({ body, headers }: { body: string; headers: Record<string, string> }) =>
  new Request("https://receiver.test/hooks", { method: "POST", body, headers });

/** A receiver that notes what it handled and what went wrong. */
function arrange(options: Partial<WebhookReceiverOptions> = {}) {
  const handled: ReceivedEvent[] = [];
  const errors: [unknown, ReceivedEvent | null][] = [];
  let nowMs = T_MS;
  const receive = createWebhookReceiver({
    secrets: SECRET,
    now: () => nowMs,
    seen: createMemorySeenEvents({ now: () => nowMs }),
    onEvent: (event) => {
      handled.push(event);
    },
    onError: (...error) => errors.push(error),
    ...options,
  });
  return {
    receive,
    handled,
    errors,
    pass: (milliseconds: number) => {
      nowMs += milliseconds;
    },
    /** Sends the same event as Sluice would now: with a signature of its own. */
    again: ({ body, headers }: ReturnType<typeof makeDelivery>) =>
      receive(
        toRequest({
          body,
          headers: { ...headers, "X-Service-Signature": signDelivery(SECRET, body, new Date(nowMs)).header },
        }),
      ),
  };
}

/** A promise that the test resolves or rejects. */
function makeGate() {
  let open = (): void => undefined;
  let fail = (_: Error): void => undefined;
  const gate = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { gate, open: () => open(), fail: (error: Error) => fail(error) };
}

describe("a delivery that verifies", () => {
  it("is handled and answered with 204, without a body", async () => {
    const { receive, handled, errors } = arrange();
    const delivery = makeDelivery();
    const answer = await receive(toRequest(delivery));
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(handled).toEqual([JSON.parse(delivery.body)]);
    expect(errors).toEqual([]);
  });

  it("is handled once, however often it comes in 24 hours", async () => {
    const { again, handled, pass } = arrange();
    const delivery = makeDelivery();
    for (const hours of [0, 1, 22.9]) {
      pass(hours * 3_600_000);
      expect((await again(delivery)).status).toBe(204);
    }
    expect(handled).toHaveLength(1);
  });

  it("is handled once when it comes five times at the same moment, and each waits for what becomes of it", async () => {
    const { gate, open } = makeGate();
    const verified = makeGate();
    let [asked, calls, answered] = [0, 0, 0];
    const { receive } = arrange({
      // Asked once for each delivery, when its signature has matched.
      now: () => {
        asked += 1;
        if (asked === 5) verified.open();
        return T_MS;
      },
      onEvent: () => {
        calls += 1;
        return gate;
      },
    });
    const delivery = makeDelivery();
    const statuses = [1, 2, 3, 4, 5].map(async () => {
      const { status } = await receive(toRequest(delivery));
      answered += 1;
      return status;
    });
    await verified.gate;
    // Everything that any of them can do without the handler is done then.
    await new Promise((resolve) => setImmediate(resolve));
    // Were one answered with 204 by now, an event whose handler fails would be lost.
    expect([calls, answered]).toEqual([1, 0]);
    open();
    expect(await Promise.all(statuses)).toEqual([204, 204, 204, 204, 204]);
    expect(calls).toBe(1);
  });

  it("is left to another process that handles it at this moment, and comes again", async () => {
    const { receive, handled } = arrange({
      seen: { begin: () => "UNDER_WAY", done: () => undefined, failed: () => undefined },
    });
    expect((await receive(toRequest(makeDelivery()))).status).toBe(409);
    expect(handled).toEqual([]);
  });

  it("does not wait for another event", async () => {
    const { gate, open } = makeGate();
    const slow = makeDelivery();
    const { receive } = arrange({ onEvent: ({ id }) => (id === slow.id ? gate : undefined) });
    const first = receive(toRequest(slow));
    expect((await receive(toRequest(makeDelivery()))).status).toBe(204);
    open();
    expect((await first).status).toBe(204);
  });
});

describe("a handler that fails", () => {
  it("gets the event again: 500, and not taken for seen", async () => {
    let isUp = false;
    const handled: string[] = [];
    const { receive, errors } = arrange({
      onEvent: ({ id }) => {
        if (!isUp) throw new Error("database is away");
        handled.push(id);
      },
    });
    const delivery = makeDelivery();
    const answer = await receive(toRequest(delivery));
    expect([answer.status, await answer.text()]).toEqual([500, "It was not handled. Send it again.\n"]);
    expect(errors).toEqual([[new Error("database is away"), JSON.parse(delivery.body)]]);
    isUp = true;
    expect((await receive(toRequest(delivery))).status).toBe(204);
    expect(handled).toEqual([delivery.id]);
  });

  it("fails all concurrent deliveries, is reported once, and gets the event again", async () => {
    const { gate, fail } = makeGate();
    const entered = makeGate();
    let calls = 0;
    const { receive, errors } = arrange({
      onEvent: () => {
        calls += 1;
        entered.open();
        return calls === 1 ? gate : undefined;
      },
    });
    const delivery = makeDelivery();
    const both = [receive(toRequest(delivery)), receive(toRequest(delivery))];
    await entered.gate;
    fail(new Error("no"));
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    // The second one either shared the first run, or came after it and succeeded.
    expect([
      [500, 500],
      [204, 500],
    ]).toContainEqual(statuses.sort());
    expect(errors).toHaveLength(1);
    expect((await receive(toRequest(delivery))).status).toBe(204);
    expect(calls).toBe(2);
  });
});

describe("a store that fails", () => {
  const store = (changed: Partial<SeenEvents>): SeenEvents => ({ ...createMemorySeenEvents(), ...changed });
  const broken = () => Promise.reject(new Error("store is away"));

  it("before the event: nothing is handled, and it comes again", async () => {
    const { receive, handled, errors } = arrange({ seen: store({ begin: broken }) });
    expect((await receive(toRequest(makeDelivery()))).status).toBe(500);
    expect(handled).toEqual([]);
    expect(errors).toMatchObject([[{ message: "store is away" }, {}]]);
  });

  it("after the event: it arrives again, because it is not known to be handled", async () => {
    const { receive, errors } = arrange({ seen: store({ done: broken }) });
    expect((await receive(toRequest(makeDelivery()))).status).toBe(500);
    expect(errors).toMatchObject([[{ message: "store is away" }, {}]]);
  });

  it("after the handler failed: both are reported", async () => {
    const { receive, errors } = arrange({
      seen: store({ failed: broken }),
      onEvent: () => Promise.reject(new Error("database is away")),
    });
    expect((await receive(toRequest(makeDelivery()))).status).toBe(500);
    expect(errors).toMatchObject([
      [{ errors: [{ message: "database is away" }, { message: "store is away" }] }, {}],
    ]);
  });
});

describe("something other than a delivery", () => {
  it.each([
    ["signed with another secret", makeDelivery("whsec_another"), "NO_MATCH"],
    ["old", makeDelivery(SECRET, T_MS - 301_000), "TOO_OLD"],
    ["from the future", makeDelivery(SECRET, T_MS + 301_000), "TOO_NEW"],
    ["without a signature", { body: "{}", headers: {} }, "MISSING_SIGNATURE"],
    ["without a body", { body: "", headers: makeDelivery().headers }, "NO_MATCH"],
  ])("is answered with 400 and the reason, and not handled: %s", async (_, delivery, reason) => {
    const { receive, handled, errors } = arrange();
    const answer = await receive(toRequest(delivery));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(`${reason}: `);
    expect([handled, errors]).toEqual([[], []]);
  });

  it("keeps no event from being handled: a forgery that names its id is not remembered", async () => {
    const { receive, handled } = arrange();
    const delivery = makeDelivery();
    const forged = {
      ...delivery,
      headers: { ...delivery.headers, "X-Service-Signature": `t=1,v1=${"0".repeat(64)}` },
    };
    expect((await receive(toRequest(forged))).status).toBe(400);
    expect((await receive(toRequest(delivery))).status).toBe(204);
    expect(handled).toHaveLength(1);
  });

  it("is answered with 413 where it is too large, at its stated size and at its real one", async () => {
    const { receive, handled } = arrange();
    const { headers } = makeDelivery();
    const stated = new Request("https://receiver.test", {
      method: "POST",
      headers: { ...headers, "content-length": String(256 * 1024 + 1) },
      body: "{}",
    });
    expect((await receive(stated)).status).toBe(413);
    expect((await receive(toRequest({ headers, body: " ".repeat(256 * 1024 + 1) }))).status).toBe(413);
    expect(handled).toEqual([]);
  });

  it("is answered with 405 where it is no POST", async () => {
    const answer = await arrange().receive(new Request("https://receiver.test"));
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

it.each([[""], [[]], [[SECRET, ""]]])("a receiver without a secret does not start: %j", (secrets) => {
  expect(() => createWebhookReceiver({ secrets, onEvent: () => undefined })).toThrow(TypeError);
});

describe("the store in memory", () => {
  it("forgets what is done after 24 hours, and the oldest where there are too many", async () => {
    let nowMs = 0;
    const seen = createMemorySeenEvents({ maximumEvents: 2, now: () => nowMs });
    for (const id of ["a", "b", "c"]) {
      expect(await seen.begin(id)).toBe("NEW");
      await seen.done(id);
    }
    expect([await seen.begin("c"), await seen.begin("b"), await seen.begin("a")]).toEqual([
      "DONE",
      "DONE",
      "NEW",
    ]);
    nowMs = 24 * 3_600_000 - 1;
    expect(await seen.begin("c")).toBe("DONE");
    nowMs += 1;
    expect(await seen.begin("c")).toBe("NEW");
  });

  it("remembers events in progress, however many others arrive", async () => {
    const seen = createMemorySeenEvents({ maximumEvents: 1, now: () => 0 });
    await seen.begin("slow");
    for (const id of ["a", "b", "c"]) {
      await seen.begin(id);
      await seen.done(id);
    }
    expect(await seen.begin("slow")).toBe("UNDER_WAY");
  });
});

describe("behind node:http", () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function listen(listener: ReturnType<typeof toNodeListener>): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
    return `http://127.0.0.1:${address.port}/hooks`;
  }

  it("handles, refuses and drops as it does behind Fetch", async () => {
    const { receive, handled } = arrange();
    const url = await listen(toNodeListener(receive));
    const delivery = makeDelivery();
    const send = (init: RequestInit) => fetch(url, { method: "POST", ...init });
    expect((await send(delivery)).status).toBe(204);
    expect((await send(delivery)).status).toBe(204);
    const altered = await send({ ...delivery, body: delivery.body.replace("transfer", "transfex") });
    expect([altered.status, await altered.text()]).toEqual([400, expect.stringContaining("NO_MATCH")]);
    expect((await fetch(url)).status).toBe(405);
    expect(handled).toHaveLength(1);
  });

  it("answers 413 without reading to an end that never comes, and ends the connection", async () => {
    const url = await listen(toNodeListener(arrange().receive));
    const request = httpRequest(url, { method: "POST", headers: makeDelivery().headers });
    request.on("error", () => undefined);
    request.write(" ".repeat(256 * 1024 + 1));
    const [response] = await once(request, "response");
    expect([response.statusCode, response.headers.connection]).toEqual([413, "close"]);
    response.resume();
    await once(response, "close");
  });
});
