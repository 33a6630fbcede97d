/**
 * Runs a calculation that may be interrupted without interrupting it.
 * @throws what it throws
 */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
