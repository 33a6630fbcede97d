import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  Sluice,
  SluiceConnectionError,
  SluiceError,
  type SluiceOptions,
  SluiceTimeoutError,
} from "./index.js";

/** A server on a real socket that answers as the test says, one request after the other. */
interface Scripted {
  status: number | "BREAK" | "SILENCE";
  headers?: Record<string, string>;
  body?: unknown;
}
interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let server: Server;
let baseUrl: string;
let script: Scripted[];
let received: Received[];
let waits: number[];
/** What the client takes for the time; its waits move it. */
let clockMs: number;
beforeEach(async () => {
  clockMs = 0;
  script = [];
  received = [];
  waits = [];
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    const next = script.shift() ?? { status: 500 };
    if (next.status === "SILENCE") return;
    if (next.status === "BREAK") {
      request.socket.destroy();
      return;
    }
    response.writeHead(next.status, { "Content-Type": "application/json", ...next.headers });
    response.end(typeof next.body === "string" ? next.body : JSON.stringify(next.body ?? {}));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  baseUrl = `http://127.0.0.1:${address.port}/platform/v1/`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

/** Notes its waits instead of waiting. */
const client = (options: Partial<SluiceOptions> = {}) =>
  new Sluice({
    baseUrl,
    apiKey: "sluice_test",
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      clockMs += milliseconds;
    },
    now: () => clockMs,
    ...options,
  });

const body = { sourceAccountId: "a", destinationAccountId: "b", amountInCents: 100 };
const accepted = (status = "PROCESSING"): Scripted => ({
  status: 202,
  body: { data: { id: "t1", status }, requestId: "r1" },
});
const refused = (status: number, code: string, headers: Record<string, string> = {}): Scripted => ({
  status,
  headers: { "X-Request-Id": "r2", ...headers },
  body: { error: { code, message: `Because of ${code}.` } },
});
const keys = () => received.map(({ headers }) => headers["idempotency-key"]);

describe("a write whose answer is lost", () => {
  it.each([
    ["the connection breaks", { status: "BREAK" }],
    ["something broke on the other side", refused(500, "UNEXPECTED_ERROR")],
    ["a proxy answers for it", { status: 502, body: "<html>Bad Gateway</html>" }],
    ["the first request is still in progress", refused(409, "TRANSFER_IN_PROGRESS")],
  ] satisfies [string, Scripted][])(
    "is sent again with the same key and body when %s",
    async (_, failure) => {
      script = [failure, failure, accepted()];
      const answer = await client().createTransfer(body);
      expect(answer).toEqual({
        data: { id: "t1", status: "PROCESSING" },
        requestId: "r1",
        status: 202,
        isReplayed: false,
      });
      expect(keys()).toHaveLength(3);
      expect(new Set(keys()).size).toBe(1);
      expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/);
      expect(new Set(received.map((request) => request.body)).size).toBe(1);
    },
  );

  it("fails after the maximum of attempts, and reports the key", async () => {
    script = Array.from({ length: 9 }, () => ({ status: "BREAK" }) satisfies Scripted);
    const failure = await client({ maximumAttempts: 3 })
      .createTransfer(body)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SluiceConnectionError);
    expect(failure).toMatchObject({ idempotencyKey: keys()[0] });
    expect(received).toHaveLength(3);
  });

  it("counts as lost when no answer comes in time", async () => {
    script = [{ status: "SILENCE" }, accepted()];
    await client({ attemptTimeoutMs: 200 }).createTransfer(body);
    expect(new Set(keys()).size).toBe(1);
    expect(received).toHaveLength(2);
  });
});

describe("two calls", () => {
  it("have two keys: they are two transfers", async () => {
    script = [accepted(), accepted()];
    const sluice = client();
    await sluice.createTransfer(body);
    await sluice.createTransfer(body);
    expect(new Set(keys()).size).toBe(2);
  });

  it("have the caller's key where the caller has one", async () => {
    script = [accepted()];
    await client().createTransfer(body, { idempotencyKey: "payroll-2026-11" });
    expect(keys()).toEqual(["payroll-2026-11"]);
  });
});

