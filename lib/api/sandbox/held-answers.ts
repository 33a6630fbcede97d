import { SILENCE_MS } from "@/lib/contract/sandbox-receiver";

/** More senders than that are not kept waiting: each is a socket of this process. */
const MAXIMUM_HELD = 64;

/** How a wait ended: the time was over, the sender went away, or nobody may be kept waiting (any more). */
export type HeldEnd = "SILENT" | "GONE_AWAY" | "REFUSED";

/** Requests that are not answered for a while, so that a sender's patience can be tried. */
export class HeldAnswers {
  readonly #held = new Set<(end: HeldEnd) => void>();
  #isReleased = false;

  /** @param signal aborted when the sender hangs up */
  hold(signal: AbortSignal): Promise<HeldEnd> {
    if (this.#isReleased || this.#held.size >= MAXIMUM_HELD) return Promise.resolve("REFUSED");
    if (signal.aborted) return Promise.resolve("GONE_AWAY");
    return new Promise((resolve) => {
      const end = (how: HeldEnd) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", hungUp);
        this.#held.delete(end);
        resolve(how);
      };
      const hungUp = () => end("GONE_AWAY");
      const timer = setTimeout(() => end("SILENT"), SILENCE_MS);
      signal.addEventListener("abort", hungUp);
      this.#held.add(end);
    });
  }

  /** Lets all of them go, and keeps nobody from now on: a process that stops waits for no game. */
  release(): void {
    this.#isReleased = true;
    for (const end of [...this.#held]) end("REFUSED");
  }
}
