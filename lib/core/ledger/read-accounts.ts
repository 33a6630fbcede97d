import type {
  Account,
  AccountSummary,
  AccountType,
  Balance,
  ExternalAccountType,
} from "@/lib/contract/account";
import { AppError } from "@/lib/contract/error";
import { type NamedAlike, toLookAlike } from "@/lib/contract/input/look-alike";
import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import { canBeDestination, canBeSource } from "@/lib/contract/rules/account-sides";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { alikeIn, partyNamesOn, type WithPartyNames } from "@/lib/core/shared/look-alikes";
import { covers, requirePermission } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** The columns that every reader of accounts selects, from `accounts a` with its beneficiary `b`. */
const SUMMARY_COLUMNS = `
  a.id, a.name, a.type, a.description, a.external_account_type as "externalAccountType", b.name as "beneficiaryName",
  a.institution_name as "institutionName",
  a.linked_account_id as "linkedAccountId", a.created_at as "createdAt", a.updated_at as "updatedAt",
  a.deleted_at as "deletedAt"`;

/** Further columns of the single read, from `ledgers l` and `provider_balances p`. */
export const DETAIL_COLUMNS = `${SUMMARY_COLUMNS},
  a.routing_number_last4 as "routingNumberLast4", a.account_number_last4 as "accountNumberLast4",
  a.savings_target_in_cents as "savingsTargetInCents", a.floor_in_cents as "floorInCents",
  l.credits_in_cents - l.debits_in_cents as "ledgerBalanceInCents", l.held_in_cents as "heldInCents",
  p.balance_in_cents as "balanceInCents", p.available_balance_in_cents as "availableBalanceInCents",
  p.last_statement_balance_in_cents as "lastStatementBalanceInCents",
  p.last_statement_date::text as "lastStatementDate", p.next_payment_minimum_in_cents as "nextPaymentMinimumInCents",
  p.next_payment_due_date::text as "nextPaymentDueDate",
  p.interest_rate_percentage::float8 as "interestRatePercentage",
  p.original_loan_amount_in_cents as "originalLoanAmountInCents",
  p.refreshed_at as "refreshedAt", p.error`;

export const DETAIL_JOINS = `
  left join beneficiaries b on b.organization_id = a.organization_id and b.id = a.beneficiary_id
  left join ledgers l on l.organization_id = a.organization_id and l.id = a.id
  left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id`;

export interface AccountSummaryRow {
  id: string;
  name: string;
  type: AccountType;
  description: string | null;
  externalAccountType: ExternalAccountType | null;
  beneficiaryName: string | null;
  institutionName: string | null;
  linkedAccountId: string | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

export interface AccountDetailRow extends AccountSummaryRow {
  routingNumberLast4: string | null;
  accountNumberLast4: string | null;
  savingsTargetInCents: number | null;
  floorInCents: number | null;
  ledgerBalanceInCents: number | null;
  heldInCents: number | null;
  balanceInCents: number | null;
  availableBalanceInCents: number | null;
  lastStatementBalanceInCents: number | null;
  lastStatementDate: string | null;
  nextPaymentMinimumInCents: number | null;
  nextPaymentDueDate: string | null;
  interestRatePercentage: number | null;
  originalLoanAmountInCents: number | null;
  refreshedAt: Date | null;
  error: string | null;
}

/** The fields of `LinkedAccountSummary`. */
function summaryFields(row: AccountSummaryRow): Omit<AccountSummary, "linkedAccount" | "lookAlike"> {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    description: row.description,
    externalAccountType: row.externalAccountType,
    beneficiaryName: row.beneficiaryName,
    institutionName: row.institutionName,
    canBeSource: row.deletedAt === null && canBeSource(row.type, row.externalAccountType),
    canBeDestination: row.deletedAt === null && canBeDestination(row.type),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
  };
}

function toAccountSummary(
  row: AccountSummaryRow,
  linked: AccountSummaryRow | null,
  alike: NamedAlike | undefined,
): AccountSummary {
  return {
    ...summaryFields(row),
    lookAlike: toLookAlike(alike),
    linkedAccount: linked && summaryFields(linked),
  };
}

/** `now`: business time; a managed balance is always current. */
function toAccount(
  row: AccountDetailRow,
  linked: AccountDetailRow | null,
  alike: NamedAlike | undefined,
  now: Date,
): Account {
  return {
    ...detailFields(row, now),
    lookAlike: toLookAlike(alike),
    linkedAccount: linked && detailFields(linked, now),
  };
}

function detailFields(row: AccountDetailRow, now: Date): Omit<Account, "linkedAccount" | "lookAlike"> {
  return {
    ...summaryFields(row),
    routingNumber: mask(row.routingNumberLast4),
    bankAccountNumber: mask(row.accountNumberLast4),
    balance: toBalance(row, now),
    savingsTargetInCents: row.savingsTargetInCents,
  };
}

/** "Masked to the last 4 digits with a bullet-character prefix" (specification, Part 2). */
function mask(last4: string | null): string | null {
  return last4 && `••••${last4}`;
}

const NOTHING_OWED = {
  lastStatementBalanceInCents: null,
  lastStatementDate: null,
  nextPaymentMinimumInCents: null,
  nextPaymentDueDate: null,
  interestRatePercentage: null,
  originalLoanAmountInCents: null,
};

