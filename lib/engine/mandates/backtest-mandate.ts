import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import { findBreach, type MandateBreach, type MandateUse } from "@/lib/engine/mandates/find-broken-part";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

/** A transfer of the mandate's key as it was requested, and how it ended. */
export interface PastTransfer {
  id: string;
  sourceAccountId: string;
  destinationAccountId: string;
  /** As it was requested, before anyone lowered it. */
  amountInCents: number;
  requestedAt: Date;
  /**
   * `MOVED`: approved or accepted without asking, and on its way, complete or returned. `FAILED`: the same, but it failed or was
   * canceled later, so that a mandate does not count it. `DENIED`: by a person. `EXPIRED`: nobody decided, or it was withdrawn.
   */
  outcome: "MOVED" | "FAILED" | "DENIED" | "EXPIRED";
  /** What the source could have spent after it; null if that is not known, which counts as enough. */
  heldAfterInCents: number | null;
}

export interface BacktestSum {
  count: number;
  inCents: number;
}

export interface MandateBacktest {
  transferCount: number;
  /** What it would have accepted at once, by month in order, with those that people denied. Months without any are left out. */
  months: (BacktestSum & { month: string })[];
  accepted: BacktestSum;
  /** What would have waited, in order, and the first part that each breaks. */
  waiting: { transfer: PastTransfer; breach: MandateBreach }[];
  /** What it would have accepted although a person denied it. */
  denied: PastTransfer[];
}

/**
 * What a mandate would have accepted, as if it had been signed before the first of these transfers. Its first and last day,
 * signatures and changes of payees do not count. What was denied or expired counts as used where the mandate would have accepted it.
 */
export function backtestMandate(
  terms: MandateTerms,
  past: readonly PastTransfer[],
  timeZone: string,
): MandateBacktest {
  const ordered = past.toSorted((one, other) => one.requestedAt.getTime() - other.requestedAt.getTime());
  const always: MandateTerms = { ...terms, from: EARLIEST, until: LATEST };
  const uses: MandateUse[] = [];
  const months = new Map<string, BacktestSum>();
  const result: MandateBacktest = {
    transferCount: past.length,
    months: [],
    accepted: { count: 0, inCents: 0 },
    waiting: [],
    denied: [],
  };
  for (const transfer of ordered) {
    const breach = findBreach(always, { ...factsOf(transfer, timeZone), uses });
    if (breach) {
      result.waiting.push({ transfer, breach });
      continue;
    }
    if (transfer.outcome !== "FAILED")
      uses.push({ acceptedAt: transfer.requestedAt, amountInCents: transfer.amountInCents });
    if (transfer.outcome === "DENIED") result.denied.push(transfer);
    const month = calendarDate(transfer.requestedAt, timeZone).slice(0, 7);
    const sum = months.get(month) ?? { count: 0, inCents: 0 };
    months.set(month, addTo(sum, transfer));
    result.accepted = addTo(result.accepted, transfer);
  }
  result.months = [...months].map(([month, sum]) => ({ month, ...sum }));
  return result;
}

const EARLIEST = "1970-01-01";
const LATEST = "9999-12-31";

const addTo = ({ count, inCents }: BacktestSum, { amountInCents }: PastTransfer): BacktestSum => ({
  count: count + 1,
  inCents: inCents + amountInCents,
});

const factsOf = (transfer: PastTransfer, timeZone: string) => ({
  sourceAccountId: transfer.sourceAccountId,
  destinationAccountId: transfer.destinationAccountId,
  amountInCents: transfer.amountInCents,
  now: transfer.requestedAt,
  timeZone,
  heldAfterInCents: transfer.heldAfterInCents ?? Number.MAX_SAFE_INTEGER,
  needsSignatures: false,
  isDestinationChanged: false,
});