describe("waiting", () => {
  it("is at least as long as the API asks for, and not the same for everyone", async () => {
    script = [refused(429, "RATE_LIMIT_EXCEEDED", { "Retry-After": "7" }), accepted()];
    await client().createTransfer(body);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(7_000);
    expect(waits[0]).toBeLessThan(8_000);
    expect(new Set(keys()).size).toBe(1);
  });

  it("is an error instead where the API asks for more than the caller allows", async () => {
    script = [refused(429, "RATE_LIMIT_EXCEEDED", { "Retry-After": "50" })];
    await expect(client({ maximumWaitMs: 10_000 }).listAccounts()).rejects.toMatchObject({
      code: "RATE_LIMIT_EXCEEDED",
      retryAfterSeconds: 50,
      requestId: "r2",
    });
    expect(waits).toEqual([]);
  });

  it("without a word of the API grows at most twofold, with a random share, to 10 s", async () => {
    script = Array.from({ length: 12 }, () => refused(500, "UNEXPECTED_ERROR"));
    await expect(client({ maximumAttempts: 12 }).listAccounts()).rejects.toBeInstanceOf(SluiceError);
    expect(waits).toHaveLength(11);
    for (const [index, delay] of waits.entries()) {
      expect(delay).toBeGreaterThanOrEqual(0);
      expect(delay).toBeLessThanOrEqual(Math.min(500 * 2 ** index, 10_000));
    }
  });

  it("ends at once when the caller aborts, also in real time", async () => {
    script = [refused(429, "RATE_LIMIT_EXCEEDED", { "Retry-After": "60" })];
    const controller = new AbortController();
    const sluice = new Sluice({ baseUrl, apiKey: "sluice_test" });
    const call = sluice.listAccounts({}, { signal: controller.signal });
    await once(server, "request");
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
  });
});

describe("a refusal", () => {
  it.each([
    [400, "INVALID_PARAMETERS"],
    [400, "IDEMPOTENCY_KEY_MISMATCH"],
    [401, "UNAUTHORIZED"],
    [403, "ACCESS_DENIED"],
    [404, "TRANSFER_NOT_FOUND"],
    [409, "RULE_VERSION_CONFLICT"],
  ])("is not asked for twice: %s %s", async (status, code) => {
    script = [refused(status, code), accepted()];
    await expect(client().createTransfer(body)).rejects.toMatchObject({
      name: "SluiceError",
      code,
      status,
      requestId: "r2",
      message: `Because of ${code}.`,
    });
    expect(received).toHaveLength(1);
  });

  it("that is not an answer of the API says so", async () => {
    script = [{ status: 404, headers: { "Content-Type": "text/plain" }, body: "Not Found" }];
    const failure = await client()
      .listAccounts()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "UNKNOWN", status: 404 });
    expect(String(failure)).toContain("Check baseUrl.");
  });

  it("is what a redirect is: the key is sent where it was meant to go, and nowhere else", async () => {
    script = [{ status: 307, headers: { Location: `${baseUrl}elsewhere` } }, accepted()];
    await expect(client().createTransfer(body)).rejects.toMatchObject({ code: "UNKNOWN", status: 307 });
    expect(received).toHaveLength(1);
  });
});

describe("a request", () => {
  it("takes lists, texts in any script and ids apart as the API reads them", async () => {
    script = [{ status: 200, body: { data: { items: [], pagination: {} }, requestId: "r" } }];
    await client({ calledReason: "Bücher prüfen ✓" }).listTransfers({ accountId: ["a", "b"], page: 2 });
    expect(received[0]).toMatchObject({
      method: "GET",
      url: "/platform/v1/transfers?accountId=a&accountId=b&page=2",
    });
    const reason = Buffer.from(String(received[0]?.headers["x-called-reason"]), "latin1").toString("utf8");
    expect(reason).toBe("Bücher prüfen ✓");
    expect(received[0]?.headers.authorization).toBe("Bearer sluice_test");
    expect(keys()).toEqual([undefined]);
  });

  it.each(["", ".", ".."])("does not go to another operation by the id %j", async (id) => {
    await expect(client().getTransfer({ id })).rejects.toThrow(TypeError);
    expect(received).toEqual([]);
  });
});