/** `now`: business time. Null while the balance of an outside account has never been read. */
export function toBalance(row: AccountDetailRow, now: Date): Balance | null {
  if (row.ledgerBalanceInCents !== null) {
    return {
      ...NOTHING_OWED,
      balanceInCents: row.ledgerBalanceInCents,
      availableBalanceInCents: row.ledgerBalanceInCents - (row.heldInCents ?? 0),
      balanceLastUpdatedAt: now.toISOString(),
      error: null,
    };
  }
  if (row.refreshedAt === null && row.error === null) return null;
  return {
    balanceInCents: row.error ? null : row.balanceInCents,
    availableBalanceInCents: row.error ? null : row.availableBalanceInCents,
    lastStatementBalanceInCents: row.lastStatementBalanceInCents,
    lastStatementDate: row.lastStatementDate,
    nextPaymentMinimumInCents: row.nextPaymentMinimumInCents,
    nextPaymentDueDate: row.nextPaymentDueDate,
    balanceLastUpdatedAt: row.refreshedAt?.toISOString() ?? null,
    error: row.error,
    interestRatePercentage: row.interestRatePercentage,
    originalLoanAmountInCents: row.originalLoanAmountInCents,
  };
}

/** One account with masked numbers, balance and its linked liability; null when the organization has no such account. */
export async function findAccount(
  database: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  accountId: string,
): Promise<Account | null> {
  const { rows } = await database.query<AccountDetailRow & WithPartyNames>({
    name: "get_account",
    // The account and its linked liability, if any.
    text: `
      select ${DETAIL_COLUMNS}, ${partyNamesOn("a.id = $2")}
        from accounts a ${DETAIL_JOINS}
       where a.organization_id = $1 and not a.is_payee
         and a.id in ($2, (select linked_account_id from accounts where organization_id = $1 and id = $2))`,
    values: [context.organizationId, accountId],
  });
  const row = rows.find((candidate) => candidate.id === accountId);
  if (!row) return null;
  const linked = rows.find((candidate) => candidate.id === row.linkedAccountId) ?? null;
  return toAccount(row, linked, alikeIn(rows).get(accountId), context.now);
}

/**
 * One account with masked numbers and balance.
 * @throws AppError `ACCOUNT_NOT_FOUND` (also for another organization's), `ACCESS_DENIED` when it is not in the key's list.
 */
export async function getAccount(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  accountId: string,
): Promise<Account> {
  const permission = requirePermission(context.actor, "READ_ACCOUNTS");
  const account = await findAccount(services.pool, context, accountId);
  if (!account) throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${accountId}.`);
  if (!covers(permission.accounts, accountId)) {
    throw new AppError(
      "ACCESS_DENIED",
      "This account is outside the list of this key's READ_ACCOUNTS permission.",
    );
  }
  return account;
}

interface ListAccountsInput extends PageRequest {
  /** Empty: all types. */
  types: readonly AccountType[];
  /** `ACTIVE` leaves out closed accounts. */
  state: "ALL" | "ACTIVE";
}

type Row = AccountSummaryRow & { linked: AccountSummaryRow | null };

/**
 * Summaries of every account of the organization, without those of its payees, oldest first, regardless of the key's list (specification, Part 4,
 * "Accounts": "Returns every account in the organization").
 */
export async function listAccounts(
  services: Pick<Services, "pool">,
  context: Context,
  input: ListAccountsInput,
): Promise<Page<AccountSummary>> {
  const { rows } = await services.pool.query<AccountSummaryRow & WithPartyNames>({
    name: "list_accounts",
    text: `
      select ${SUMMARY_COLUMNS}, ${partyNamesOn("row_number() over (order by a.id) = $5::bigint + 1")}
        from accounts a
        left join beneficiaries b on b.organization_id = a.organization_id and b.id = a.beneficiary_id
       where a.organization_id = $1 and not a.is_payee
         and (cardinality($2::text[]) = 0 or a.type = any ($2))
         and ($3 = 'ALL' or a.deleted_at is null)
       order by a.id
       limit $4 offset $5`,
    values: [
      context.organizationId,
      input.types,
      input.state,
      input.pageSize + 1,
      (input.page - 1) * input.pageSize,
    ],
  });
  const linked = await readLinked(services, context, rows);
  const alike = alikeIn(rows);
  const withLinked: Row[] = rows.map((row) => ({
    ...row,
    linked: row.linkedAccountId ? (linked.get(row.linkedAccountId) ?? null) : null,
  }));
  return toPage(withLinked, input, (row) => toAccountSummary(row, row.linked, alike.get(row.id)));
}

/** The accounts that accounts of this page are linked to; no query when there are none. */
async function readLinked(services: Pick<Services, "pool">, context: Context, rows: AccountSummaryRow[]) {
  const ids = rows.flatMap((row) => row.linkedAccountId ?? []);
  if (ids.length === 0) return new Map<string, AccountSummaryRow>();
  const { rows: linked } = await services.pool.query<AccountSummaryRow>({
    name: "list_linked_accounts",
    text: `
      select ${SUMMARY_COLUMNS}
        from accounts a
        left join beneficiaries b on b.organization_id = a.organization_id and b.id = a.beneficiary_id
       where a.organization_id = $1 and a.id = any ($2)`,
    values: [context.organizationId, ids],
  });
  return new Map(linked.map((row) => [row.id, row]));
}
