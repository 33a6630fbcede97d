import type { ProviderTransaction, TransactionChange } from "@/lib/ports/aggregator/aggregator-port";

/** A transaction as it is kept, as far as the decision needs it. */
export interface KeptTransaction {
  id: string;
  providerTransactionId: string;
  status: "PENDING" | "COMPLETE";
  isVanished: boolean;
}

/** What to write. Nothing is in two of the lists. */
export interface ChangePlan {
  inserts: ProviderTransaction[];
  updates: { id: string; transaction: ProviderTransaction }[];
  /** Ids of ours. */
  vanished: string[];
  /** Ids of ours that were pending (or gone) and are posted now. */
  settled: string[];
}

/**
 * Decides what a provider's changes, in order, make of what is kept of one connection. Pure.
 *
 * A posted transaction that names the pending one it was keeps that one's id, also where the provider took the pending
 * one away first. Of several changes to one transaction the last counts; applying the same changes again plans the same
 * state.
 */
export function planChanges(
  kept: readonly KeptTransaction[],
  changes: readonly TransactionChange[],
): ChangePlan {
  const byProviderId = new Map(kept.map((row) => [row.providerTransactionId, row]));
  const final = lastOfEach(changes);
  const claimed = new Set<string>();
  const plan: ChangePlan = { inserts: [], updates: [], vanished: [], settled: [] };
  for (const change of final.values()) {
    if (change.kind === "REMOVE") continue;
    const { transaction } = change;
    const row =
      byProviderId.get(transaction.providerTransactionId) ?? formerOf(transaction, byProviderId, final);
    if (!row || claimed.has(row.id)) {
      plan.inserts.push(transaction);
      continue;
    }
    claimed.add(row.id);
    plan.updates.push({ id: row.id, transaction });
    if (transaction.status === "COMPLETE" && (row.status === "PENDING" || row.isVanished)) {
      plan.settled.push(row.id);
    }
  }
  for (const [providerId, change] of final) {
    const row = byProviderId.get(providerId);
    if (change.kind === "REMOVE" && row && !row.isVanished && !claimed.has(row.id))
      plan.vanished.push(row.id);
  }
  return plan;
}

/** The pending transaction that this posted one was, unless the provider tells of that one again after it. */
function formerOf(
  transaction: ProviderTransaction,
  kept: ReadonlyMap<string, KeptTransaction>,
  final: ReadonlyMap<string, TransactionChange>,
): KeptTransaction | undefined {
  const formerId = transaction.pendingTransactionId;
  if (formerId === null || final.get(formerId)?.kind === "UPSERT") return undefined;
  return kept.get(formerId);
}

/** A pending transaction ends with the posted one that it became, also where its removal is told in a later page. */
function lastOfEach(changes: readonly TransactionChange[]): Map<string, TransactionChange> {
  const final = new Map<string, TransactionChange>();
  for (const change of changes) {
    const id =
      change.kind === "REMOVE" ? change.providerTransactionId : change.transaction.providerTransactionId;
    // Deleted first, so that the map's order is that of the last word on each.
    final.delete(id);
    final.set(id, change);
    const formerId = change.kind === "UPSERT" ? change.transaction.pendingTransactionId : null;
    if (formerId !== null && final.get(formerId)?.kind === "UPSERT") final.delete(formerId);
  }
  return final;
}
