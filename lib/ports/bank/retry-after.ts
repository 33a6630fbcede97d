import { type Clock, systemClock } from "@/lib/platform/clock";
import { BankUnavailable } from "@/lib/ports/bank/bank-port";

/** A bank that names no time, or an unreadable one. */
const DEFAULT_REST_MS = 5_000;
const MAXIMUM_REST_MS = 3_600_000;

/** Leaves a bank alone for as long as its 429 asks for, whatever this process would ask next. */
export class RetryAfter {
  readonly #bank: string;
  readonly #clock: Clock;
  #until = 0;

  /** @param bank its name in messages */
  constructor(bank: string, clock: Clock = systemClock) {
    this.#bank = bank;
    this.#clock = clock;
  }

  /** @throws BankUnavailable while the bank wants to be left alone */
  assertMayAsk(): void {
    const restMs = this.#until - this.#clock.now().getTime();
    if (restMs <= 0) return;
    const seconds = Math.ceil(restMs / 1_000);
    throw new BankUnavailable(`${this.#bank} asks to be left alone for ${seconds} more seconds (429)`, {
      retryAfterMs: restMs,
    });
  }

  /** Every response of the bank. */
  note({ status, headers }: Pick<Response, "status" | "headers">): void {
    if (status !== 429) return;
    const now = this.#clock.now().getTime();
    this.#until = Math.max(this.#until, now + restMsOf(headers.get("retry-after"), now));
  }
}

/** Seconds, or a date (RFC 9110). `Date.parse` takes "-1" and "soon 5" for dates, too. */
function restMsOf(header: string | null, now: number): number {
  const text = header?.trim() ?? "";
  const isDate = /^[A-Za-z]+, [0-9]{2}[ -][A-Za-z]{3}/.test(text);
  const ms = /^[0-9]{1,9}$/.test(text) ? Number(text) * 1_000 : isDate ? Date.parse(text) - now : Number.NaN;
  // A date that has passed by this clock says no more than none.
  if (!Number.isFinite(ms) || ms < 0) return DEFAULT_REST_MS;
  return Math.min(ms, MAXIMUM_REST_MS);
}
