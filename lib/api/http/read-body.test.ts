import { once } from "node:events";
import { createServer, IncomingMessage, request, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBody } from "@/lib/api/http/read-body";
import { AppError } from "@/lib/contract/error";
import { MAXIMUM_BODY_BYTES } from "@/lib/contract/limits";
import { portOf } from "@/lib/testing/servers/raw-server";

/** Bodies as they come over a connection: in pieces, without a length, too long, or broken off. */
let server: Server;
let reported: (what: string) => void = () => undefined;
beforeAll(async () => {
  const listener = getRequestListener((request, { incoming }) => answer(request, incoming));
  server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/**
 * As the launcher hands it over (open-server.ts), which then takes the rest of a body off the connection. MCP reads the
 * web request, and a client may have left while its caller was authenticated.
 */
async function answer(request: Request, incoming: object): Promise<Response> {
  if (!(incoming instanceof IncomingMessage)) throw new Error("This is HTTP/1.1");
  try {
    if (incoming.url === "/late") await new Promise((resolve) => incoming.once("close", resolve));
    return new Response(await readBody(incoming.url === "/web" ? request : incoming));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    reported(`${error.code} ${error.message}`);
    return new Response(error.code, { status: 413 });
  }
}

const open = (path = "/") => request({ port: portOf(server), host: "127.0.0.1", method: "POST", path });

async function send(pieces: readonly (string | Buffer)[]): Promise<{ status?: number; body: string }> {
  const sent = open();
  const answered = once(sent, "response");
  for (const piece of pieces) sent.write(piece);
  sent.end();
  const [response] = await answered;
  return { status: response.statusCode, body: await text(response) };
}

test("a body that comes in pieces and without a length is read to its end", async () => {
  const euro = Buffer.from("€");
  const { status, body } = await send(['{"a":"', euro.subarray(0, 1), euro.subarray(1), '"}']);
  expect({ status, body }).toEqual({ status: 200, body: '{"a":"€"}' });
});

test("no body is an empty text", async () => {
  expect(await send([])).toEqual({ status: 200, body: "" });
});

test("a body of one byte too many is refused, and the refusal reaches a client that is still sending", async () => {
  const most = "x".repeat(MAXIMUM_BODY_BYTES);
  expect((await send([most])).status).toBe(200);
  expect(await send([most, "x"])).toEqual({ status: 413, body: "PAYLOAD_TOO_LARGE" });
  expect(await send(Array.from({ length: 8 }, () => most))).toEqual({
    status: 413,
    body: "PAYLOAD_TOO_LARGE",
  });
  expect(await send(["next"])).toEqual({ status: 200, body: "next" });
});

test.each([
  ["", "/"],
  [" and read as a web request", "/web"],
  [" before it is read", "/late"],
])(
  "a body cut off midway%s ends the wait, as the sender's error rather than an internal one",
  async (_, path) => {
    const ended = new Promise<string>((resolve) => {
      reported = resolve;
    });
    const came = once(server, "request");
    const sent = open(path);
    sent.on("error", () => undefined);
    sent.write('{"half":');
    await came;
    sent.destroy();
    expect(await ended).toBe("INVALID_PARAMETERS The connection closed before the body was complete.");
  },
);
