import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";
import { isRoutingNumber } from "@/lib/contract/payee";
import {
  type AggregatorPort,
  AggregatorUnavailable,
  ConnectingRefused,
  type ConnectingStep,
  type ConnectionAccess,
  MAX_INSTITUTIONS,
  type NewConnection,
  NOT_OFFERED,
  type OfferedAccount,
  type ProviderAccount,
  type ProviderAccountNumbers,
  SignInNeeded,
  type TransactionBatch,
  type TransactionChange,
  UnknownInstitution,
} from "@/lib/ports/aggregator/aggregator-port";
import { balanceOf } from "@/lib/ports/aggregator/sandbox/balance-of";
import {
  INSTITUTIONS,
  institutionOf,
  type SandboxAccount,
  TEMPLATES,
} from "@/lib/ports/aggregator/sandbox/institutions";
import { openItem } from "@/lib/ports/aggregator/sandbox/open-item";
import { type ItemKey, readItem, readSchedule } from "@/lib/ports/aggregator/sandbox/read-item";
import {
  drawnNumbers,
  lastChange,
  report,
  type ScheduledTransaction,
  stateAt,
} from "@/lib/ports/aggregator/sandbox/scheduled-transaction";

const BEGINNING: SyncCursor = { time: new Date(0), change: 0 };

const TRANSACTIONS_PER_BATCH = 1_000;

/**
 * Fictional institutions that behave like real ones (docs/connections.md). They keep their own tables and take a pool,
 * never a client, so that a rollback of the product does not make them forget.
 */
export function createSandboxAggregator(pool: Pool): AggregatorPort {
  return {
    provider: "SANDBOX",
    isSandbox: true,
    searchInstitutions: async ({ query, limit }) => {
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_INSTITUTIONS) {
        throw new RangeError(`limit must be from 1 to ${MAX_INSTITUTIONS}, not ${limit}`);
      }
      const wanted = query.trim().toLowerCase();
      return INSTITUTIONS.filter(({ name }) => name.toLowerCase().includes(wanted))
        .slice(0, limit)
        .map(({ id, name }) => ({ id, name }));
    },
    beginConnecting: async ({ institutionId, again }) =>
      await reached(() => begin(pool, institutionId, again)),
    completeConnecting: async (input) => await reached(() => complete(pool, input)),
    listAccounts: async (access) =>
      await reached(async () => {
        const { accounts } = await readItem(pool, keyOf(access), access.businessNow);
        return accounts.map(
          ({ accountId, template, numberLast4, routingNumberLast4 }): ProviderAccount => ({
            providerAccountId: accountId,
            name: template.name,
            externalAccountType: template.externalAccountType,
            numberLast4,
            routingNumberLast4,
          }),
        );
      }),
    readBalances: async (access) =>
      await reached(async () => {
        const item = await readItem(pool, keyOf(access), access.businessNow);
        const schedule = await readSchedule(pool, keyOf(access), item.accounts, item.reportedUntil);
        return item.accounts.map((account) => balanceOf(account, schedule, item.reportedUntil));
      }),
    readAccountNumbers: async (access) =>
      await reached(async () => {
        const { accounts } = await readItem(pool, keyOf(access), access.businessNow);
        return accounts.flatMap(numbersOf);
      }),
    syncTransactions: async (access, cursor) =>
      await reached(async () => {
        const item = await readItem(pool, keyOf(access), access.businessNow);
        const schedule = await readSchedule(pool, keyOf(access), item.accounts, item.reportedUntil);
        const from = readCursor(cursor);
        return planBatch(schedule, from, item.reportedUntil, item.lastChange, TRANSACTIONS_PER_BATCH);
      }),
    remove: async (access) =>
      await reached(async () => {
        const { organizationId, itemId } = keyOf(access);
        await pool.query(
          `update sandbox_institution_items set removed_at = $3
            where organization_id = $1 and item_id = $2 and removed_at is null`,
          [organizationId, itemId, access.businessNow],
        );
      }),
  };
}

function keyOf({ organizationId, providerItemId }: ConnectionAccess): ItemKey {
  return { organizationId, itemId: providerItemId };
}

/** Invented, and always the same: they end in the digits that the institution lists. */
function numbersOf({
  accountId,
  template,
  numberLast4,
  routingNumberLast4,
}: SandboxAccount): ProviderAccountNumbers[] {
  if (template.externalAccountType !== "DEPOSITORY" || routingNumberLast4 === null) return [];
  const accountNumber = `${drawnNumbers(`${accountId}|whole number`)(10_000, 99_999)}${numberLast4}`;
  return [
    {
      providerAccountId: accountId,
      accountKind: template.kind === "SAVINGS" ? "SAVINGS" : "CHECKING",
      routingNumber: routingNumberEnding(routingNumberLast4),
      accountNumber,
    },
  ];
}

