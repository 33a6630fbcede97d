import { Rests } from "@/lib/platform/rests";
import type { Services } from "@/lib/platform/services";

const LOGGED_EVERY_MS = 60_000;

/**
 * The outages of one other side. Whoever gets no answer rests before asking again (`Rests`), and the log has the
 * beginning of an outage, one line a minute at most, and its end, however many wait for the same answer.
 */
export class Outages {
  readonly #services: Pick<Services, "clock" | "log">;
  readonly #who: string;
  readonly #rests: Rests;
  #begunAt = 0;
  #loggedAt = 0;
  #failures = 0;

  /** @param who does not answer, as the log names it: `the bank` */
  constructor(services: Pick<Services, "clock" | "log">, who: string) {
    this.#services = services;
    this.#who = who;
    this.#rests = new Rests(services.clock);
  }

  /** How many wait for an answer. */
  get count(): number {
    return this.#rests.count;
  }

  /** As `Rests.isResting`. */
  isResting(key: string, now: Date): boolean {
    return this.#rests.isResting(key, now);
  }

  /** @param about what the log says besides the error */
  failed(key: string, now: Date, error: unknown, about: Record<string, unknown>): void {
    const isFirst = this.#rests.count === 0;
    const realNow = this.#services.clock.now().getTime();
    this.#rests.failed(key, now);
    if (isFirst) {
      this.#begunAt = realNow;
      this.#failures = 0;
    }
    this.#failures += 1;
    if (!isFirst && realNow - this.#loggedAt < LOGGED_EVERY_MS) return;
    this.#loggedAt = realNow;
    this.#services.log.error(
      { err: error, ...about, failures: this.#failures, waiting: this.#rests.count },
      `${this.#who} ${isFirst ? "does not answer" : "still does not answer"}`,
    );
  }

  answered(key: string): void {
    if (!this.#rests.succeeded(key) || this.#rests.count > 0) return;
    const lastedMs = this.#services.clock.now().getTime() - this.#begunAt;
    this.#services.log.info({ lastedMs, failures: this.#failures }, `${this.#who} answers again`);
  }
}
