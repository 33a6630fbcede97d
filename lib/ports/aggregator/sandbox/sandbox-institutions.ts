import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { FlowDirection } from "@/lib/contract/transactions";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { institutionOf } from "@/lib/ports/aggregator/sandbox/institutions";
import {
  type ItemKey,
  MAX_MEMBER_TRANSACTIONS,
  readAccounts,
  readAccountsOf,
  readComputedOf,
} from "@/lib/ports/aggregator/sandbox/read-item";
import {
  drawnNumbers,
  idOf,
  type ScheduledTransaction,
  stateAt,
} from "@/lib/ports/aggregator/sandbox/scheduled-transaction";

const DAY_MS = 86_400_000;

export type SandboxFault =
  | { kind: "UNAVAILABLE" | "SIGN_IN"; code: string }
  /** Answers, but reports nothing new. */
  | { kind: "STALE" };

export interface MemberMovement {
  providerAccountId: string;
  direction: FlowDirection;
  amountInCents: number;
  description: string;
  merchantName: string | null;
  /** Plaid's detailed personal finance category. */
  providerCategory: string | null;
  /** `POSTED` immediately, or `PENDING`, to settle by itself in one to three days. */
  as: "POSTED" | "PENDING";
}

export interface PendingMovement {
  itemId: string;
  transactionId: string;
  providerAccountId: string;
  amountInCents: number;
  direction: FlowDirection;
  description: string;
}

export type PendingDecision = { kind: "VANISH" } | { kind: "SETTLE"; amountInCents: number };

/** What members can make happen at the sandbox institutions, in business time `now`. */
export interface SandboxInstitutions {
  /** @returns false if there is no such connection */
  fail(key: ItemKey, fault: SandboxFault, now: Date): Promise<boolean>;
  heal(key: ItemKey): Promise<boolean>;
  /** @returns the new transaction's id; null if there is no such account, or it reached MAX_MEMBER_TRANSACTIONS */
  move(key: ItemKey, movement: MemberMovement, now: Date): Promise<string | null>;
  /** Of several connections of an organization at once. */
  listPending(organizationId: string, itemIds: readonly string[], now: Date): Promise<PendingMovement[]>;
  /** @returns false if it is not pending (anymore) */
  decidePending(key: ItemKey, transactionId: string, decision: PendingDecision, now: Date): Promise<boolean>;
}

export function createSandboxInstitutions(pool: Pool): SandboxInstitutions {
  return {
    fail: async (key, fault, now) => await setFault(pool, key, fault, now),
    heal: async (key) => await setFault(pool, key, null, null),
    move: async (key, movement, now) => await move(pool, key, movement, now),
    listPending: async (organizationId, itemIds, now) =>
      (await readPending(pool, organizationId, itemIds, now)).map(({ itemId, transaction }) => ({
        itemId,
        transactionId: transaction.id,
        providerAccountId: transaction.accountId,
        amountInCents: transaction.pendingAmountInCents,
        direction: transaction.direction,
        description: transaction.description,
      })),
    decidePending: async (key, transactionId, decision, now) => {
      const found = await readPending(pool, key.organizationId, [key.itemId], now);
      const pending = found.find(({ transaction }) => transaction.id === transactionId)?.transaction;
      if (!pending) return false;
      const ends =
        decision.kind === "VANISH"
          ? { settlesAt: null, vanishesAt: now }
          : { settlesAt: now, vanishesAt: null, postedAmountInCents: decision.amountInCents };
      return await write(pool, key, { ...pending, ...ends });
    },
  };
}

async function setFault(
  pool: Pool,
  { organizationId, itemId }: ItemKey,
  fault: SandboxFault | null,
  now: Date | null,
): Promise<boolean> {
  const isStale = fault?.kind === "STALE";
  const { rowCount } = await pool.query(
    `update sandbox_institution_items set fault_kind = $3, fault_code = $4, stale_since = $5
      where organization_id = $1 and item_id = $2 and removed_at is null`,
    [
      organizationId,
      itemId,
      fault && !isStale ? fault.kind : null,
      fault && fault.kind !== "STALE" ? fault.code : null,
      isStale ? now : null,
    ],
  );
  return rowCount === 1;
}

async function readPending(
  pool: Pool,
  organizationId: string,
  itemIds: readonly string[],
  now: Date,
): Promise<{ itemId: string; transaction: ScheduledTransaction }[]> {
  const accounts = await readAccountsOf(pool, organizationId, itemIds);
  const computed = await readComputedOf(pool, organizationId, accounts, now);
  return [...computed].flatMap(([itemId, transactions]) =>
    transactions
      .filter((transaction) => stateAt(transaction, now) === "PENDING")
      .map((transaction) => ({ itemId, transaction })),
  );
}

async function move(pool: Pool, key: ItemKey, movement: MemberMovement, now: Date): Promise<string | null> {
  const account = (await readAccounts(pool, key)).find(
    ({ accountId }) => accountId === movement.providerAccountId,
  );
  if (!account) return null;
  const id = idOf(key.itemId, randomUUID());
  const isPending = movement.as === "PENDING";
  const renames = isPending && institutionOf(account.template.institutionId)?.renamesPosted;
  const isWritten = await write(pool, key, {
    id,
    postedId: renames ? `${id}_posted` : id,
    accountId: account.accountId,
    direction: movement.direction,
    pendingAmountInCents: movement.amountInCents,
    postedAmountInCents: movement.amountInCents,
    description: movement.description,
    merchantName: movement.merchantName,
    providerCategory: movement.providerCategory,
    appearsAt: now,
    enrichedAt: now,
    settlesAt: isPending ? new Date(now.getTime() + drawnNumbers(id)(1, 3) * DAY_MS) : now,
    vanishesAt: null,
    change: 0,
  });
  return isWritten ? id : null;
}

/**
 * The item's row counts the changes and stays locked until the commit: a reader of number n sees every change up to n.
 */
async function write(pool: Pool, key: ItemKey, transaction: ScheduledTransaction): Promise<boolean> {
  return await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ change: number }>(
      `update sandbox_institution_items set last_change = last_change + 1
        where organization_id = $1 and item_id = $2 and removed_at is null and last_change < $3
        returning last_change as change`,
      [key.organizationId, key.itemId, MAX_MEMBER_TRANSACTIONS],
    );
    const change = rows[0]?.change;
    if (change === undefined) return false;
    await upsert(client, key, { ...transaction, change });
    return true;
  });
}

async function upsert(client: Queryable, key: ItemKey, transaction: ScheduledTransaction): Promise<void> {
  await client.query(
    `insert into sandbox_institution_transactions (organization_id, transaction_id, item_id, account_id, direction,
        pending_amount_in_cents, posted_amount_in_cents, description, merchant_name, provider_category, posted_id,
        appears_at, enriched_at, settles_at, vanishes_at, change)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
     on conflict (organization_id, transaction_id) do update set
        posted_amount_in_cents = excluded.posted_amount_in_cents, settles_at = excluded.settles_at,
        vanishes_at = excluded.vanishes_at, change = excluded.change`,
    [
      key.organizationId,
      transaction.id,
      key.itemId,
      transaction.accountId,
      transaction.direction,
      transaction.pendingAmountInCents,
      transaction.postedAmountInCents,
      transaction.description,
      transaction.merchantName,
      transaction.providerCategory,
      transaction.postedId,
      transaction.appearsAt,
      transaction.enrichedAt,
      transaction.settlesAt,
      transaction.vanishesAt,
      transaction.change,
    ],
  );
}
