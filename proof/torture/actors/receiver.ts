import { once } from "node:events";
import { createServer } from "node:http";
import type { Random } from "@/proof/torture/actors/agent";
import type { History } from "@/proof/torture/record-history";

/** Receives the events of all organizations, unreliably. */
export interface Receiver {
  /** @param place which organization's */
  urlOf(place: number): string;
  /** Whose events arrive at a place; known once the endpoint exists. */
  belongsTo(place: number, owner: { organizationId: string; endpointId: string }): void;
  /** Answers only 503 from now on, or normally again. */
  breakDown(isDown: boolean): void;
  /** From now on it no longer fails. */
  recover(): void;
  close(): Promise<void>;
}

const MAXIMUM_BODY_BYTES = 65_536;

/**
 * Two in ten are answered with 500, some late, on some the connection breaks. Deliveries are recorded before the
 * answer.
 */
export async function startReceiver(history: History, random: Random): Promise<Receiver> {
  const owners: { organizationId: string; endpointId: string }[] = [];
  let isDown = false;
  let fails = true;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAXIMUM_BODY_BYTES) request.destroy();
      else chunks.push(chunk);
    });
    request.on("end", () => {
      const owner = owners[Number(request.url?.slice(1))];
      const dice = fails ? random(1, 100) : 100;
      const answered = isDown ? 503 : dice <= 20 ? 500 : 204;
      history.record({
        kind: "received",
        organizationId: owner?.organizationId ?? "",
        endpointId: owner?.endpointId ?? "",
        signature: String(request.headers["x-service-signature"]),
        eventId: String(request.headers["x-service-event-id"]),
        body: Buffer.concat(chunks).toString("utf8"),
        receivedAtSeconds: (performance.timeOrigin + performance.now()) / 1_000,
        answered,
      });
      // It did arrive, but the sender does not learn it: the same event comes again.
      if (fails && dice > 95) request.socket.destroy();
      else setTimeout(() => response.writeHead(answered).end(), fails ? random(0, 40) : 0);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  return {
    urlOf: (place) => `http://127.0.0.1:${address.port}/${place}`,
    belongsTo: (place, owner) => {
      owners[place] = owner;
    },
    breakDown: (down) => {
      isDown = down;
    },
    recover: () => {
      isDown = false;
      fails = false;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
