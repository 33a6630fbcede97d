/**
 * A client that asks for much and stops reading. Promise: its response ends, and so does what it held; one that reads
 * slowly and one whose response takes long to begin get theirs.
 */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { endUnreadResponse } from "@/lib/api/launcher/end-unread-response";

const TIMEOUT_MS = 300;
/** More than the buffers of both sides hold. */
const MANY_BYTES = 64 * 1024 * 1024;
const PAUSES = 12;
/** Ten times a pause, so that a busy machine does not lengthen one beyond it. */
const PATIENT_TIMEOUT_MS = 2_000;

async function serve(answer: RequestListener, timeoutMs = TIMEOUT_MS) {
  const closed: boolean[] = [];
  const server = createServer((request, response) => {
    endUnreadResponse(response, timeoutMs);
    response.once("close", () => closed.push(response.writableFinished));
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  const socket = connect(address.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  return { server, socket, closed };
}

it("a response that no one reads is closed", async () => {
  const { server, socket } = await serve((_, response) => response.end(Buffer.alloc(MANY_BYTES)));
  socket.pause();
  const [connection] = await once(server, "connection");
  await once(connection, "close");
  let received = 0;
  socket.on("data", (chunk) => {
    received += chunk.length;
  });
  socket.resume();
  await once(socket, "close");
  expect(received).toBeLessThan(MANY_BYTES);
});

it("a response that is read slowly arrives whole", async () => {
  const { socket, closed } = await serve(
    (_, response) => response.end(Buffer.alloc(MANY_BYTES)),
    PATIENT_TIMEOUT_MS,
  );
  const startedAt = performance.now();
  let received = 0;
  let pauses = 0;
  socket.on("data", (chunk) => {
    received += chunk.length;
    // More than the buffers hold at each pause, so that the server sees progress.
    if (received < (pauses + 1) * (MANY_BYTES / PAUSES)) return;
    pauses += 1;
    socket.pause();
    void pause(PATIENT_TIMEOUT_MS / 10).then(() => socket.resume());
  });
  await once(socket, "close");
  expect(performance.now() - startedAt).toBeGreaterThan(PATIENT_TIMEOUT_MS);
  expect(received).toBeGreaterThan(MANY_BYTES);
  expect(closed).toEqual([true]);
});

it("a response that takes longer to begin is sent", async () => {
  const { socket, closed } = await serve(
    (_, response) => void pause(2 * TIMEOUT_MS).then(() => response.end("late")),
  );
  let text = "";
  socket.setEncoding("utf8").on("data", (part) => {
    text += part;
  });
  await once(socket, "close");
  expect(text).toContain("late");
  expect(closed).toEqual([true]);
});