describe("waiting for a transfer", () => {
  it("polls at growing intervals until the status is final, and tolerates not finding it at first", async () => {
    script = [
      refused(404, "TRANSFER_NOT_FOUND"),
      accepted("APPROVAL_PENDING"),
      accepted("PROCESSING"),
      accepted("RETURNED"),
    ];
    expect(await client().waitForTransfer("t1")).toMatchObject({ status: "RETURNED" });
    expect(waits).toHaveLength(3);
    for (const [index, delay] of waits.entries()) {
      expect(delay).toBeGreaterThanOrEqual(400 * 2 ** index);
      expect(delay).toBeLessThanOrEqual(500 * 2 ** index);
    }
  });

  it("ends in time with the transfer's last state", async () => {
    script = Array.from({ length: 20 }, () => accepted("APPROVAL_PENDING"));
    const failure = await client()
      .waitForTransfer("t1", { timeoutMs: 5_000 })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SluiceTimeoutError);
    expect(failure).toMatchObject({ last: { status: "APPROVAL_PENDING" } });
    expect(waits.reduce((sum, delay) => sum + delay, 0)).toBeCloseTo(5_000, 3);
  });

  it("notices a decision within 30 seconds, however long it took", async () => {
    script = [...Array.from({ length: 40 }, () => accepted("APPROVAL_PENDING")), accepted("COMPLETE")];
    const done = await client().waitForTransfer("t1", { timeoutMs: 24 * 3_600_000 });
    expect(done).toMatchObject({ status: "COMPLETE" });
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
    expect(Math.max(...waits)).toBeGreaterThan(20_000);
  });

  it("counts the time of its requests and their retries too", async () => {
    script = [
      accepted("PROCESSING"),
      ...Array.from({ length: 3 }, () => refused(429, "RATE_LIMIT_EXCEEDED", { "Retry-After": "60" })),
      accepted("PROCESSING"),
      accepted("COMPLETE"),
    ];
    await expect(client().waitForTransfer("t1", { timeoutMs: 100_000 })).rejects.toMatchObject({
      name: "SluiceTimeoutError",
      last: { status: "PROCESSING" },
    });
    expect(script, "the last answer was not asked for").toHaveLength(1);
  });

  it("ends in time also where the API does not answer", async () => {
    script = [accepted("PROCESSING"), { status: "SILENCE" }];
    const sluice = new Sluice({ baseUrl, apiKey: "sluice_test", wait: async () => undefined });
    const failure = await sluice.waitForTransfer("t1", { timeoutMs: 300 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SluiceTimeoutError);
    expect(failure).toMatchObject({ last: { status: "PROCESSING" } });
  });

  it("ends at once when its caller does", async () => {
    script = [{ status: "SILENCE" }];
    const controller = new AbortController();
    const waiting = client().waitForTransfer("t1", { signal: controller.signal });
    await once(server, "request");
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });

  it("reads once even without time to wait", async () => {
    script = [accepted("COMPLETE")];
    expect(await client().waitForTransfer("t1", { timeoutMs: 0 })).toMatchObject({ status: "COMPLETE" });
  });

  it("takes a transfer that stays unknown for what it is", async () => {
    script = Array.from({ length: 20 }, () => refused(404, "TRANSFER_NOT_FOUND"));
    await expect(client().waitForTransfer("t1")).rejects.toMatchObject({ code: "TRANSFER_NOT_FOUND" });
  });
});

describe("waiting for a run of a rule", () => {
  it("polls until it has ended, and asks for the run of that rule", async () => {
    script = [refused(404, "RULE_EXECUTION_NOT_FOUND"), accepted("IN_PROGRESS"), accepted("PARTIAL")];
    expect(await client().waitForRuleExecution({ ruleId: "r1", id: "e1" })).toMatchObject({
      status: "PARTIAL",
    });
    const asked = received.map(({ url }) => new URL(url ?? "", baseUrl));
    expect(new Set(asked.map(({ pathname }) => pathname))).toEqual(
      new Set(["/platform/v1/rules/r1/executions/e1"]),
    );
    expect(
      asked.map(({ searchParams }) => searchParams.get("wait")),
      "once it is known, the server waits",
    ).toEqual([null, null, "25"]);
  });

  it("ends in time with its last state", async () => {
    script = Array.from({ length: 30 }, () => accepted("APPROVAL_PENDING"));
    await expect(
      client().waitForRuleExecution({ ruleId: "r1", id: "e1" }, { timeoutMs: 5_000 }),
    ).rejects.toMatchObject({ name: "SluiceTimeoutError", last: { status: "APPROVAL_PENDING" } });
  });
});
