import type { ServerResponse } from "node:http";
import type { TransportName } from "@/lib/api/launcher/transports";

/** Without probes: each would count itself. */
const COUNTED: readonly TransportName[] = ["api", "hooks", "mcp", "oauth", "sandbox", "web"];

/** Requests that this process has received and not answered completely. */
export interface RequestsInFlight {
  began: (response: ServerResponse, transport: TransportName) => void;
  /** By transport, those without a request included. */
  read: () => { transport: TransportName; count: number; oldestSeconds: number }[];
}

export function countRequestsInFlight(): RequestsInFlight {
  // Oldest first.
  const running = new Map<ServerResponse, { transport: TransportName; beganAt: number }>();
  return {
    began: (response, transport) => {
      running.set(response, { transport, beganAt: performance.now() });
      response.once("close", () => running.delete(response));
    },
    read: () => {
      const now = performance.now();
      return COUNTED.map((transport) => {
        const ages = [...running.values()]
          .filter((one) => one.transport === transport)
          .map(({ beganAt }) => now - beganAt);
        return { transport, count: ages.length, oldestSeconds: (ages[0] ?? 0) / 1_000 };
      });
    },
  };
}
