/** The sender against receivers on this machine that behave as badly as receivers can. */
import type { Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { KEPT_ANSWER_CHARACTERS, MAXIMUM_ANSWER_BYTES } from "@/lib/contract/webhooks";
import { EgressError } from "@/lib/platform/egress/resolve-host";
import {
  answerText,
  createWebhookSender,
  type SenderSeams,
} from "@/lib/ports/webhooks/create-webhook-sender";
import type { WebhookAnswer } from "@/lib/ports/webhooks/webhook-sender";
import { type RawServer, startRawServer } from "@/lib/testing/servers/raw-server";
import { startReceiver } from "@/lib/testing/webhooks";

/** Long enough for a loaded machine, short enough to wait for. */
const TIMEOUT_MS = 400;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0).reverse()) await end();
});

function sending(seams: SenderSeams = {}, allowsPrivate = true) {
  const sender = createWebhookSender({ allowsPrivate }, seams);
  ends.push(() => sender.close());
  return (url: string) =>
    sender.post({ url, headers: { "content-type": "application/json" }, body: '{"id":1}' });
}

/** Answers the first bytes of each connection. */
async function startRaw(answer: (socket: Socket) => void): Promise<RawServer & { url: string }> {
  const server = await startRawServer((socket) => socket.once("data", () => answer(socket)));
  ends.push(() => server.close());
  return Object.assign(server, { url: `http://127.0.0.1:${server.port}/hooks` });
}

async function postTo(answer: (socket: Socket) => void, seams: SenderSeams = {}): Promise<WebhookAnswer> {
  return await sending(seams)((await startRaw(answer)).url);
}

describe("a delivery", () => {
  it("arrives byte for byte, with its sender's name", async () => {
    const receiver = await startReceiver(() => 200);
    ends.push(() => receiver.close());
    expect(await sending()(`${receiver.url}?a=b%20c`)).toMatchObject({
      statusCode: 200,
      problem: null,
      answer: "",
    });
    const [arrived] = receiver.received;
    expect(arrived?.body).toBe('{"id":1}');
    expect(arrived?.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": "8",
      "user-agent": "Sluice-Webhooks/1",
    });
    expect(arrived?.headers).not.toHaveProperty("cookie");
  });

  it("keeps its connection for the next one", async () => {
    const server = await startRawServer((socket) => {
      socket.on("data", () => socket.write("HTTP/1.1 204 No Content\r\nset-cookie: a=b\r\n\r\n"));
    });
    ends.push(() => server.close());
    const post = sending();
    for (let sent = 0; sent < 20; sent++) {
      expect((await post(`http://127.0.0.1:${server.port}/`)).problem).toBeNull();
    }
    // A simultaneous one opens a second connection; the third reuses the first.
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  it.each([200, 201, 202, 204, 299])("answered with %i was delivered", async (status) => {
    const answer = await postTo((socket) => socket.end(`HTTP/1.1 ${status} X\r\nconnection: close\r\n\r\n`));
    expect(answer).toMatchObject({ statusCode: status, problem: null });
  });

  it.each([400, 401, 404, 410, 429, 500, 503, 600, 999])(
    "answered with %i was not delivered",
    async (status) => {
      const answer = await postTo((socket) =>
        socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: 4\r\n\r\nno\u0000!`),
      );
      expect(answer).toMatchObject({ statusCode: status, problem: "STATUS", answer: "no\uFFFD!" });
    },
  );

  it("says how long the receiver asks to wait, in seconds or as a date", async () => {
    const asked = async (header: string, others = "") =>
      (
        await postTo((socket) =>
          socket.end(`HTTP/1.1 429 X\r\nretry-after: ${header}\r\n${others}content-length: 0\r\n\r\n`),
        )
      ).retryAfterMs;
    expect(await asked("120")).toBe(120_000);
    for (const header of ["-1", "1.5", "soon", "1e9", "", "99999999999"])
      expect(await asked(header)).toBeNull();
    // By the clock of the receiver, which may be years off.
    const date = "date: Fri, 20 Nov 2026 12:00:00 GMT\r\n";
    expect(await asked("Fri, 20 Nov 2026 12:02:00 GMT", date)).toBe(120_000);
    expect(await asked("Fri, 20 Nov 2026 11:00:00 GMT", date)).toBe(0);
    expect(await asked("Fri, 20 Nov 2026 12:02:00 GMT")).toBeNull();
    expect(await asked("30", "retry-after: 60\r\n")).toBe(30_000);
    expect((await postTo((socket) => socket.destroy())).retryAfterMs).toBeNull();
  });

  it("waits for the response after early hints", async () => {
    const hints = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
    const answer = await postTo((socket) => socket.end(`${hints}${hints}HTTP/1.1 204 X\r\n\r\n`));
    expect(answer).toMatchObject({ statusCode: 204, problem: null });
  });

  it("ignores proxies of the environment, which would look the host up themselves", async () => {
    const proxy = await startRaw((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"])
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    const answer = await postTo((socket) => socket.end("HTTP/1.1 204 X\r\n\r\n"));
    expect(answer.statusCode).toBe(204);
    expect((await sending({}, false)("https://10.0.0.1/")).problem).toBe("ADDRESS");
    expect(proxy.connections).toBe(0);
  });
});

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("with %i is not followed", async (status) => {
    const elsewhere = await startRaw((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    const answer = await postTo((socket) =>
      socket.end(
        `HTTP/1.1 ${status} X\r\nlocation: ${elsewhere.url}?token=secret\r\ncontent-length: 0\r\n\r\n`,
      ),
    );
    expect(answer).toMatchObject({
      statusCode: status,
      problem: "REDIRECT",
      answer: `It redirects to http://127.0.0.1:${elsewhere.port}. Redirects are not followed.`,
    });
    expect(elsewhere.connections).toBe(0);
  });

  it.each([
    ["", "It redirects. Redirects are not followed."],
    ["location: http://[broken\r\n", "It redirects. Redirects are not followed."],
    ["location: javascript:alert(1)\r\n", "It redirects to javascript:. Redirects are not followed."],
    [
      "location: //user:secret@evil.example/a\r\n",
      "It redirects to http://evil.example. Redirects are not followed.",
    ],
  ])("shows the target without secret or hostile parts: %j", async (location, says) => {
    const answer = await postTo((socket) =>
      socket.end(`HTTP/1.1 302 Found\r\n${location}content-length: 0\r\n\r\n`),
    );
    expect(answer).toMatchObject({ problem: "REDIRECT", answer: says });
  });
});

