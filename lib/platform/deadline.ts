/** A signal that aborts in time. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Its time has passed, whatever else may have aborted the signal. */
  isOver(): boolean;
  /** Frees the timer; the signal aborts no more. */
  close(): void;
}

/**
 * Aborts after a time, or with another signal. `AbortSignal.any` with `AbortSignal.timeout` does not: Node 20 holds the
 * inner one weakly, and once it is collected nothing ever aborts.
 */
export function openDeadline(timeoutMs: number, earlier?: AbortSignal | null): Deadline {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort(new DOMException(`It took longer than ${timeoutMs} ms.`, "TimeoutError"));
  }, timeoutMs).unref();
  const follow = () => controller.abort(earlier?.reason);
  if (earlier?.aborted) follow();
  else earlier?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    close: () => {
      clearTimeout(timer);
      earlier?.removeEventListener("abort", follow);
    },
  };
}
