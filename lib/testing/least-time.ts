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

/**
 * How long a calculation takes in milliseconds: the least of some attempts, because a loaded machine only adds to it.
 * @param work is passed the number of the attempt, to avoid what an earlier one cached
 */
export function leastMs(work: (attempt: number) => unknown): number {
  const times = Array.from({ length: ATTEMPTS }, (_, attempt) => {
    const elapsedMs = startClock();
    work(attempt);
    return elapsedMs();
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
    for (let isDone = false; !isDone; ) {
      const elapsedMs = startClock();
      isDone = generator.next().done === true;
      own.push(elapsedMs());
    }
    // The same part each time, because the same rule is interrupted in the same places.
    parts = attempt === 0 ? own : own.map((ms, index) => Math.min(ms, parts[index] ?? ms));
  });
  return { totalMs, longestPartMs: parts.reduce((longest, ms) => Math.max(longest, ms), 0) };
}
