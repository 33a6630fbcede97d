/**
 * Runs long calculations a few milliseconds at a time, so that other requests are answered in between. All of them share
 * one turn of the event loop: with a turn each, a hundred would again keep everyone waiting.
 */

/** Another request waits this long each time it needs the processor, and needs it about ten times. */
const SLICE_MS = 3;

interface Task {
  /** Runs one slice. @returns whether the work is done */
  advance: () => boolean;
  fail: (error: unknown) => void;
}

/** In order of their next slice. Bounded by the requests that are being answered, each of which waits for its own. */
const waiting: Task[] = [];
let isRunning = false;

/**
 * Runs a calculation in slices.
 * @param work yields wherever it may be interrupted, at least once a millisecond
 * @returns what it returns. @throws what it throws
 */
export function inSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  return new Promise((resolve, fail) => {
    const advance = () => {
      const until = performance.now() + SLICE_MS;
      do {
        const step = work.next();
        if (!step.done) continue;
        resolve(step.value);
        return true;
      } while (performance.now() < until);
      return false;
    };
    waiting.push({ advance, fail });
    if (isRunning) return;
    isRunning = true;
    setImmediate(runSlice);
  });
}

function runSlice(): void {
  const task = waiting.shift();
  if (task && !isDone(task)) waiting.push(task);
  isRunning = waiting.length > 0;
  // After the requests that came in during this slice.
  if (isRunning) setImmediate(runSlice);
}

function isDone(task: Task): boolean {
  try {
    return task.advance();
  } catch (error) {
    task.fail(error);
    return true;
  }
}
