import type { Clock } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

const LOGGED_EVERY_MS = 60_000;

/**
 * Tracks outages of one external service. Callers back off after a failure (`Backoffs`); the log gets the beginning of
 * an outage as a warning, at most one error line a minute while it lasts, and its end, however many callers wait.
 */
export class Outages {
  readonly #services: Pick<Services, "clock" | "log">;
  readonly #who: string;
  readonly #backoffs: Backoffs;
  #begunAt = 0;
  #loggedAt = 0;
  #failures = 0;
  /** Whether any caller was answered since the latest failure. */
  #hasAnswered = true;

  /** @param who is down, as the log names it: `the bank` */
  constructor(services: Pick<Services, "clock" | "log">, who: string) {
    this.#services = services;
    this.#who = who;
    this.#backoffs = new Backoffs(services.clock);
  }

  /** How many callers wait for an answer. */
  get count(): number {
    return this.#backoffs.count;
  }

  /** As `Backoffs.isBackingOff`. */
  isBackingOff(key: string, now: Date): boolean {
    return this.#backoffs.isBackingOff(key, now);
  }

  /** @param about what to log besides the error */
  failed(key: string, now: Date, error: unknown, about: Record<string, unknown>): void {
    const realNow = this.#services.clock.now().getTime();
    const isRepeated = this.#backoffs.failed(key, now);
    // An old failure, or another caller's, does not make this an outage that lasts if the service has answered since.
    const isSingle = !isRepeated && this.#hasAnswered;
    const isFirst = isSingle && this.#backoffs.count === 1;
    this.#hasAnswered = false;
    if (isFirst) {
      this.#begunAt = realNow;
      this.#failures = 0;
    }
    this.#failures += 1;
    if (!isFirst && realNow - this.#loggedAt < LOGGED_EVERY_MS) return;
    this.#loggedAt = realNow;
    const facts = { err: error, ...about, failures: this.#failures, waiting: this.#backoffs.count };
    // One unanswered call is tried again and says nothing yet.
    if (isSingle) this.#services.log.warn(facts, `${this.#who} does not answer`);
    else this.#services.log.error(facts, `${this.#who} still does not answer`);
  }

  answered(key: string): void {
    this.#hasAnswered = true;
    if (!this.#backoffs.succeeded(key) || this.#backoffs.count > 0) return;
    const lastedMs = this.#services.clock.now().getTime() - this.#begunAt;
    this.#services.log.info({ lastedMs, failures: this.#failures }, `${this.#who} answers again`);
  }
}

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** The part of a backoff that jitter may take away, so that callers do not all return at once. */
const JITTER = 0.5;
/** A failure this old says nothing about the present. */
const FORGOTTEN_AFTER_MS = 600_000;
/** Keys that fail at once; further ones are retried without backoff. */
const MAXIMUM_FAILING = 10_000;

interface Failing {
  failures: number;
  backsOffUntil: Date;
  /** Real time. */
  failedAt: number;
}

/** Keys that failed lately and back off: a second after the first failure, at most a minute. */
export class Backoffs {
  readonly #clock: Clock;
  readonly #failing = new Map<string, Failing>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many have failed and not succeeded since. */
  get count(): number {
    return this.#failing.size;
  }

  /** @param now on the same clock as in `failed`: a backoff in business time ends when that clock is moved */
  isBackingOff(key: string, now: Date): boolean {
    const failing = this.#failing.get(key);
    return failing !== undefined && now < failing.backsOffUntil;
  }

  /** @returns whether it had failed lately too */
  failed(key: string, now: Date): boolean {
    this.#forgetOld();
    const failures = (this.#failing.get(key)?.failures ?? 0) + 1;
    const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
    const backsOffUntil = new Date(now.getTime() + backoffMs * (1 - JITTER * Math.random()));
    this.#failing.delete(key);
    if (this.#failing.size >= MAXIMUM_FAILING) return false;
    this.#failing.set(key, { failures, backsOffUntil, failedAt: this.#clock.now().getTime() });
    return failures > 1;
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
