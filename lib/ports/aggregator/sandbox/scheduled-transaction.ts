import { createHash } from "node:crypto";
import type { FlowDirection } from "@/lib/contract/external-transaction";
import type { ProviderTransaction } from "@/lib/ports/aggregator/aggregator-port";
import { spendingBucket } from "@/lib/ports/aggregator/spending-buckets";

/** A transaction with its whole life, of which at any moment one state can be seen. All times are business time. */
export interface ScheduledTransaction {
  id: string;
  /** What it is called once posted: the same, or another name. */
  postedId: string;
  accountId: string;
  direction: FlowDirection;
  pendingAmountInCents: number;
  postedAmountInCents: number;
  description: string;
  merchantName: string | null;
  providerCategory: string | null;
  appearsAt: Date;
  /** When the provider has found out merchant and category. */
  enrichedAt: Date;
  /** At most one of the two; neither: pending until somebody decides. */
  settlesAt: Date | null;
  vanishesAt: Date | null;
  /** The member's change by which it came to be as it is; 0 for what was reckoned. */
  change: number;
}

type Seen = "NOTHING" | "PENDING" | "POSTED" | "VANISHED";

export function stateAt(transaction: ScheduledTransaction, at: Date): Seen {
  if (transaction.appearsAt > at) return "NOTHING";
  if (transaction.vanishesAt && transaction.vanishesAt <= at) return "VANISHED";
  if (transaction.settlesAt && transaction.settlesAt <= at) return "POSTED";
  return "PENDING";
}

/** The latest moment in (`after`, `until`] at which what can be seen of it changed; null: none. */
export function lastChange(transaction: ScheduledTransaction, after: Date, until: Date): Date | null {
  const { appearsAt, enrichedAt, settlesAt, vanishesAt } = transaction;
  const moments = [appearsAt, enrichedAt, settlesAt, vanishesAt].filter(
    (moment) => moment !== null && moment > after && moment <= until && moment >= appearsAt,
  );
  return moments.reduce<Date | null>(
    (latest, moment) => (latest === null || (moment && moment > latest) ? moment : latest),
    null,
  );
}

/** As the provider tells it at this moment, when it is pending or posted. */
export function tell(transaction: ScheduledTransaction, at: Date): ProviderTransaction {
  const isPosted = stateAt(transaction, at) === "POSTED";
  const isEnriched = transaction.enrichedAt <= at;
  const isRenamed = isPosted && transaction.postedId !== transaction.id;
  return {
    providerAccountId: transaction.accountId,
    providerTransactionId: isPosted ? transaction.postedId : transaction.id,
    pendingTransactionId: isRenamed ? transaction.id : null,
    amountInCents: isPosted ? transaction.postedAmountInCents : transaction.pendingAmountInCents,
    direction: transaction.direction,
    status: isPosted ? "COMPLETE" : "PENDING",
    description: transaction.description,
    transactionDate: transaction.appearsAt,
    merchantName: isEnriched ? transaction.merchantName : null,
    category: isEnriched ? spendingBucket(transaction.providerCategory) : null,
    providerCategory: isEnriched ? transaction.providerCategory : null,
  };
}

/** What posted transactions have added to an account at this moment: in less out. */
export function postedNet(schedule: readonly ScheduledTransaction[], at: Date): number {
  let net = 0;
  for (const transaction of schedule) {
    if (stateAt(transaction, at) !== "POSTED") continue;
    net += signed(transaction.direction, transaction.postedAmountInCents);
  }
  return net;
}

/** What pending transactions out keep back at this moment. */
export function pendingOut(schedule: readonly ScheduledTransaction[], at: Date): number {
  let kept = 0;
  for (const transaction of schedule) {
    if (transaction.direction === "MONEY_OUT" && stateAt(transaction, at) === "PENDING") {
      kept += transaction.pendingAmountInCents;
    }
  }
  return kept;
}

function signed(direction: FlowDirection, amountInCents: number): number {
  return direction === "MONEY_IN" ? amountInCents : -amountInCents;
}

/** Whole numbers from `least` to `most`, the same ones for the same seed: for what invented people do, never for a secret. */
export type Draw = (least: number, most: number) => number;

/** Mulberry32, from a hash of the seed (FNV-1a: tens of thousands are made in one reading). */
export function drawnNumbers(seed: string): Draw {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1) {
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  }
  return (least, most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    return least + Math.floor(fraction * (most - least + 1));
  };
}

/** A short name that is the same for the same parts. */
export function idOf(...parts: readonly string[]): string {
  return `sbx_${createHash("sha256").update(parts.join("|")).digest("hex").slice(0, 24)}`;
}
