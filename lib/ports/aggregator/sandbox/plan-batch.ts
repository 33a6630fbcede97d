import type { TransactionBatch, TransactionChange } from "@/lib/ports/aggregator/aggregator-port";
import {
  lastChange,
  type ScheduledTransaction,
  stateAt,
  tell,
} from "@/lib/ports/aggregator/sandbox/scheduled-transaction";
import { type SyncCursor, writeCursor } from "@/lib/ports/aggregator/sandbox/sync-cursor";

interface Dated {
  transaction: ScheduledTransaction;
  changedAt: Date;
}

/**
 * What a reader at `cursor` has not seen, oldest change first and at most `limit` transactions (more where several
 * changed in one moment). Each is told as it is at `until`, once.
 */
export function planBatch(
  schedule: readonly ScheduledTransaction[],
  cursor: SyncCursor,
  until: Date,
  lastMemberChange: number,
  limit: number,
): TransactionBatch {
  const changed = schedule
    .flatMap((transaction) => toDated(transaction, cursor, until))
    .sort((left, right) => left.changedAt.getTime() - right.changedAt.getTime());
  const lastTaken = changed[limit - 1]?.changedAt;
  const taken = lastTaken ? changed.filter(({ changedAt }) => changedAt <= lastTaken) : changed;
  const hasMore = taken.length < changed.length;
  const time = hasMore && lastTaken ? lastTaken : later(until, cursor.time);
  return {
    changes: taken.flatMap(({ transaction }) => toChanges(transaction, until)),
    // What members changed is dated at the end, so it is in the last batch.
    nextCursor: writeCursor({ time, change: hasMore ? cursor.change : lastMemberChange }),
    hasMore,
    isHistoryComplete: true,
  };
}

function toDated(transaction: ScheduledTransaction, cursor: SyncCursor, until: Date): Dated[] {
  if (transaction.appearsAt > until) return [];
  if (transaction.change > cursor.change) return [{ transaction, changedAt: later(until, cursor.time) }];
  const changedAt = lastChange(transaction, cursor.time, until);
  return changedAt ? [{ transaction, changedAt }] : [];
}

function toChanges(transaction: ScheduledTransaction, at: Date): TransactionChange[] {
  const removed: TransactionChange = { kind: "REMOVE", providerTransactionId: transaction.id };
  switch (stateAt(transaction, at)) {
    case "NOTHING":
      return [];
    case "VANISHED":
      return [removed];
    case "PENDING":
      return [{ kind: "UPSERT", transaction: tell(transaction, at) }];
    case "POSTED": {
      const told: TransactionChange = { kind: "UPSERT", transaction: tell(transaction, at) };
      return transaction.postedId === transaction.id ? [told] : [told, removed];
    }
  }
}

function later(left: Date, right: Date): Date {
  return left > right ? left : right;
}
