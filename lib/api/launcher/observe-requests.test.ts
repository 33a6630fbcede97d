import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { observeRequest, type PageRoute, readPageRoutes, routeOf } from "@/lib/api/launcher/observe-requests";
import { transportOf } from "@/lib/api/launcher/transports";
import { portOf } from "@/lib/testing/servers/raw-server";

/** What an operator is woken for: a transport that answers 500 once it has what was sent, or half of it. */
const lines: string[] = [];
const log = pino({}, { write: (line) => void lines.push(line) });
let ended: () => void = () => undefined;
const observer = { log, tracing: undefined, pageRoute: undefined, ended: () => ended() };
const server = createServer((incoming, response) => {
  observeRequest(observer, incoming, response, () => {
    const fail = () => {
      response.statusCode = 500;
      response.end("broken");
    };
    if (incoming.url === "/rules") incoming.resume().once("end", fail).once("error", fail);
    // As Next does: the error is set on the answer before any of it is sent.
    else response.statusCode = 500;
  });
}).listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Sent = ReturnType<typeof request>;

async function lineOf(
  send: (sent: Sent) => Promise<unknown>,
  path = "/rules",
): Promise<{ level?: number; status?: number; isAnswered?: boolean }> {
  lines.length = 0;
  const reported = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const sent = request({ port: portOf(server), host: "127.0.0.1", method: "POST", path });
  sent.on("error", () => undefined);
  await send(sent);
  await reported;
  return JSON.parse(lines[0] ?? "{}");
}

it("is alerted by an internal error", async () => {
  expect(await lineOf(async (sent) => sent.end("whole"))).toMatchObject({ level: 50, status: 500 });
});

it("is not alerted by a client that disconnects mid-body", async () => {
  const half = async (sent: Sent) => {
    const came = once(server, "request");
    sent.write("half");
    await came;
    sent.destroy();
  };
  expect(await lineOf(half)).toMatchObject({ level: 30, isAnswered: false });
});

it("is not alerted by an answer that reached nobody", async () => {
  const left = async (sent: Sent) => {
    const came = once(server, "request");
    sent.end("whole");
    await came;
    sent.destroy();
  };
  expect(await lineOf(left, "/left")).toMatchObject({ level: 30, status: 499, isAnswered: false });
});

/** What logs, metrics and traces say of an address. Goal: no secret of one, and never one more series for one more id. */
const SECRET = "f3a9c1d2e4";

let folder: string;
let pageRoute: PageRoute;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-routes-"));
  const file = join(folder, "routes-manifest.json");
  // As Next writes it.
  const manifest = {
    version: 3,
    staticRoutes: [
      { page: "/", regex: "^/(?:/)?$" },
      { page: "/settings/api-keys", regex: "^/settings/api\\-keys(?:/)?$" },
    ],
    dynamicRoutes: [
      { page: "/invitations/[token]", regex: "^/invitations/([^/]+?)(?:/)?$" },
      { page: "/reset/[token]", regex: "^/reset/([^/]+?)(?:/)?$" },
    ],
  };
  await writeFile(file, JSON.stringify(manifest));
  pageRoute = await readPageRoutes(file);
});
afterAll(() => rm(folder, { recursive: true }));

const reported = (address: string) => {
  const transport = transportOf(address);
  return [transport, routeOf(transport, address.split("?", 1)[0] ?? "", pageRoute)];
};

describe("an address", () => {
  it.each([
    ["/", "web", "/"],
    ["/?approvalTransferId=01a0", "web", "/"],
    ["/settings/api-keys", "web", "/settings/api-keys"],
    [`/invitations/${SECRET}`, "web", "/invitations/[token]"],
    [`/reset/${SECRET}?from=email`, "web", "/reset/[token]"],
    [`/invitations/${SECRET}/more`, "web", "(none)"],
    [`/_next/static/chunks/${SECRET}.js`, "web", "/_next/static/:file"],
    [`/sandbox/receivers/${SECRET}`, "sandbox", "/sandbox/receivers/:token"],
    ["/sandbox", "web", "(none)"],
    [`/oauth/authorize/${SECRET}`, "oauth", "/oauth/authorize/:uid"],
    ["/oauth/token", "oauth", "/oauth/token"],
    [`/oauth/${SECRET}`, "oauth", "(none)"],
    [`/.well-known/oauth-authorization-server/${SECRET}`, "oauth", "/.well-known/:document"],
    [`/platform/v1/${SECRET}`, "api", "(none)"],
    [`/hooks/${SECRET}`, "hooks", "(none)"],
    ["/healthz", "health", "/healthz"],
    ["/metrics?x=1", "metrics", "/metrics"],
    ["//example.com/%2e%2e", "web", "(none)"],
  ])("%s is reported as %s %s", (address, transport, route) => {
    expect(reported(address)).toEqual([transport, route]);
    expect(route).not.toContain(SECRET);
  });

  it("has no route while pages are compiled on request", () => {
    expect(routeOf("web", `/reset/${SECRET}`, undefined)).toBe("(none)");
  });
});
