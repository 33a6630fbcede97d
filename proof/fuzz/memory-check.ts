import type { Holding } from "@/proof/fuzz/holding";
import type { FuzzedProduct } from "@/proof/fuzz/product";

/** Measured so often; the first after the warm-up, in which caches fill and code is compiled. */
const MEASUREMENTS = 5;
const MOST_GROWTH = 0.1;
/** A run shorter than that is all warm-up. */
const LEAST_REQUESTS = 20_000;

interface Measurement {
  requests: number;
  holding: Holding;
}

/** Whether the product holds more and more: after a fifth of the requests and at their end, garbage collected. */
export class MemoryCheck {
  readonly #measurements: Measurement[] = [];
  readonly #product: FuzzedProduct;
  readonly #requests: number;

  constructor(product: FuzzedProduct, requests: number) {
    this.#product = product;
    this.#requests = requests;
  }

  /** @param requests how many have been sent */
  async after(requests: number): Promise<void> {
    const isDue = requests >= ((this.#measurements.length + 1) / MEASUREMENTS) * this.#requests;
    if (isDue) this.#measurements.push({ requests, holding: await this.#product.measure() });
  }

  problems(): string[] {
    const first = this.#measurements[0]?.holding;
    const last = this.#measurements.at(-1)?.holding;
    if (!first || !last || this.#requests < LEAST_REQUESTS) return [];
    const problems: string[] = [];
    const before = heldBytes(first);
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
