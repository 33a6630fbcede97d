import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { waitUntil } from "@/lib/testing/wait-until";
import { startTcpProxy } from "@/proof/torture/chaos/tcp-proxy";

it("a silent connection carries nothing and stays open, a new one works, and one that a side closes ends", async () => {
  const served = new Set<Socket>();
  const server = createServer((socket) => {
    served.add(socket);
    socket.on("close", () => served.delete(socket));
    // A test disconnects by a reset.
    socket.on("error", () => undefined);
    socket.pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = Object(server.address()).port as number;
  const proxy = await startTcpProxy(() => ({ host: "127.0.0.1", port }));
  onTestFinished(async () => {
    await proxy.close();
    server.close();
  });
  const open = () => {
    const socket = connect({ host: "127.0.0.1", port: proxy.port });
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    return { socket, text: () => text };
  };
  const before = open();
  before.socket.write("heard");
  await waitUntil("the echo arrives", () => before.text() === "heard");
  proxy.silence();
  before.socket.write("lost");
  const after = open();
  after.socket.write("heard too");
  await waitUntil("a new connection works", () => after.text() === "heard too");
  expect(before.text()).toBe("heard");
  expect(before.socket.destroyed).toBe(false);
  expect(served.size).toBe(2);
  before.socket.destroy();
  await waitUntil("the other side ends", () => served.size === 1);
  after.socket.destroy();
});
