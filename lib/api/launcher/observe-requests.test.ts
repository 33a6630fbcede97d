import { once } from "node:events";
import { createServer, request } from "node:http";
import pino from "pino";
import { afterAll, expect, it } from "vitest";
import { observeRequest } from "@/lib/api/launcher/observe-requests";
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
    if (incoming.url === "/rules") incoming.resume().once("end", fail).once("error", fail);
    // As Next does: the fault stands in the answer before anything of it is sent.
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
  const told = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const sent = request({ port: portOf(server), host: "127.0.0.1", method: "POST", path });
  sent.on("error", () => undefined);
  await send(sent);
  await told;
  return JSON.parse(lines[0] ?? "{}");
}

it("is woken by a fault of ours", async () => {
  expect(await lineOf(async (sent) => sent.end("whole"))).toMatchObject({ level: 50, status: 500 });
});

it("is not woken by whoever hangs up in the middle of a body", async () => {
  const half = async (sent: Sent) => {
    const came = once(server, "request");
    sent.write("half");
    await came;
    sent.destroy();
  };
  expect(await lineOf(half)).toMatchObject({ level: 30, isAnswered: false });
});

it("is not woken by an answer that nobody was there to be told of", async () => {
  const left = async (sent: Sent) => {
    const came = once(server, "request");
    sent.end("whole");
    await came;
    sent.destroy();
  };
  expect(await lineOf(left, "/left")).toMatchObject({ level: 30, status: 499, isAnswered: false });
});
