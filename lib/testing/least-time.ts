const ATTEMPTS = 5;

/** Starts a clock. Read, it gives the milliseconds of processor time, or those that passed if they are fewer. */
function startClock(): () => number {
  const start = performance.now();
  const used = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(used);
    return Math.min(performance.now() - start, (user + system) / 1_000);
  };
}

/** A calculation of fixed size: what it takes tells how slow the machine is at this moment. */
function calculateReference(): void {
  for (let round = 0; round < 4; round++) JSON.parse(JSON.stringify(REFERENCE));
}

const REFERENCE = Array.from({ length: 2_000 }, (_, number) => ({
  id: `id-${number}`,
  amounts: [number, 1, 2],
}));

/** What the reference takes on a quiet machine with two cores. */
const REFERENCE_MS = 5;

/** How many times slower than a quiet machine this one is now: at least 1, at most 8. */
function slowness(): number {
  const elapsedMs = startClock();
  calculateReference();
  return Math.min(8, Math.max(1, elapsedMs() / REFERENCE_MS));
}

/**
 * How long a calculation takes in milliseconds of a quiet machine. The least of some attempts counts, because a loaded
 * machine only adds to it, and each is divided by what a calculation of known size takes at the same moment.
 * @param work is passed the number of the attempt, to avoid what an earlier one cached
 */
export function leastMs(work: (attempt: number) => unknown): number {
  const times = Array.from({ length: ATTEMPTS }, (_, attempt) => {
    const slowdown = slowness();
    const elapsedMs = startClock();
    work(attempt);
    return elapsedMs() / slowdown;
  });
  return Math.min(...times);
}

/** As `leastMs` for interruptible work: the whole, and the longest part between two interruptions. */
export function leastPartsMs(work: (attempt: number) => Generator<void, unknown>): {
  totalMs: number;
  longestPartMs: number;
} {
  let parts: number[] = [];
  const totalMs = leastMs((attempt) => {
    const generator = work(attempt);
    const own: number[] = [];
    const slowdown = slowness();
    for (let isDone = false; !isDone; ) {
      const elapsedMs = startClock();
      isDone = generator.next().done === true;
      own.push(elapsedMs() / slowdown);
    }
    // The same part each time, because the same rule is interrupted in the same places.
    parts = attempt === 0 ? own : own.map((ms, index) => Math.min(ms, parts[index] ?? ms));
  });
  return { totalMs, longestPartMs: parts.reduce((longest, ms) => Math.max(longest, ms), 0) };
}
