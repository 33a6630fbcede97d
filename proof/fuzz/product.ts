import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { type Product, startProduct } from "@/e2e/support/product";

export interface FuzzedProduct extends Product {
  port: number;
  /** What it holds after a garbage collection. */
  measure(): Promise<Holding>;
  /** The lines printed since they were last taken. */
  takeLines(): string[];
}

const MEASURE_WITHIN_MS = 30_000;

/** The product as `npm start` runs it, with a way to measure what it holds. */
export async function startFuzzedProduct(root: string, dataDirectory: string): Promise<FuzzedProduct> {
  const probe = pathToFileURL(join(root, ".build", "fuzz-probe.mjs")).href;
  const product = await startProduct(dataDirectory, undefined, {
    nodeArguments: ["--expose-gc", "--import", probe],
  });
  let seen = product.printed().length;
  return {
    ...product,
    port: Number(new URL(product.url).port),
    measure: () => measure(product),
    takeLines: () => {
      const text = product.printed();
      const end = text.lastIndexOf("\n") + 1;
      const lines = text
        .slice(seen, end)
        .split("\n")
        .filter((line) => line !== "");
      seen = Math.max(seen, end);
      return lines;
    },
  };
}

async function measure({ process: child }: Product): Promise<Holding> {
  const answered = once(child, "message");
  child.send("measure");
  const late = pause(MEASURE_WITHIN_MS, null, { ref: false });
  const answer = await Promise.race([answered, late]);
  if (!answer) throw new Error("The product does not answer the probe: it hangs");
  return holdingSchema.parse(answer[0]);
}

/** What the product's process holds at a moment, after a garbage collection. */
const holdingSchema = z.object({
  heapBytes: z.number(),
  externalBytes: z.number(),
  rssBytes: z.number(),
  /** Sockets, timers and the like that keep a process alive, by kind. */
  resources: z.record(z.string(), z.number()),
  /** Of the process itself: listeners added per request are never released. */
  listeners: z.number(),
});
export type Holding = z.infer<typeof holdingSchema>;

const MEASUREMENTS = 5;
/** Bounded caches go on filling until here; a leak never stops. Listeners are compared from the first. */
const WARM_AFTER = 3;
/** From there to the end: a leak of a tenth over four fifths of the requests is found. */
const MOST_GROWTH = 0.05;
/** A shorter run is all warm-up. */
const LEAST_REQUESTS = 20_000;

interface Measurement {
  requests: number;
  holding: Holding;
}

/**
 * Whether the product holds more and more: compares three fifths of the requests with their end, after garbage
 * collection.
 */
export class MemoryCheck {
  readonly #measurements: Measurement[] = [];
  readonly #product: FuzzedProduct;
  readonly #requests: number;

  constructor(product: FuzzedProduct, requests: number) {
    this.#product = product;
    this.#requests = requests;
  }

  /** @param requests the number sent so far */
  async after(requests: number): Promise<void> {
    const isDue = requests >= ((this.#measurements.length + 1) / MEASUREMENTS) * this.#requests;
    if (isDue) this.#measurements.push({ requests, holding: await this.#product.measure() });
  }

  problems(): string[] {
    const first = this.#measurements[0]?.holding;
    const last = this.#measurements.at(-1)?.holding;
    if (!first || !last || this.#requests < LEAST_REQUESTS) return [];
    const problems: string[] = [];
    const before = heldBytes(this.#measurements[WARM_AFTER - 1]?.holding ?? first);
    const after = heldBytes(last);
    if (after > before * (1 + MOST_GROWTH))
      problems.push(`memory grew from ${inMegabytes(before)} to ${inMegabytes(after)}`);
    if (last.listeners > first.listeners)
      problems.push(`listeners grew from ${first.listeners} to ${last.listeners}`);
    return problems;
  }

  describe(): string[] {
    return this.#measurements.map(({ requests, holding }) => {
      const resources = Object.entries(holding.resources).map(([kind, count]) => `${kind} ${count}`);
      return `  after ${requests}: ${inMegabytes(heldBytes(holding))} held, ${inMegabytes(holding.rssBytes)} RSS, ${resources.join(", ")}`;
    });
  }
}

function heldBytes({ heapBytes, externalBytes }: Holding): number {
  return heapBytes + externalBytes;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
