/**
 * A receiver that accepts every delivery, in its own process, on the given number of ports. Given a number, it reports
 * how long so many deliveries took. Run by `scene.ts`.
 */
import { createServer } from "node:http";
import { z } from "zod";
import { portOf } from "@/lib/testing/servers/raw-server";

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
