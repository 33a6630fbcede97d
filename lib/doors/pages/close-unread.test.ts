import { Agent, createServer, request as open } from "node:http";
import { PassThrough } from "node:stream";
import { afterAll, expect, it } from "vitest";
import { closeUnread } from "@/lib/doors/pages/close-unread";
import { portOf } from "@/lib/testing/raw-server";

/** Plays Next: takes the body into a buffer of its own, and answers without reading that. */
const server = createServer((request, response) => {
  closeUnread(request, response);
  request.pipe(new PassThrough());
  response.end("refused");
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => {
  agent.destroy();
  server.close();
});

function send(body: Buffer | null): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const sent = open(
      {
        agent,
        host: "127.0.0.1",
        port: portOf(server),
        method: "POST",
        headers: { "Content-Length": body?.length ?? 0 },
      },
      (response) => {
        response.resume();
        response.on("close", () => resolve(response.headers.connection));
      },
    );
    // The rest of a body that nobody reads may be refused, after the answer.
    sent.on("error", reject);
    sent.end(body);
  });
}

it("a body that nobody read does not keep the next request of its client from being answered", async () => {
  expect(await send(Buffer.alloc(4 * 1024 * 1024))).toBe("close");
  expect(await send(null)).toBe("keep-alive");
  expect(await send(null)).toBe("keep-alive");
});