/** The checksum weights the first digit by three, so exactly one of ten digits makes it right. */
function routingNumberEnding(last4: string): string {
  const found = Array.from({ length: 10 }, (_, first) => `${first}2345${last4}`).find(isRoutingNumber);
  if (found === undefined) throw new Error("No routing number has a valid checksum");
  return found;
}

/** Signing in again needs no choice: the customer is the same, and the fault is over. */
async function begin(
  pool: Pool,
  institutionId: string | null,
  again: ConnectionAccess | null,
): Promise<ConnectingStep> {
  if (again) {
    const { rows } = await pool.query<{ institutionId: string }>(
      `update sandbox_institution_items set fault_kind = null, fault_code = null
        where organization_id = $1 and item_id = $2 returning institution_id as "institutionId"`,
      [again.organizationId, again.providerItemId],
    );
    return { kind: "CHOOSE", institution: requireInstitution(rows[0]?.institutionId ?? ""), accounts: [] };
  }
  const institution = requireInstitution(institutionId ?? "");
  return { kind: "CHOOSE", institution, accounts: offeredBy(institution.id) };
}

function offeredBy(institutionId: string): OfferedAccount[] {
  return TEMPLATES.filter((template) => template.institutionId === institutionId).map(
    ({ template, name, externalAccountType }) => ({ template, name, externalAccountType }),
  );
}

/** The item has the connection's id, so that a second attempt at completing it is the same one. */
async function complete(
  pool: Pool,
  input: Parameters<AggregatorPort["completeConnecting"]>[0],
): Promise<NewConnection> {
  const { proof, organizationId, connectionId, businessNow } = input;
  if (proof.kind !== "CHOICE") {
    throw new ConnectingRefused(NOT_OFFERED, "The sandbox institutions expect a choice of accounts");
  }
  const institution = requireInstitution(proof.institutionId);
  const offered = offeredBy(institution.id);
  const chosen = offered.filter(({ template }) => proof.templates.includes(template));
  if (chosen.length === 0 || chosen.length !== new Set(proof.templates).size) {
    throw new ConnectingRefused(NOT_OFFERED, `Choose among the accounts of ${institution.name}`);
  }
  await openItem(
    pool,
    { organizationId, itemId: connectionId },
    {
      institutionId: institution.id,
      connectedAt: businessNow,
      accounts: chosen.map(({ template }) => ({ accountId: uuidv7(), template })),
    },
  );
  return { providerItemId: connectionId, institution, sealedAccessToken: null };
}

function requireInstitution(id: string) {
  const found = institutionOf(id);
  if (!found) throw new UnknownInstitution(id);
  return { id: found.id, name: found.name };
}

/** A broken connection to the sandbox's own tables counts as an institution that does not answer. */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isAnswer =
      error instanceof AggregatorUnavailable ||
      error instanceof SignInNeeded ||
      error instanceof ConnectingRefused ||
      error instanceof UnknownInstitution ||
      error instanceof RangeError;
    if (isAnswer) throw error;
    throw new AggregatorUnavailable(
      "SANDBOX_UNREACHABLE",
      error instanceof Error ? error.message : "unknown",
    );
  }
}

interface Dated {
  transaction: ScheduledTransaction;
  changedAt: Date;
}

/**
 * What a reader at `cursor` has not seen, oldest change first, at most `limit` transactions (more if several changed at
 * one moment). Each is reported once, in its state at `until`.
 */
function planBatch(
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
    // Members' changes are dated at the end, so they come in the last batch.
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
      return [{ kind: "UPSERT", transaction: report(transaction, at) }];
    case "POSTED": {
      const reported: TransactionChange = { kind: "UPSERT", transaction: report(transaction, at) };
      return transaction.postedId === transaction.id ? [reported] : [reported, removed];
    }
  }
}

function later(left: Date, right: Date): Date {
  return left > right ? left : right;
}

/** How far a reader has read: scheduled changes by time, members' changes by number. */
interface SyncCursor {
  time: Date;
  change: number;
}

function writeCursor({ time, change }: SyncCursor): string {
  return `sbx:${time.getTime()}:${change}`;
}

/** A foreign cursor is read as none: everything is reported again, which does no harm. */
function readCursor(text: string | null): SyncCursor {
  const parts = /^sbx:(\d{1,15}):(\d{1,9})$/.exec(text ?? "");
  return parts ? { time: new Date(Number(parts[1])), change: Number(parts[2]) } : BEGINNING;
}
