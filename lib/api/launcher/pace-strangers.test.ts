import { Agent, type ClientRequest, createServer, request as open, type ServerResponse } from "node:http";
import { afterEach, expect, it } from "vitest";
import { createStrangerPace } from "@/lib/api/launcher/pace-strangers";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import { portOf } from "@/lib/testing/servers/raw-server";
import { waitUntil } from "@/lib/testing/wait-until";

const LIMITS = {
  atOnce: 2,
  waitingPerNetwork: 20,
  waiting: 100,
  // Longer than any test.
  longestWaitMs: 120_000,
  longestTurnMs: 120_000,
  yieldMs: 120_000,
};
const MEMBER = "session=valid";

interface Answer {
  status: number | undefined;
  retryAfter: string | undefined;
  text: string;
}

/** A site whose pages for strangers are as slow as the test wants: each ends when the test says so. */
class Site {
  /** Pages that have begun and not ended, by the name of the request. */
  readonly held = new Map<string, ServerResponse>();
  /** In the order in which they began. */
  readonly begun: string[] = [];
  arrived = 0;
  /** Whose client disconnected. */
  left = 0;
  private readonly agent = new Agent();
  private readonly server;

  readonly limits: typeof LIMITS;

  constructor(limits: Partial<typeof LIMITS> = {}) {
    this.limits = { ...LIMITS, ...limits };
    const pace = createStrangerPace(async (cookies) => cookies === MEMBER, this.limits);
    this.server = createServer(async (request, response) => {
      // The launcher writes it.
      request.headers[CLIENT_ADDRESS_HEADER] = request.headers["x-network"];
      const name = (request.url ?? "").slice(1);
      response.once("close", () => {
        if (!response.writableFinished) this.left++;
      });
      const settled = pace(request, response);
      this.arrived++;
      const refusal = await settled;
      if (refusal) return response.writeHead(refusal.status, refusal.headers).end(refusal.text);
      if (name === "quick") return response.end("a member's page");
      this.begun.push(name);
      this.held.set(name, response);
      response.once("close", () => this.held.delete(name));
      return undefined;
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  /** Every request has a connection of its own. */
  ask(name: string, headers: Record<string, string>): { sent: ClientRequest; answer: Promise<Answer> } {
    const sent = open({
      agent: this.agent,
      host: "127.0.0.1",
      port: portOf(this.server),
      path: `/${name}`,
      headers,
    });
    const answer = new Promise<Answer>((resolve) => {
      sent.on("error", ({ message }) => resolve({ status: undefined, retryAfter: undefined, text: message }));
      sent.on("response", (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode, retryAfter: response.headers["retry-after"], text }),
        );
      });
    });
    sent.end();
    return { sent, answer };
  }

  /** Asks as a stranger, and returns once the request has its turn or waits for it. */
  async askAs(network: string, name: string): Promise<{ sent: ClientRequest; answer: Promise<Answer> }> {
    const arrived = this.arrived + 1;
    const asked = this.ask(name, { "x-network": network });
    await waitUntil(`${name} arrives`, () => this.arrived >= arrived);
    return asked;
  }

  end(name: string): void {
    const response = this.held.get(name);
    if (!response) throw new Error(`${name} has not begun`);
    response.end("a page");
  }

  close(): void {
    this.agent.destroy();
    this.server.closeAllConnections();
    this.server.close();
  }
}

let site: Site;
afterEach(() => site.close());

it("sixteen connections of a stranger leave a member's page undelayed, and all are answered in the end", async () => {
  site = await new Site().listen();
  const strangers = Array.from({ length: 16 }, (_, index) =>
    site.ask(String(index), { "x-network": "203.0.113.1", cookie: "session=forged" }),
  );
  await waitUntil("all have arrived", () => site.arrived === 16);
  expect(await site.ask("quick", { cookie: MEMBER }).answer).toMatchObject({ text: "a member's page" });
  expect(site.begun).toHaveLength(2);
  for (let answered = 0; answered < 16; answered++) {
    expect(site.held.size).toBeLessThanOrEqual(2);
    const [next] = site.held.keys();
    site.end(String(next));
    await waitUntil("it has its answer", () => !site.held.has(String(next)));
    await waitUntil("the next one begins", () => site.begun.length === Math.min(16, answered + 3));
  }
  const answers = await Promise.all(strangers.map(({ answer }) => answer));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
});

it("while members are being answered, strangers begin one by one, and rarely", async () => {
  site = await new Site().listen();
  site.ask("member", { cookie: MEMBER });
  await waitUntil("the member's page begins", () => site.held.has("member"));
  await site.askAs("203.0.113.1", "first");
  await site.askAs("203.0.113.1", "second");
  expect(site.begun).toEqual(["member", "first"]);
  site.end("member");
  await waitUntil("the second one begins", () => site.held.has("second"));
});

