import type { Answer, FuzzRequest } from "@/proof/fuzz/request";

interface Slow {
  number: number;
  door: string;
  shape: string;
  durationMs: number;
}

const SLOWEST = 5;

/** How many of which door were answered how, and how fast. */
export class Tally {
  readonly #outcomes = new Map<string, Map<string, number>>();
  /** By what they were about: whether a thing was ever done. */
  readonly #done = new Set<string>();
  readonly #durationsMs: number[] = [];
  #slowest: Slow[] = [];

  get count(): number {
    return this.#durationsMs.length;
  }

  add(number: number, { door, shape }: FuzzRequest, { outcome, statuses, durationMs }: Answer): void {
    const [status] = statuses;
    const how = status === undefined ? outcome.toLowerCase() : `${Math.floor(status / 100)}xx`;
    const ofDoor = this.#outcomes.get(door) ?? new Map<string, number>();
    this.#outcomes.set(door, ofDoor.set(how, (ofDoor.get(how) ?? 0) + 1));
    if (status !== undefined && status < 300) this.#done.add(shape);
    this.#durationsMs.push(durationMs);
    this.#slowest = [...this.#slowest, { number, door, shape, durationMs }]
      .sort((a, b) => b.durationMs - a.durationMs)
      .slice(0, SLOWEST);
  }

  /** Whether a request about this was ever answered with what it asked for. */
  isDone(shape: string): boolean {
    return this.#done.has(shape);
  }

  describe(): string[] {
    const sorted = this.#durationsMs.toSorted((a, b) => a - b);
    const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(1);
    return [
      ...[...this.#outcomes].map(([door, counts]) => `  ${door.padEnd(12)} ${describeCounts(counts)}`),
      `  answered in ${at(0.5)} ms (p50), ${at(0.99)} ms (p99)`,
      ...this.#slowest.map(
        ({ number, door, shape, durationMs }) =>
          `  slow: ${durationMs.toFixed(0)} ms  ${number}  ${door} ${shape}`,
      ),
    ];
  }
}

function describeCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([how, count]) => `${how} ${count}`)
    .join("  ");
}
