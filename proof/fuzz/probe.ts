/**
 * Loaded into the product's process before it starts (`node --import`): reports what it holds when asked over the
 * channel to its parent. The product does not know it.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Holding } from "@/proof/fuzz/product";

/** Promises and finalizers that only run after a collection leave more for the next one. */
const COLLECTIONS = 4;

process.on("message", (message) => {
  if (message === "measure") void measure();
});
// Listening to the channel must not keep a stopping product alive.
process.channel?.unref();

async function measure(): Promise<void> {
  for (let done = 0; done < COLLECTIONS; done++) {
    globalThis.gc?.();
    await pause(50);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const holding: Holding = {
    heapBytes: heapUsed,
    externalBytes: external,
    rssBytes: rss,
    resources: countOf(process.getActiveResourcesInfo()),
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
  process.send?.(holding);
}

function countOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
