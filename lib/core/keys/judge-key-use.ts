import type { KeyAlert } from "@/lib/contract/key-alert";
import { MAXIMUM_WAITING_PROPOSALS } from "@/lib/contract/limits";

/** What is known of the use of a key or an assistant at one moment (`claim_key_watches`). Amounts in cents. */
export interface KeyUse {
  now: Date;
  /** When it was last used before a silence of 45 days; null: there was none. */
  silentSince: Date | null;
  /** Refusals of those who try doors, within the last quarter of an hour. */
  refusals: number;
  commonestRefusal: string | null;
  /** Proposals of it that wait. */
  waiting: number;
  /** Of what it moved without a person: its largest transfer today, and all of today. */
  largestInCents: number;
  dayInCents: number;
  /** The same within 90 days, until it was looked at; of days only those before today. */
  usualLargestInCents: number;
  usualDayInCents: number;
  usualTransfers: number;
  usualDays: number;
}

const PROBING_FROM = 20;
const FLOODING_FROM = MAXIMUM_WAITING_PROPOSALS / 4;
/** Five times what was ever seen of it is no growth. */
const FAR_ABOVE = 5;
/** Below it nothing is worth a message, however unusual: $1,000.00. */
const WORTH_TELLING_IN_CENTS = 100_000;
/** With fewer transfers, or days, nothing is usual yet. */
const KNOWN_FROM_TRANSFERS = 10;
const KNOWN_FROM_DAYS = 3;
const DAY_MS = 86_400_000;

/** What its owners should hear of. Pure; each rule is one that can be said in a sentence. */
export function judgeKeyUse(use: KeyUse): KeyAlert[] {
  return [silence(use), refusals(use), amount(use), day(use), waiting(use)].filter((alert) => alert !== null);
}

function silence({ silentSince, now }: KeyUse): KeyAlert | null {
  if (silentSince === null) return null;
  const days = Math.floor((now.getTime() - silentSince.getTime()) / DAY_MS);
  return { kind: "AFTER_SILENCE", days };
}

function refusals({ refusals: count, commonestRefusal }: KeyUse): KeyAlert | null {
  if (count < PROBING_FROM || commonestRefusal === null) return null;
  return { kind: "REFUSALS", refusals: count, commonest: commonestRefusal };
}

function amount({ largestInCents, usualLargestInCents, usualTransfers }: KeyUse): KeyAlert | null {
  if (usualTransfers < KNOWN_FROM_TRANSFERS || !isFarAbove(largestInCents, usualLargestInCents)) return null;
  return { kind: "LARGE_AMOUNT", amountInCents: largestInCents, usualInCents: usualLargestInCents };
}

function day({ dayInCents, usualDayInCents, usualDays }: KeyUse): KeyAlert | null {
  if (usualDays < KNOWN_FROM_DAYS || !isFarAbove(dayInCents, usualDayInCents)) return null;
  return { kind: "LARGE_DAY", dayInCents, usualInCents: usualDayInCents };
}

function waiting({ waiting: count }: KeyUse): KeyAlert | null {
  return count < FLOODING_FROM ? null : { kind: "MANY_WAITING", waiting: count };
}

function isFarAbove(cents: number, usual: number): boolean {
  return cents >= WORTH_TELLING_IN_CENTS && cents > FAR_ABOVE * usual;
}
