import type { Pool } from "pg";
import { addBankingDays, bankingInstant } from "@/lib/contract/banking-days";
import { AggregatorUnavailable, SignInNeeded } from "@/lib/ports/aggregator/aggregator-port";
import { computeObligations, computeStreams } from "@/lib/ports/aggregator/sandbox/compute-schedule";
import {
  type AccountRow,
  type SandboxAccount,
  toSandboxAccount,
} from "@/lib/ports/aggregator/sandbox/institutions";
import { idOf, type ScheduledTransaction } from "@/lib/ports/aggregator/sandbox/scheduled-transaction";

/** A customer's accounts at one institution, as the sandbox reports them. */
interface SandboxItem {
  institutionId: string;
  accounts: SandboxAccount[];
  /** The latest change by a member that this read has seen. */
  lastChange: number;
  /** The data is as of this moment: now, or when the institution went stale. */
  reportedUntil: Date;
}

interface ItemRow {
  institutionId: string;
  faultKind: "UNAVAILABLE" | "SIGN_IN" | null;
  faultCode: string | null;
  staleSince: Date | null;
  lastChange: number;
}

export interface ItemKey {
  organizationId: string;
  itemId: string;
}

/** @throws AggregatorUnavailable, SignInNeeded as a member has set it, or if the customer's consent was revoked */
export async function readItem(
  pool: Pool,
  { organizationId, itemId }: ItemKey,
  now: Date,
): Promise<SandboxItem> {
  const { rows } = await pool.query<ItemRow>({
    name: "sandbox_institutions_read_item",
    text: `select institution_id as "institutionId", fault_kind as "faultKind", fault_code as "faultCode",
        stale_since as "staleSince", last_change as "lastChange"
             from sandbox_institution_items
            where organization_id = $1 and item_id = $2 and removed_at is null`,
    values: [organizationId, itemId],
  });
  const item = rows[0];
  if (!item)
    throw new SignInNeeded("ITEM_NOT_FOUND", "The sandbox institution does not know this connection");
  const code = item.faultCode ?? "";
  if (item.faultKind === "SIGN_IN") throw new SignInNeeded(code, "The sandbox institution asks to sign in");
  if (item.faultKind) throw new AggregatorUnavailable(code, "The sandbox institution does not answer");
  return {
    institutionId: item.institutionId,
    accounts: await readAccounts(pool, { organizationId, itemId }),
    lastChange: item.lastChange,
    reportedUntil: item.staleSince && item.staleSince < now ? item.staleSince : now,
  };
}

export async function readAccounts(
  pool: Pool,
  { organizationId, itemId }: ItemKey,
): Promise<SandboxAccount[]> {
  return (await readAccountsOf(pool, organizationId, [itemId])).get(itemId) ?? [];
}

