import { Agent, createServer, IncomingMessage, request as open } from "node:http";
import { connect, Socket } from "node:net";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { closeUnread, isSentByNext, settlePageRequest } from "@/lib/api/launcher/settle-page-request";
import { portOf } from "@/lib/testing/servers/raw-server";

const APP_URL = "https://money.example";
const MARK = "nobody knows it";
const ACTION = "40".padEnd(42, "a");

function ask(asked: { method?: string; url?: string; headers?: Record<string, string | string[]> }) {
  const request = new IncomingMessage(new Socket());
  request.method = asked.method ?? "GET";
  request.url = asked.url ?? "/rules?state=active";
  request.headers = { host: "money.example", ...asked.headers };
  const refusal = settlePageRequest(request, {
    appUrl: APP_URL,
    hasAction: (id) => id === ACTION,
    mark: MARK,
  });
  return { status: refusal?.status ?? null, headers: request.headers, refusal };
}

describe("a request for a page", () => {
  it("goes on as it is when a browser sent it", () => {
    const headers = { accept: "text/html", cookie: "a=b", rsc: "1" };
    expect(ask({ headers })).toMatchObject({ status: null, headers });
    expect(ask({ url: "/" }).status).toBe(null);
    expect(ask({ url: "/invitations/%C3%A4?next=%2F" }).status).toBe(null);
  });

  it.each([
    "*",
    "",
    "x",
    "\\x",
    "http://[::1/",
    "http://evil.example/",
    "/%zz",
    "/%ff",
    "/%",
    "/x%00",
    "/rules?q=%00",
  ])("for the address %s is refused with 400, where Next would answer 500", (url) => {
    expect(ask({ url }).status).toBe(400);
  });

  it.each(["[::1", "a/b?c#d@e", "localhost:99999", "\xff", "a b", ""])(
    "of the host %s is refused with 400, where Next would answer 500",
    (host) => {
      expect(ask({ headers: { host } }).status).toBe(400);
    },
  );

  it.each(["TRACE", "PROPFIND", "PUT", "DELETE", "M-SEARCH"])(
    "with the method %s is refused with 405 and what there is",
    (method) => {
      expect(ask({ method }).refusal).toMatchObject({
        status: 405,
        headers: { Allow: "GET, HEAD, POST, OPTIONS" },
      });
    },
  );

  it("with the method OPTIONS gets the allowed methods, for files too, and admits no other site", () => {
    const { refusal } = ask({ method: "OPTIONS", url: "/app-icon.svg" });
    expect(refusal).toEqual({ status: 204, text: "", headers: { Allow: "GET, HEAD, POST, OPTIONS" } });
  });

  it.each(["x-forwarded-host", "next-resume", "x-middleware-subrequest", "x-matched-path", "upgrade"])(
    "cannot speak for a part of Next in the header %s",
    (name) => {
      expect(ask({ headers: { [name]: "evil" } }).headers).not.toHaveProperty(name);
    },
  );

  it("keeps the router's state that a browser sends, and loses one that cannot be read", () => {
    const state = (value: unknown) => encodeURIComponent(JSON.stringify(value));
    const keeps = (header: string) =>
      ask({ headers: { rsc: "1", "next-router-state-tree": header } }).headers["next-router-state-tree"] ===
      header;
    expect(keeps(state(["", { children: ["__PAGE__", {}] }, null, null, 16]))).toBe(true);
    expect(
      keeps(
        state(["", { children: ["rules", { children: [["id", "x", "d", null], {}, null, "refetch"] }] }]),
      ),
    ).toBe(true);
    const nested = `${'["",{"children":'.repeat(300)}1${"}]".repeat(300)}`;
    for (const header of [
      "",
      "{",
      "%",
      "null",
      "[]",
      state(["", { children: "x" }]),
      nested,
      "x".repeat(50_000),
    ])
      expect(keeps(header), header.slice(0, 40)).toBe(false);
  });
});

