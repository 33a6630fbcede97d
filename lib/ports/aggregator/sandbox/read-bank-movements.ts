import type { Pool } from "pg";
import { addBankingDays, bankingInstant } from "@/lib/contract/banking-days";
import { idOf } from "@/lib/ports/aggregator/sandbox/drawn-numbers";
import type { SandboxAccount } from "@/lib/ports/aggregator/sandbox/sandbox-account";
import type { ScheduledTransaction } from "@/lib/ports/aggregator/sandbox/scheduled-transaction";

/** Newest first; an account of the sandbox with more orders than this forgets the oldest. */
const MAX_NOTICES_READ = 20_000;

interface NoticeRow {
  transfer_id: string;
  direction: "CREDIT" | "DEBIT";
  amount_in_cents: number;
  label: string | null;
  outside_account_number_last4: string;
  outside_routing_number_last4: string | null;
  kind: "SETTLED" | "RETURNED";
  code: string | null;
  due_at: Date;
}

/** What a deposit with this label is for, and goes on to the next banking day: wages to people, taxes to the state. */
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
 * digits, when the order settles, and again, the other way, when it is returned after that.
 */
export async function readBankMovements(
  pool: Pool,
  organizationId: string,
  accounts: readonly SandboxAccount[],
  until: Date,
): Promise<ScheduledTransaction[]> {
  const { rows } = await pool.query<NoticeRow>({
    name: "sandbox_institutions_read_bank_movements",
    text: `select o.transfer_id, o.direction, o.amount_in_cents, o.label, o.outside_account_number_last4,
                  o.outside_routing_number_last4, n.kind, n.code, n.due_at
             from sandbox_bank_orders o
             join sandbox_bank_notices n
               on n.organization_id = o.organization_id and n.transfer_id = o.transfer_id
            where o.organization_id = $1 and o.outside_account_number_last4 = any ($2) and n.due_at <= $3
            order by n.due_at desc
            limit $4`,
    values: [organizationId, accounts.map(({ numberLast4 }) => numberLast4), until, MAX_NOTICES_READ],
  });
  const settled = new Set(rows.filter(({ kind }) => kind === "SETTLED").map((row) => row.transfer_id));
  return rows.flatMap((row) => {
    const account = accounts.find((candidate) => isNamed(candidate, row));
    // What came back instead of settling was never seen outside.
    if (!account || !settled.has(row.transfer_id)) return [];
    const movement = toScheduled(account, row);
    return [movement, ...passOn(account, row, movement, until)];
  });
}

function isNamed(account: SandboxAccount, row: NoticeRow): boolean {
  if (account.numberLast4 !== row.outside_account_number_last4) return false;
  const routing = row.outside_routing_number_last4;
  return routing === null || account.routingNumberLast4 === null || routing === account.routingNumberLast4;
}

function toScheduled(account: SandboxAccount, row: NoticeRow): ScheduledTransaction {
  const isReturn = row.kind === "RETURNED";
  const isIn = (row.direction === "CREDIT") !== isReturn;
  const what = isReturn ? `ACH RETURN ${row.code ?? ""}`.trim() : `ACH ${row.direction} SLUICE`;
  return posted(account, idOf(account.accountId, row.transfer_id, row.kind), row.due_at, {
    direction: isIn ? "MONEY_IN" : "MONEY_OUT",
    amountInCents: row.amount_in_cents,
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
  const paidAt = bankingInstant(addBankingDays(row.due_at, 1), "09:15");
  if (!purpose || paidAt > until) return [];
  const { label: _label, ...told } = purpose;
  return [
    posted(account, idOf(id, "passed on"), paidAt, {
      ...told,
      direction: "MONEY_OUT",
      amountInCents: postedAmountInCents,
    }),
  ];
}

function posted(
  account: SandboxAccount,
  id: string,
  at: Date,
  told: {
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
    direction: told.direction,
    pendingAmountInCents: told.amountInCents,
    postedAmountInCents: told.amountInCents,
    description: told.description,
    merchantName: told.merchantName,
    providerCategory: told.category,
    appearsAt: at,
    enrichedAt: at,
    settlesAt: at,
    vanishesAt: null,
    change: 0,
  };
}
