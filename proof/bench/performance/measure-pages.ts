import { type Measurement, measureUntil } from "@/proof/bench/measurement";
import { openClient } from "./client";
import type { Running } from "./measure-api";
import { openSession } from "./session";
import type { World } from "./world";

/** Pages of the organization with long lists, by their addresses with ids left out. */
export function pagesOf({ lists }: World): Record<string, string> {
  return {
    "/": "/",
    "/transfers": "/transfers",
    "/accounts": "/accounts",
    "/accounts/…": `/accounts/${lists.pods[0]}`,
    "/transfers/…": `/transfers/${lists.someIds.transfers}`,
    "/rules": "/rules",
    "/approvals": "/approvals",
    "/audit": "/audit",
  };
}

const WARM_UP = 4;

/** From the request of a signed-in owner to the last byte, one at a time. */
export async function measurePages(
  { engine, world, fleet }: Running,
  rounds: number,
): Promise<Map<string, Measurement>> {
  const client = openClient(fleet.urls, fleet.urls.length);
  const measured = new Map<string, Measurement>();
  try {
    const session = await openSession(client, fleet.urls, world.lists.owner);
    for (const [name, path] of Object.entries(pagesOf(world))) {
      const read = async (count: number) => {
        const latenciesMs: number[] = [];
        for (let round = 0; round < count; round++) {
          const startedAt = performance.now();
          await session.read(path);
          latenciesMs.push(performance.now() - startedAt);
        }
        return latenciesMs;
      };
      await read(WARM_UP);
      const one = await measureUntil(
        engine.superuser,
        () => read(rounds),
        async () => undefined,
      );
      measured.set(name, one);
    }
    return measured;
  } finally {
    await client.close();
  }
}
