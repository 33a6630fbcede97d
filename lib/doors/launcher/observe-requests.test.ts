import { once } from "node:events";
import { createServer, request } from "node:http";
import pino from "pino";
import { afterAll, expect, it } from "vitest";
import { observeRequest } from "@/lib/doors/launcher/observe-requests";
import { portOf } from "@/lib/testing/raw-server";

/** What an operator is woken for: a door that answers 500 once it has what was sent, or half of it. */
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
    incoming.resume().once("end", fail).once("error", fail);
  });
}).listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function levelOf(send: (sent: ReturnType<typeof request>) => Promise<unknown>): Promise<number> {
  lines.length = 0;
  const told = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const sent = request({ port: portOf(server), host: "127.0.0.1", method: "POST", path: "/rules" });
  sent.on("error", () => undefined);
  await send(sent);
  await told;
  return JSON.parse(lines[0] ?? "{}").level;
}

it("is woken by a fault of ours", async () => {
  expect(await levelOf(async (sent) => sent.end("whole"))).toBe(50);
});

it("is not woken by whoever hangs up in the middle of a body", async () => {
  const half = async (sent: ReturnType<typeof request>) => {
    const came = once(server, "request");
    sent.write("half");
    await came;
    sent.destroy();
  };
  expect(await levelOf(half)).toBe(30);
});
