import { createHash } from "node:crypto";
import type { FlowDirection } from "@/lib/contract/transactions";
import type { ProviderTransaction } from "@/lib/ports/aggregator/aggregator-port";
import { spendingBucket } from "@/lib/ports/aggregator/spending-buckets";

/** A transaction with its whole life, of which one state is visible at any moment. All times are business time. */
export interface ScheduledTransaction {
  id: string;
  /** Its description once posted, the same or another. */
  postedId: string;
  accountId: string;
  direction: FlowDirection;
  pendingAmountInCents: number;
  postedAmountInCents: number;
  description: string;
  merchantName: string | null;
  providerCategory: string | null;
  appearsAt: Date;
  /** When the provider adds merchant and category. */
  enrichedAt: Date;
  /** At most one of the two; neither: pending until a member decides. */
  settlesAt: Date | null;
  vanishesAt: Date | null;
  /** The number of the member's change that made it so; 0 if computed. */
  change: number;
}

type Seen = "NOTHING" | "PENDING" | "POSTED" | "VANISHED";

export function stateAt(transaction: ScheduledTransaction, at: Date): Seen {
  if (transaction.appearsAt > at) return "NOTHING";
  if (transaction.vanishesAt && transaction.vanishesAt <= at) return "VANISHED";
  if (transaction.settlesAt && transaction.settlesAt <= at) return "POSTED";
  return "PENDING";
}

/** The latest moment in (`after`, `until`] at which its visible state changed; null: none. */
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

/** As the provider reports it at this moment, if it is pending or posted. */
export function report(transaction: ScheduledTransaction, at: Date): ProviderTransaction {
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

/** The sum of posted transactions at this moment: in minus out. */
export function postedNet(schedule: readonly ScheduledTransaction[], at: Date): number {
  let net = 0;
  for (const transaction of schedule) {
    if (stateAt(transaction, at) !== "POSTED") continue;
    net += signed(transaction.direction, transaction.postedAmountInCents);
  }
  return net;
}

/** The sum held by pending outgoing transactions at this moment. */
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

/** Whole numbers from `least` to `most`, deterministic by seed: for fictional people's behavior, never for a secret. */
export type Draw = (least: number, most: number) => number;

/** Mulberry32, from a hash of the seed (FNV-1a: one read makes tens of thousands). */
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

/** A short id derived from the parts. */
export function idOf(...parts: readonly string[]): string {
  return `sbx_${createHash("sha256").update(parts.join("|")).digest("hex").slice(0, 24)}`;
}
