import { seenText } from "@/lib/contract/plain-text";
import type { FlowDirection } from "@/lib/contract/transactions";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { ProviderTransaction, TransactionChange } from "@/lib/ports/aggregator/aggregator-port";

/** A transaction that was first seen, or that settled; it may trigger rules. */
export interface ExternalTransactionNews {
  id: string;
  accountId: string;
  kind: "NEW" | "SETTLED";
  status: "PENDING" | "COMPLETE";
  direction: FlowDirection;
  amountInCents: number;
  /** From before the connection, seen for the first time now: triggers nothing. */
  isBackfill: boolean;
  /** The other side of a transfer of ours, so not an arrival. */
  transferId: string | null;
}

interface Target {
  organizationId: string;
  /** Our accounts by the provider's id. */
  accountIds: ReadonlyMap<string, string>;
  businessNow: Date;
  connectedAt: Date;
}

const DAY_MS = 86_400_000;
/** Transfers are matched again this far back: an institution may report a return before our own bank does. */
const MATCH_AGAIN_MS = 21 * DAY_MS;

/**
 * Writes a provider's changes to the transactions of one connection, whose row the caller's transaction has locked, and
 * finds the other sides of our own transfers among them.
 * @returns what is new or has settled.
 */
export async function applyTransactions(
  client: Queryable,
  target: Target,
  changes: readonly TransactionChange[],
): Promise<ExternalTransactionNews[]> {
  const ours = changes.filter(
    (change) => change.kind === "REMOVE" || target.accountIds.has(change.transaction.providerAccountId),
  );
  const plan = planChanges(await readKept(client, target, ours), ours);
  const inserts = plan.inserts.map((transaction) => ({ id: newId(target.businessNow), transaction }));
  await vanish(client, target, plan.vanished);
  await update(client, target, plan.updates);
  await insert(client, target, inserts);
  const transferIds = await matchTransfers(client, target, ours);
  const settled = new Set(plan.settled);
  const newsOf = (kind: "NEW" | "SETTLED", id: string, transaction: ProviderTransaction) => ({
    id,
    accountId: target.accountIds.get(transaction.providerAccountId) ?? "",
    kind,
    status: transaction.status,
    direction: transaction.direction,
    amountInCents: transaction.amountInCents,
    isBackfill: kind === "NEW" && transaction.transactionDate < target.connectedAt,
    transferId: transferIds.get(id) ?? null,
  });
  return [
    ...inserts.map(({ id, transaction }) => newsOf("NEW", id, transaction)),
    ...plan.updates
      .filter(({ id }) => settled.has(id))
      .map(({ id, transaction }) => newsOf("SETTLED", id, transaction)),
  ];
}

async function readKept(
  client: Queryable,
  { organizationId, accountIds }: Target,
  changes: readonly TransactionChange[],
): Promise<KeptTransaction[]> {
  const providerIds = changes.flatMap((change) =>
    change.kind === "REMOVE"
      ? [change.providerTransactionId]
      : [change.transaction.providerTransactionId, change.transaction.pendingTransactionId],
  );
  const { rows } = await client.query<KeptTransaction>({
    name: "read_kept_external_transactions",
    text: `
      select id, provider_transaction_id as "providerTransactionId", status, vanished_at is not null as "isVanished"
        from external_transactions
       where organization_id = $1 and account_id = any ($2) and provider_transaction_id = any ($3)`,
    values: [organizationId, [...accountIds.values()], [...new Set(providerIds.filter((id) => id !== null))]],
  });
  return rows;
}

async function vanish(client: Queryable, target: Target, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await client.query({
    name: "vanish_external_transactions",
    // The transfer that it was matched to may match another transaction.
    text: `
      update external_transactions set vanished_at = $3, updated_at = $3, transfer_id = null
       where organization_id = $1 and id = any ($2)`,
    values: [target.organizationId, ids, target.businessNow],
  });
}

/** The columns that the provider reports, as one JSON array for `jsonb_to_recordset`. */
function toRecords(
  target: Target,
  items: readonly { id: string; transaction: ProviderTransaction }[],
): string {
  return JSON.stringify(
    items.map(({ id, transaction }) => ({
      id,
      accountId: target.accountIds.get(transaction.providerAccountId),
      providerTransactionId: transaction.providerTransactionId,
      amountInCents: transaction.amountInCents,
      direction: transaction.direction,
      status: transaction.status,
      description: providerText(transaction.description, 500),
      transactionDate: transaction.transactionDate.toISOString(),
      merchantName: transaction.merchantName === null ? null : providerText(transaction.merchantName, 200),
      category: transaction.category,
      providerCategory: transaction.providerCategory,
    })),
  );
}

const RECORDS = `
  jsonb_to_recordset($2::jsonb) as r (id uuid, "accountId" uuid, "providerTransactionId" text, "amountInCents" bigint,
    direction text, status text, description text, "transactionDate" timestamptz, "merchantName" text, category text,
    "providerCategory" text)`;

