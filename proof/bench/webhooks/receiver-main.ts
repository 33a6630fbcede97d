/**
 * A receiver that takes every delivery, in a process of its own, on as many ports as it is told to. Told a number, it
 * says how long so many took. Run by `receiver.ts`.
 */
import { createServer } from "node:http";
import { z } from "zod";
import { portOf } from "@/lib/testing/raw-server";

const ports = z.coerce.number().int().min(1).max(100).parse(process.env.RECEIVER_PORTS);
let expected = 0;
let count = 0;
let firstAt = 0;

const listening = Array.from({ length: ports }, async () => {
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => {
      response.writeHead(204).end();
      count += 1;
      if (count === 1) firstAt = performance.now();
      if (count === expected) process.send?.({ seconds: (performance.now() - firstAt) / 1000 });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return portOf(server);
});
process.on("message", (message) => {
  expected = z.number().int().min(1).parse(message);
  count = 0;
});
process.send?.({ ports: await Promise.all(listening) });