describe("an accepted event stays delivered", () => {
  it("when the response body trickles beyond the time limit", async () => {
    const answer = await postTo(
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n");
        const dripping = setInterval(() => socket.write("drip "), 20);
        socket.on("close", () => clearInterval(dripping));
      },
      // On a busy machine the status takes its time, too.
      { timeoutMs: 5 * TIMEOUT_MS },
    );
    expect(answer).toMatchObject({ statusCode: 200, problem: null });
    expect(answer.answer).toMatch(/^drip drip /);
  });

  it("when the body is endless: no more is read than is stored, and the connection is not reused", async () => {
    let written = 0;
    const answered: Socket[] = [];
    const server = await startRaw((socket) => {
      answered.push(socket);
      socket.on("data", () => answered.push(socket));
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const pour = () => {
        while (!socket.destroyed && socket.write(`1000\r\n${"x".repeat(4096)}\r\n`)) written += 4096;
      };
      socket.on("drain", pour);
      pour();
    });
    const post = sending();
    expect(await post(server.url)).toMatchObject({
      statusCode: 200,
      problem: null,
      answer: "x".repeat(KEPT_ANSWER_CHARACTERS),
    });
    expect((await post(server.url)).statusCode).toBe(200);
    expect(answered, "two requests on one connection each").toHaveLength(2);
    expect(new Set(answered).size).toBe(2);
    await expect.poll(() => answered.every(({ destroyed }) => destroyed)).toBe(true);
    // Plus what the systems' buffers took.
    expect(written).toBeLessThan(MAXIMUM_ANSWER_BYTES + 32 * 1024 * 1024);
  });

  it.each([
    ["breaks off", "content-length: 100\r\n\r\nthanks"],
    ["is malformed", "transfer-encoding: chunked\r\n\r\n6\r\nthanks\r\nzz\r\n"],
  ])("when the body %s", async (_name, rest) => {
    const answer = await postTo((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    expect(answer).toMatchObject({ statusCode: 200, problem: null, answer: "thanks" });
  });
});

describe("a failed delivery says why", () => {
  it("TIMEOUT: nothing is answered", async () => {
    const answer = await postTo(() => undefined, { timeoutMs: TIMEOUT_MS });
    expect(answer).toMatchObject({
      statusCode: null,
      problem: "TIMEOUT",
      answer: "No answer within 0.4 seconds",
    });
    expect(answer.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 5);
  });

  it.each([
    ["trickling headers (slow loris)", "HTTP/1.1 200 OK\r\n", "x-drip: drip\r\n"],
    ["hints without end", "", "HTTP/1.1 103 Early Hints\r\n\r\n"],
  ])("TIMEOUT: %s", async (_name, begin, drip) => {
    const answer = await postTo(
      (socket) => {
        socket.write(begin);
        const dripping = setInterval(() => socket.write(drip), 50);
        socket.on("close", () => clearInterval(dripping));
      },
      { timeoutMs: TIMEOUT_MS },
    );
    expect(answer).toMatchObject({ statusCode: null, problem: "TIMEOUT" });
  });

  it("TIMEOUT: no connection is established", async () => {
    let giveUp = () => {};
    const resolve = () =>
      new Promise<never>((_resolve, reject) => {
        giveUp = () => reject(new EgressError("DNS", "late"));
      });
    const post = sending({ timeoutMs: TIMEOUT_MS, resolve });
    expect(await post("http://hooks.example/")).toMatchObject({ statusCode: null, problem: "TIMEOUT" });
    giveUp();
  });

  it("TIMEOUT: what waited too long for a connection is not sent once there is one", async () => {
    const receiver = await startReceiver(() => 204);
    ends.push(() => receiver.close());
    const waiting: ((addresses: string[]) => void)[] = [];
    const resolve = () => new Promise<string[]>((found) => waiting.push(found));
    const post = sending({ timeoutMs: TIMEOUT_MS, resolve });
    const url = receiver.url.replace("127.0.0.1", "hooks.example");
    const late = post(url);
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    // Its connection opens just as the time runs out, while nothing else may run.
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
    ends.push(async () => vi.restoreAllMocks());
    expect(await late).toMatchObject({ statusCode: null, problem: "TIMEOUT" });
    const next = post(url);
    for (const found of waiting) found(["127.0.0.1"]);
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    for (const found of waiting) found(["127.0.0.1"]);
    expect((await next).problem).toBeNull();
    expect(receiver.received).toHaveLength(1);
  });

  it.each(["UNKNOWN_HOST", "DNS"] as const)("DNS: %s", async (problem) => {
    const post = sending({
      resolve: async (hostname) => {
        throw new EgressError(problem, `${hostname} could not be found`);
      },
    });
    expect(await post("http://hooks.example/")).toMatchObject({
      statusCode: null,
      problem: "DNS",
      answer: "hooks.example could not be found",
    });
  });

  it("ADDRESS: the name now leads to a private address", async () => {
    const post = sending({ resolve: async () => ["10.0.0.1"] }, false);
    expect(await post("https://hooks.example/")).toMatchObject({
      statusCode: null,
      problem: "ADDRESS",
      answer: "hooks.example leads to a private address",
    });
  });

  it.each(["http://hooks.example/", "https://user:secret@hooks.example/", "not an address"])(
    "ADDRESS: %s could be saved before, and no longer receives deliveries",
    async (url) => {
      const answer = await sending({ resolve: async () => ["93.184.216.34"] }, false)(url);
      expect(answer).toMatchObject({ statusCode: null, problem: "ADDRESS" });
      expect(answer.answer).not.toContain("secret");
    },
  );

  it("CONNECTION: nobody listens", async () => {
    const server = await startRawServer(() => undefined);
    await server.close();
    expect(await sending()(`http://127.0.0.1:${server.port}/`)).toMatchObject({ problem: "CONNECTION" });
  });

  it("CONNECTION: it is closed or reset before an answer", async () => {
    expect(await postTo((socket) => socket.destroy())).toMatchObject({ problem: "CONNECTION" });
    expect(await postTo((socket) => socket.resetAndDestroy())).toMatchObject({ problem: "CONNECTION" });
  });

  it("TLS: the receiver does not speak TLS", async () => {
    const server = await startRaw((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    expect(await sending()(`https://127.0.0.1:${server.port}/`)).toMatchObject({ problem: "TLS" });
  });

  it.each([
    ["no HTTP", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["an invalid header", "HTTP/1.1 200 OK\r\nbroken\u0001header\r\n\r\n"],
    ["an invalid status", "HTTP/1.1 000 X\r\ncontent-length: 0\r\n\r\n"],
    ["a status below any", "HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n"],
    ["an invalid length", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n"],
    ["headers without end", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`],
  ])("PROTOCOL: %s", async (_name, stated) => {
    expect(await postTo((socket) => socket.end(stated))).toMatchObject({
      statusCode: null,
      problem: "PROTOCOL",
    });
  });

  it("CONNECTION: it requests a protocol upgrade", async () => {
    const answer = await postTo((socket) =>
      socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    );
    expect(answer).toMatchObject({ statusCode: null, problem: "CONNECTION" });
  });
});

describe("a receiver's response, as stored", () => {
  it("shows nothing that is invisible, forges a line or reverses the text", () => {
    expect(answerText("ok\u0000\u001b[31m\u202e0052$\u200b\u2028\ufeff")).toBe(
      "ok\uFFFD\uFFFD[31m\uFFFD0052$\uFFFD\uFFFD\uFFFD",
    );
  });

  it("keeps lines, letters of every script and emoji", () => {
    expect(answerText("überwiesen\r\n\tثبت\n👍🏽")).toBe("überwiesen\n ثبت\n👍🏽");
  });

  it("can be stored whatever its bytes: no NUL and no lone surrogate is left", () => {
    expect(answerText(Buffer.from([0xff, 0x00, 0xc3, 0x28, 0xf0, 0x9f]))).toBe("\uFFFD\uFFFD\uFFFD(\uFFFD");
    const cut = answerText("a".repeat(KEPT_ANSWER_CHARACTERS - 1) + "👍".repeat(10));
    expect(cut).toHaveLength(KEPT_ANSWER_CHARACTERS);
    expect(cut.at(-1)).toBe("\uFFFD");
  });
});