/** @returns the accounts of each item */
export async function readAccountsOf(
  pool: Pool,
  organizationId: string,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, SandboxAccount[]>> {
  const { rows } = await pool.query<AccountRow & { itemId: string }>({
    name: "sandbox_institutions_read_accounts",
    text: `select a.item_id as "itemId", a.account_id as "accountId", a.template, a.number_last4 as "numberLast4",
                  a.routing_number_last4 as "routingNumberLast4",
                  a.opening_balance_in_cents as "openingBalanceInCents", a.history_from::text as "historyFrom",
                  a.served_since as "servedSince", i.connected_at as "connectedAt"
             from sandbox_institution_accounts a
             join sandbox_institution_items i on i.organization_id = a.organization_id and i.item_id = a.item_id
            where a.organization_id = $1 and a.item_id = any ($2)
            order by a.account_id`,
    values: [organizationId, itemIds],
  });
  return byItem(rows, ({ itemId: _, ...row }) => toSandboxAccount(row));
}

function byItem<R extends { itemId: string }, T>(rows: readonly R[], toValue: (row: R) => T) {
  const items = new Map<string, T[]>();
  for (const row of rows) {
    const values = items.get(row.itemId);
    if (values) values.push(toValue(row));
    else items.set(row.itemId, [toValue(row)]);
  }
  return items;
}

/** Everything that has happened on these accounts up to a moment, each transaction with its whole life. */
export async function readSchedule(
  pool: Pool,
  key: ItemKey,
  accounts: readonly SandboxAccount[],
  until: Date,
): Promise<ScheduledTransaction[]> {
  const computed = await readComputed(pool, key, accounts, until);
  return computed.concat(await readBankMovements(pool, key.organizationId, accounts, until));
}

/** As `readSchedule`, without what the sandbox bank moved, which is posted when it appears and never pending. */
async function readComputed(
  pool: Pool,
  { organizationId, itemId }: ItemKey,
  accounts: readonly SandboxAccount[],
  until: Date,
): Promise<ScheduledTransaction[]> {
  const items = new Map([[itemId, accounts]]);
  return (await readComputedOf(pool, organizationId, items, until)).get(itemId) ?? [];
}

/** The same for several items. @returns the transactions of each */
export async function readComputedOf(
  pool: Pool,
  organizationId: string,
  items: ReadonlyMap<string, readonly SandboxAccount[]>,
  until: Date,
): Promise<ReadonlyMap<string, ScheduledTransaction[]>> {
  const byMembers = await readMemberTransactions(pool, organizationId, [...items.keys()]);
  return new Map(
    [...items].map(([itemId, accounts]) => [itemId, compute(accounts, byMembers.get(itemId) ?? [], until)]),
  );
}

function compute(
  accounts: readonly SandboxAccount[],
  byMembers: readonly ScheduledTransaction[],
  until: Date,
): ScheduledTransaction[] {
  const computed = accounts.flatMap((account) => {
    const siblings = accounts.filter((other) => other !== account);
    return [...computeStreams(account, until), ...computeObligations(account, siblings, until)];
  });
  // A member's decision replaces what would have happened.
  const decided = new Set(byMembers.map(({ id }) => id));
  return computed.filter(({ id }) => !decided.has(id)).concat(byMembers);
}

/** The most transactions that members may create at one institution. */
export const MAX_MEMBER_TRANSACTIONS = 5_000;

async function readMemberTransactions(
  pool: Pool,
  organizationId: string,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, ScheduledTransaction[]>> {
  const { rows } = await pool.query<ScheduledTransaction & { itemId: string }>({
    name: "sandbox_institutions_read_member_transactions",
    text: `select item_id as "itemId", transaction_id as id, posted_id as "postedId",
                  account_id as "accountId", direction, pending_amount_in_cents as "pendingAmountInCents",
                  posted_amount_in_cents as "postedAmountInCents", description, merchant_name as "merchantName",
                  provider_category as "providerCategory", appears_at as "appearsAt", enriched_at as "enrichedAt",
                  settles_at as "settlesAt", vanishes_at as "vanishesAt", change
             from sandbox_institution_transactions
            where organization_id = $1 and item_id = any ($2)
            order by change
            limit $3`,
    values: [organizationId, itemIds, MAX_MEMBER_TRANSACTIONS * itemIds.length],
  });
  return byItem(rows, ({ itemId: _, ...transaction }) => transaction);
}

/** Newest first; beyond this many orders, a sandbox account forgets the oldest. */
const MAX_NOTICES_READ = 20_000;

interface NoticeRow {
  transferId: string;
  direction: "CREDIT" | "DEBIT";
  amountInCents: number;
  label: string | null;
  outsideAccountNumberLast4: string;
  outsideRoutingNumberLast4: string | null;
  kind: "SETTLED" | "RETURNED";
  code: string | null;
  dueAt: Date;
}

/**
 * The purpose of a deposit with this label, for outgoing payments on the next banking day: wages to people, taxes to
 * the state.
 */
const PASSED_ON = [
  {
    label: /WAGES|PAYROLL/,
    description: "BRIGHTPAY PAYROLL NET PAY PPD",
    merchantName: "Brightpay",
    category: "GENERAL_SERVICES_OTHER_GENERAL_SERVICES",
  },
  {
    label: /\bTAX\b/,
    description: "IRS USATAXPYMT CCD",
    merchantName: null,
    category: "GOVERNMENT_AND_NON_PROFIT_TAX_PAYMENT",
  },
];

/**
 * The other side of what Sluice moved over the sandbox bank: it appears on the account that the order names by its
 * digits when the order settles, and again, reversed, if it is returned later.
 */
async function readBankMovements(
  pool: Pool,
  organizationId: string,
  accounts: readonly SandboxAccount[],
  until: Date,
): Promise<ScheduledTransaction[]> {
  const { rows } = await pool.query<NoticeRow>({
    name: "sandbox_institutions_read_bank_movements",
    text: `select o.transfer_id as "transferId", o.direction, o.amount_in_cents as "amountInCents", o.label,
                  o.outside_account_number_last4 as "outsideAccountNumberLast4",
                  o.outside_routing_number_last4 as "outsideRoutingNumberLast4", n.kind, n.code, n.due_at as "dueAt"
             from sandbox_bank_orders o
             join sandbox_bank_notices n
               on n.organization_id = o.organization_id and n.transfer_id = o.transfer_id
            where o.organization_id = $1 and o.outside_account_number_last4 = any ($2) and n.due_at <= $3
              and n.kind in ('SETTLED', 'RETURNED')
            order by n.due_at desc
            limit $4`,
    values: [organizationId, accounts.map(({ numberLast4 }) => numberLast4), until, MAX_NOTICES_READ],
  });
  const settled = new Set(rows.filter(({ kind }) => kind === "SETTLED").map((row) => row.transferId));
  return rows.flatMap((row) => {
    const account = accounts.find((candidate) => isNamed(candidate, row));
    // What came back instead of settling was never seen outside.
    if (!account || !settled.has(row.transferId)) return [];
    const movement = toScheduled(account, row);
    return [movement, ...passOn(account, row, movement, until)];
  });
}

function isNamed(account: SandboxAccount, row: NoticeRow): boolean {
  if (account.numberLast4 !== row.outsideAccountNumberLast4) return false;
  const routing = row.outsideRoutingNumberLast4;
  return routing === null || account.routingNumberLast4 === null || routing === account.routingNumberLast4;
}

function toScheduled(account: SandboxAccount, row: NoticeRow): ScheduledTransaction {
  const isReturn = row.kind === "RETURNED";
  const isIn = (row.direction === "CREDIT") !== isReturn;
  const what = isReturn ? `ACH RETURN ${row.code ?? ""}`.trim() : `ACH ${row.direction} SLUICE`;
  return posted(account, idOf(account.accountId, row.transferId, row.kind), row.dueAt, {
    direction: isIn ? "MONEY_IN" : "MONEY_OUT",
    amountInCents: row.amountInCents,
    description: [what, row.label].filter(Boolean).join(" "),
    merchantName: null,
    category: transferCategory(account, isIn),
  });
}

function transferCategory(account: SandboxAccount, isIn: boolean): string {
  if (account.template.kind === "CARD") return "LOAN_PAYMENTS_CREDIT_CARD_PAYMENT";
  return isIn ? "TRANSFER_IN_ACCOUNT_TRANSFER" : "TRANSFER_OUT_ACCOUNT_TRANSFER";
}

function passOn(
  account: SandboxAccount,
  row: NoticeRow,
  { id, postedAmountInCents, direction }: ScheduledTransaction,
  until: Date,
): ScheduledTransaction[] {
  if (direction !== "MONEY_IN" || row.kind !== "SETTLED" || account.template.kind !== "CHECKING") return [];
  const purpose = PASSED_ON.find(({ label }) => label.test(row.label?.toUpperCase() ?? ""));
  const paidAt = bankingInstant(addBankingDays(row.dueAt, 1), "09:15");
  if (!purpose || paidAt > until) return [];
  const { label: _label, ...reported } = purpose;
  return [
    posted(account, idOf(id, "passed on"), paidAt, {
      ...reported,
      direction: "MONEY_OUT",
      amountInCents: postedAmountInCents,
    }),
  ];
}

function posted(
  account: SandboxAccount,
  id: string,
  at: Date,
  reported: {
    direction: ScheduledTransaction["direction"];
    amountInCents: number;
    description: string;
    merchantName: string | null;
    category: string;
  },
): ScheduledTransaction {
  return {
    id,
    postedId: id,
    accountId: account.accountId,
    direction: reported.direction,
    pendingAmountInCents: reported.amountInCents,
    postedAmountInCents: reported.amountInCents,
    description: reported.description,
    merchantName: reported.merchantName,
    providerCategory: reported.category,
    appearsAt: at,
    enrichedAt: at,
    settlesAt: at,
    vanishesAt: null,
    change: 0,
  };
}