async function update(
  client: Queryable,
  target: Target,
  updates: readonly { id: string; transaction: ProviderTransaction }[],
): Promise<void> {
  if (updates.length === 0) return;
  await client.query({
    name: "update_external_transactions",
    text: `
      update external_transactions x set
          provider_transaction_id = r."providerTransactionId", direction = r.direction, status = r.status,
          description = r.description, transaction_date = r."transactionDate",
          merchant_name = r."merchantName", category = r.category, provider_category = r."providerCategory",
          amount_in_cents = r."amountInCents", vanished_at = null, updated_at = $3,
          -- A different amount means that it was not that transfer.
          transfer_id = case when x.amount_in_cents = r."amountInCents" and x.direction = r.direction
            then x.transfer_id end
        from ${RECORDS}
       where x.organization_id = $1 and x.id = r.id
         and (x.provider_transaction_id, x.direction, x.status, x.description, x.transaction_date, x.merchant_name,
              x.category, x.provider_category, x.amount_in_cents, x.vanished_at)
             is distinct from
             (r."providerTransactionId", r.direction, r.status, r.description, r."transactionDate",
              r."merchantName", r.category, r."providerCategory", r."amountInCents", null)`,
    values: [target.organizationId, toRecords(target, updates), target.businessNow],
  });
}

async function insert(
  client: Queryable,
  target: Target,
  inserts: readonly { id: string; transaction: ProviderTransaction }[],
): Promise<void> {
  if (inserts.length === 0) return;
  await client.query({
    name: "insert_external_transactions",
    // Planned under the connection's lock: a duplicate is a defect, and the unique index rejects it.
    text: `
      insert into external_transactions (organization_id, id, account_id, provider_transaction_id, amount_in_cents,
          direction, status, description, transaction_date, merchant_name, category, provider_category, created_at,
          updated_at)
      select $1, r.id, r."accountId", r."providerTransactionId", r."amountInCents", r.direction,
          r.status, r.description, r."transactionDate", r."merchantName", r.category,
          r."providerCategory", $3, $3
        from ${RECORDS}`,
    values: [target.organizationId, toRecords(target, inserts), target.businessNow],
  });
}

/** @returns the transfer of each transaction that was just matched as the other side of one. */
async function matchTransfers(
  client: Queryable,
  target: Target,
  changes: readonly TransactionChange[],
): Promise<Map<string, string>> {
  const earliest = changes.reduce(
    (least, change) =>
      change.kind === "UPSERT" ? Math.min(least, change.transaction.transactionDate.getTime()) : least,
    target.businessNow.getTime() - MATCH_AGAIN_MS,
  );
  const { rows } = await client.query<{ externalTransactionId: string; transferId: string }>({
    name: "match_own_transfers",
    text: `select external_transaction_id as "externalTransactionId", transfer_id as "transferId"
      from match_own_transfers($1, $2, $3)`,
    values: [target.organizationId, [...target.accountIds.values()], new Date(earliest)],
  });
  return new Map(rows.map((row) => [row.externalTransactionId, row.transferId]));
}

/** The stored fields of a transaction that the decision needs. */
interface KeptTransaction {
  id: string;
  providerTransactionId: string;
  status: "PENDING" | "COMPLETE";
  isVanished: boolean;
}

/** What to write. The lists do not overlap. */
interface ChangePlan {
  inserts: ProviderTransaction[];
  updates: { id: string; transaction: ProviderTransaction }[];
  /** Our ids. */
  vanished: string[];
  /** Our ids, of transactions that were pending (or gone) and are now posted. */
  settled: string[];
}

/**
 * Decides what a provider's changes, in order, mean for one connection's stored transactions. Pure.
 *
 * A posted transaction that names its pending one keeps that one's id, even if the provider removed the pending one
 * first. The last of several changes to one transaction counts; applying the same changes again plans the same state.
 */
function planChanges(kept: readonly KeptTransaction[], changes: readonly TransactionChange[]): ChangePlan {
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

/** The pending transaction that this posted one replaces, unless the provider reports that one again later. */
function formerOf(
  transaction: ProviderTransaction,
  kept: ReadonlyMap<string, KeptTransaction>,
  final: ReadonlyMap<string, TransactionChange>,
): KeptTransaction | undefined {
  const formerId = transaction.pendingTransactionId;
  if (formerId === null || final.get(formerId)?.kind === "UPSERT") return undefined;
  return kept.get(formerId);
}

/** A posted transaction ends its pending one, even if a later page reports the removal. */
function lastOfEach(changes: readonly TransactionChange[]): Map<string, TransactionChange> {
  const final = new Map<string, TransactionChange>();
  for (const change of changes) {
    const id =
      change.kind === "REMOVE" ? change.providerTransactionId : change.transaction.providerTransactionId;
    // Deleted first, so that the map is ordered by the last change to each.
    final.delete(id);
    final.set(id, change);
    const formerId = change.kind === "UPSERT" ? change.transaction.pendingTransactionId : null;
    if (formerId !== null && final.get(formerId)?.kind === "UPSERT") final.delete(formerId);
  }
  return final;
}

/** An institution's text on one line, without deceptive characters, at most `maximumLength` long. */
export function providerText(text: string, maximumLength: number): string {
  return [...seenText(text, "\0").replace(/\0+/g, " ").trim()].slice(0, maximumLength).join("");
}
