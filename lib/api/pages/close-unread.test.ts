import { Agent, createServer, request as open } from "node:http";
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { afterAll, expect, it } from "vitest";
import { closeUnread } from "@/lib/api/pages/close-unread";
import { portOf } from "@/lib/testing/raw-server";

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