it("members who are always being answered lock no stranger out", async () => {
  site = await new Site({ yieldMs: 50 }).listen();
  site.ask("member", { cookie: MEMBER });
  await waitUntil("the member's page begins", () => site.held.has("member"));
  for (const name of ["first", "second"]) await site.askAs("203.0.113.1", name);
  await waitUntil("both begin", () => site.held.has("first") && site.held.has("second"));
});

it("a member's long download holds strangers up no longer than a turn", async () => {
  site = await new Site({ longestTurnMs: 50 }).listen();
  site.ask("member", { cookie: MEMBER });
  await waitUntil("the member's download begins", () => site.held.has("member"));
  for (const name of ["first", "second"]) await site.askAs("203.0.113.1", name);
  await waitUntil("both begin", () => site.held.has("first") && site.held.has("second"));
});

it("networks take turns, however many requests one of them sends", async () => {
  site = await new Site({ atOnce: 1 }).listen();
  for (const name of ["a1", "a2", "a3", "a4"]) await site.askAs("203.0.113.1", name);
  for (const name of ["b1", "b2"]) await site.askAs("2001:db8::1", name);
  // The rest of its /64 is the same network.
  await site.askAs("2001:db8::2", "b3");
  await site.askAs("198.51.100.1", "c1");
  const turns = ["a1", "a2", "b1", "c1", "a3", "b2", "a4", "b3"];
  for (const [index, name] of turns.entries()) {
    await waitUntil(`turn ${index}`, () => site.begun.length === index + 1);
    site.end(name);
  }
  expect(site.begun).toEqual(turns);
});

it("more than a network may have waiting get 429 and when to try again, and other networks do not", async () => {
  site = await new Site({ waitingPerNetwork: 3 }).listen();
  for (let index = 0; index < 5; index++) await site.askAs("203.0.113.1", String(index));
  const refused = await site.ask("too-many", { "x-network": "203.0.113.1" }).answer;
  expect(refused).toMatchObject({ status: 429, retryAfter: "10" });
  expect(refused.text).toContain("Wait 10 seconds");
  const other = await site.askAs("203.0.113.2", "other");
  site.end("0");
  site.end("1");
  await waitUntil("it has its turn", () => site.held.has("other"));
  site.end("other");
  expect(await other.answer).toMatchObject({ status: 200 });
});

it("with as many waiting as there may be, the network that has most gives way to one that has fewer", async () => {
  site = await new Site({ atOnce: 1, waiting: 3 }).listen();
  for (const name of ["a1", "a2", "a3"]) await site.askAs("203.0.113.1", name);
  const last = await site.askAs("203.0.113.1", "a4");
  await site.askAs("203.0.113.2", "b1");
  expect(await last.answer).toMatchObject({ status: 429 });
  // Two of one network and one of the other wait: neither gains by taking a place.
  for (const network of ["203.0.113.1", "203.0.113.2"])
    expect(await site.ask("refused", { "x-network": network }).answer).toMatchObject({ status: 429 });
  for (const [index, name] of ["a1", "a2", "b1", "a3"].entries()) {
    await waitUntil(name, () => site.begun.length === index + 1);
    site.end(name);
  }
  expect(site.begun).toEqual(["a1", "a2", "b1", "a3"]);
});

it("nobody waits longer than the limit says", async () => {
  site = await new Site({ atOnce: 1, longestWaitMs: 50 }).listen();
  await site.askAs("203.0.113.1", "slow");
  expect(await site.ask("waits", { "x-network": "203.0.113.2" }).answer).toMatchObject({ status: 429 });
  expect(site.begun).toEqual(["slow"]);
});

it("a client that disconnects leaves the line, and no page is made for it", async () => {
  site = await new Site({ atOnce: 1, waitingPerNetwork: 1 }).listen();
  await site.askAs("203.0.113.1", "first");
  const leaves = await site.askAs("203.0.113.1", "leaves");
  leaves.sent.destroy();
  await waitUntil("the server notices", () => site.left === 1);
  // There is room for one.
  await site.askAs("203.0.113.1", "next");
  site.end("first");
  await waitUntil("the next one begins", () => site.held.has("next"));
  expect(site.begun).toEqual(["first", "next"]);
});

it("a client that never reads its page keeps nobody else from a turn", async () => {
  site = await new Site({ atOnce: 1, longestTurnMs: 50 }).listen();
  await site.askAs("203.0.113.1", "unread");
  const next = await site.askAs("203.0.113.2", "next");
  await waitUntil("the next one begins", () => site.held.has("next"));
  site.limits.longestTurnMs = LIMITS.longestTurnMs;
  site.end("next");
  expect(await next.answer).toMatchObject({ status: 200 });
  // Its late end frees no second place.
  site.end("unread");
  await waitUntil("it ends", () => !site.held.has("unread"));
  await site.askAs("203.0.113.1", "third");
  await site.askAs("203.0.113.1", "fourth");
  expect(site.begun).toEqual(["unread", "next", "third"]);
});
