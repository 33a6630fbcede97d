import type { Clock } from "@/lib/platform/clock";
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

const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;
/** Part of a rest that jitter may take away, so that what failed together does not come back together. */
const JITTER = 0.5;
/** What was not asked for so long says nothing about now. */
const FORGOTTEN_AFTER_MS = 600_000;
/** Different keys at once; what fails beyond them is asked again without a rest. */
const MAXIMUM_FAILING = 10_000;

interface Failing {
  failures: number;
  restsUntil: Date;
  /** Real time. */
  failedAt: number;
}

/** Who failed lately, and rests before it is asked again: a second after the first failure, a minute at most. */
export class Rests {
  readonly #clock: Clock;
  readonly #failing = new Map<string, Failing>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many have failed and not succeeded since. */
  get count(): number {
    return this.#failing.size;
  }

  /** @param now in the time that `failed` was told: a rest in business time ends when that clock is moved */
  isResting(key: string, now: Date): boolean {
    const failing = this.#failing.get(key);
    return failing !== undefined && now < failing.restsUntil;
  }

  failed(key: string, now: Date): void {
    this.#forgetOld();
    const failures = (this.#failing.get(key)?.failures ?? 0) + 1;
    const restMs = Math.min(FIRST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS);
    const restsUntil = new Date(now.getTime() + restMs * (1 - JITTER * Math.random()));
    this.#failing.delete(key);
    if (this.#failing.size >= MAXIMUM_FAILING) return;
    this.#failing.set(key, { failures, restsUntil, failedAt: this.#clock.now().getTime() });
  }

  /** @returns whether it had failed before */
  succeeded(key: string): boolean {
    return this.#failing.delete(key);
  }

  #forgetOld(): void {
    const before = this.#clock.now().getTime() - FORGOTTEN_AFTER_MS;
    // Oldest first, since each failure puts its key at the end.
    for (const [key, { failedAt }] of this.#failing) {
      if (failedAt >= before) return;
      this.#failing.delete(key);
    }
  }
}