describe("a call of a server action", () => {
  const call = (headers: Record<string, string>) =>
    ask({ method: "POST", headers: { origin: APP_URL, "next-action": ACTION, ...headers } });

  it("goes on from our own page, also through a proxy that puts its own host in", () => {
    expect(call({}).status).toBe(null);
    expect(call({ host: "upstream:3000" })).toMatchObject({
      status: null,
      headers: { host: "money.example" },
    });
    expect(call({ host: "localhost:8443", origin: "https://localhost:8443" }).status).toBe(null);
  });

  it("that Next forwards to itself is known as forwarded, so that it is not sent on without an end", () => {
    const { headers } = call({ "x-action-forwarded": "1", "x-sluice-seen": "guessed" });
    expect(headers).not.toHaveProperty("x-action-forwarded");
    expect(headers["x-sluice-seen"]).toBe(MARK);
    expect(call({ "x-sluice-seen": MARK }).headers).toHaveProperty("x-action-forwarded", "1");
  });

  it("leads to requests that Next sends to itself, which only the mark tells from a stranger's", () => {
    expect(isSentByNext({ headers: { "x-sluice-seen": MARK } }, MARK)).toBe(true);
    expect(isSentByNext({ headers: { "x-sluice-seen": "guessed" } }, MARK)).toBe(false);
    expect(isSentByNext({ headers: {} }, MARK)).toBe(false);
  });

  it.each([
    "null",
    "https://evil.example",
    "\xff",
    "https://money.example.evil.example",
    "http://money.example",
    "https://money.example:444",
  ])("from a page of %s is refused with 403", (origin) => {
    expect(call({ origin }).status).toBe(403);
    const form = { "content-type": "multipart/form-data; boundary=x", origin };
    expect(ask({ method: "POST", headers: form }).status).toBe(403);
  });

  it.each(["http", "https", "http, https"])(
    "from a page of our name at another scheme is refused, whatever the header says (%s)",
    (scheme) => {
      const origin = "http://money.example";
      expect(call({ origin, "x-forwarded-proto": scheme }).status).toBe(403);
    },
  );

  it("that a page sends which names no origin goes on where the browser says that it is ours", () => {
    const form = { "content-type": "multipart/form-data; boundary=x", origin: "null" };
    const send = (site: string) => ask({ method: "POST", headers: { ...form, "sec-fetch-site": site } });
    expect(send("same-origin")).toMatchObject({ status: null, headers: { origin: APP_URL } });
    for (const site of ["cross-site", "same-site", "none"]) expect(send(site).status, site).toBe(403);
  });

  it("or any other POST of another site's page is refused with 403", () => {
    const form = { "content-type": "application/x-www-form-urlencoded", origin: "https://evil.example" };
    expect(ask({ method: "POST", url: "/organization", headers: form }).status).toBe(403);
  });

  it.each(["x", "", "__proto__", "f".repeat(42), `${ACTION}0`])(
    "that there is not (%s) is 404, in the words by which a browser of another build loads the page again",
    (id) => {
      expect(call({ "next-action": id }).refusal).toMatchObject({
        status: 404,
        headers: { "X-Nextjs-Action-Not-Found": "1" },
      });
    },
  );
});

/** Plays Next: takes the body into a buffer of its own, and answers without reading that, often with the head apart. */
const server = createServer((request, response) => {
  closeUnread(request, response);
  request.pipe(new PassThrough());
  response.statusCode = 400;
  if (request.url === "/in-parts") response.write("refused, ");
  response.end("refused");
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => {
  agent.destroy();
  server.close();
});

function send(body: Buffer | null, path = "/"): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const sent = open(
      {
        agent,
        host: "127.0.0.1",
        port: portOf(server),
        path,
        method: "POST",
        headers: { "Content-Length": body?.length ?? 0 },
      },
      (response) => {
        response.resume();
        response.on("close", () => resolve(response.headers.connection));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

it("a body that nobody read does not keep the next request of its client from being answered", async () => {
  const body = Buffer.alloc(4 * 1024 * 1024);
  // It has come to its end when the head is written; where that is written before, nobody knows yet.
  expect(await send(body)).toBe("keep-alive");
  expect(await send(body, "/in-parts")).toBe("close");
  expect(await send(null)).toBe("keep-alive");
  expect(await send(null)).toBe("keep-alive");
});

it("its sender is heard out after the refusal, and reads all of it, and not of a broken pipe", async () => {
  const length = 6 * 1024 * 1024;
  const begun = Buffer.alloc(64 * 1024);
  const answer = new Promise<string>((resolve, reject) => {
    const socket = connect(portOf(server), "127.0.0.1");
    let text = "";
    socket.write(`POST /in-parts HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`);
    socket.write(begun);
    // The refusal begins, and they are still in the middle of what they send.
    socket.once("data", () => socket.write(Buffer.alloc(length - begun.length)));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
  expect((await answer).split("\r\n\r\n")[1]).toBe("9\r\nrefused, \r\n7\r\nrefused\r\n0");
});

it("who begins a body and never goes on is answered, and cut off", async () => {
  const answered = new Promise<number | undefined>((resolve, reject) => {
    const sent = open({
      host: "127.0.0.1",
      port: portOf(server),
      method: "POST",
      headers: { "Content-Length": 10 },
    });
    sent.on("response", (response) => {
      response.resume();
      response.on("close", () => resolve(response.statusCode));
    });
    sent.on("error", reject);
    sent.write("x");
  });
  expect(await answered).toBe(400);
});
