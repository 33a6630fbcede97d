import { z } from "zod";
import type { ExternalAccountType } from "@/lib/contract/account";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { isRoutingNumber } from "@/lib/contract/payee";
import {
  AggregatorUnavailable,
  type ProviderAccount,
  type ProviderAccountNumbers,
  type ProviderBalance,
} from "@/lib/ports/aggregator/aggregator-port";

/** The fields that we read of Plaid's account (`AccountBase` in its OpenAPI description, 2020-09-14). */
const plaidAccountSchema = z.object({
  account_id: z.string().min(1).max(200),
  name: z.string(),
  mask: z.string().nullable(),
  type: z.string(),
  balances: z.object({
    available: z.number().nullable(),
    current: z.number().nullable(),
    iso_currency_code: z.string().nullable(),
    unofficial_currency_code: z.string().nullable(),
    last_updated_datetime: z.iso.datetime({ offset: true }).nullish(),
  }),
});
type PlaidAccount = z.infer<typeof plaidAccountSchema>;

export const plaidAccountsSchema = z.object({ accounts: z.array(plaidAccountSchema).max(500) });

/** Amounts are cents here: an account in another currency, or an unofficial one, is omitted. */
export function isInDollars({ balances }: PlaidAccount): boolean {
  return balances.iso_currency_code === null
    ? balances.unofficial_currency_code === null
    : balances.iso_currency_code === "USD";
}

const TYPES = new Map<string, ExternalAccountType>([
  ["depository", "DEPOSITORY"],
  ["credit", "LIABILITY"],
  ["loan", "LIABILITY"],
  ["investment", "INVESTMENT"],
  ["brokerage", "INVESTMENT"],
]);

/** Money is never drawn from an account of an unknown type. */
function externalTypeOf({ type }: PlaidAccount): ExternalAccountType {
  return TYPES.get(type) ?? "INVESTMENT";
}

/** Plaid's mask is two to four characters, mostly the last digits; routing numbers belong to another product. */
export function toProviderAccount(account: PlaidAccount): ProviderAccount {
  return {
    providerAccountId: account.account_id,
    name: account.name,
    externalAccountType: externalTypeOf(account),
    numberLast4: account.mask !== null && /^\d{4}$/.test(account.mask) ? account.mask : null,
    routingNumberLast4: null,
  };
}

/** The fields that we read of `/auth/get` (`AuthGetResponse` in Plaid's OpenAPI description, 2020-09-14). */
export const plaidNumbersSchema = z.object({
  accounts: z
    .array(z.object({ account_id: z.string(), type: z.string(), subtype: z.string().nullish() }))
    .max(500),
  numbers: z.object({
    ach: z.array(z.object({ account_id: z.string(), account: z.string(), routing: z.string() })).max(500),
  }),
});
type PlaidNumbers = z.infer<typeof plaidNumbersSchema>;

/** Of deposit accounts. Numbers that ACH cannot carry are left out, as if the institution did not share them. */
export function toProviderNumbers({ accounts, numbers }: PlaidNumbers): ProviderAccountNumbers[] {
  const deposits = new Map(
    accounts.flatMap((one) =>
      TYPES.get(one.type) === "DEPOSITORY" ? [[one.account_id, one.subtype] as const] : [],
    ),
  );
  return numbers.ach.flatMap(({ account_id, account, routing }) =>
    deposits.has(account_id) && /^[0-9]{4,17}$/.test(account) && isRoutingNumber(routing)
      ? [
          {
            providerAccountId: account_id,
            // Cash management accounts are checking accounts to ACH.
            accountKind:
              deposits.get(account_id) === "savings" ? ("SAVINGS" as const) : ("CHECKING" as const),
            routingNumber: routing,
            accountNumber: account,
          },
        ]
      : [],
  );
}

/**
 * Plaid reports dollars as JSON numbers with at most two decimals, which a double holds only approximately: 19.99 × 100
 * is 1998.9999…. Rounding gives the intended cents for every amount within the safe integers; sums of amounts beyond a trillion dollars might be
 * beyond those.
 * @throws AggregatorUnavailable for anything else: better no amount than a wrong one
 */
export function toCents(dollars: number): number {
  const cents = Math.round(dollars * 100);
  if (!Number.isSafeInteger(cents) || Math.abs(cents) > MAXIMUM_TRANSFER_IN_CENTS) {
    throw new AggregatorUnavailable("AMOUNT_OUT_OF_RANGE", "Plaid reported an invalid amount");
  }
  // No negative zero.
  return cents + 0;
}

function toCentsOrNull(dollars: number | null | undefined): number | null {
  return dollars === null || dollars === undefined ? null : toCents(dollars);
}

const dollars = z.number().nullish();
const date = z.iso.date().nullish();

/** The fields that we read of `/liabilities/get` (`LiabilitiesObject` in Plaid's OpenAPI description, 2020-09-14). */
export const plaidLiabilitiesSchema = z.object({
  liabilities: z.object({
    credit: z
      .array(
        z.object({
          account_id: z.string().nullable(),
          aprs: z.array(z.object({ apr_percentage: z.number(), apr_type: z.string() })).nullish(),
          last_statement_balance: dollars,
          last_statement_issue_date: date,
          minimum_payment_amount: dollars,
          next_payment_due_date: date,
        }),
      )
      .nullish(),
    student: z
      .array(
        z.object({
          account_id: z.string().nullable(),
          interest_rate_percentage: z.number().nullish(),
          last_statement_balance: dollars,
          last_statement_issue_date: date,
          minimum_payment_amount: dollars,
          next_payment_due_date: date,
          origination_principal_amount: dollars,
        }),
      )
      .nullish(),
    mortgage: z
      .array(
        z.object({
          account_id: z.string(),
          interest_rate: z.object({ percentage: z.number().nullable() }).nullish(),
          next_monthly_payment: dollars,
          next_payment_due_date: date,
          origination_principal_amount: dollars,
        }),
      )
      .nullish(),
  }),
});
export type PlaidLiabilities = z.infer<typeof plaidLiabilitiesSchema>["liabilities"];

type Terms = Pick<
  ProviderBalance,
  | "lastStatementBalanceInCents"
  | "lastStatementDate"
  | "nextPaymentMinimumInCents"
  | "nextPaymentDueDate"
  | "interestRatePercentage"
  | "originalLoanAmountInCents"
>;

const NO_TERMS: Terms = {
  lastStatementBalanceInCents: null,
  lastStatementDate: null,
  nextPaymentMinimumInCents: null,
  nextPaymentDueDate: null,
  interestRatePercentage: null,
  originalLoanAmountInCents: null,
};

export function toProviderBalance(
  account: PlaidAccount,
  liabilities: PlaidLiabilities | null,
  businessNow: Date,
): ProviderBalance {
  const { available, current, last_updated_datetime } = account.balances;
  const isOwed = externalTypeOf(account) === "LIABILITY";
  return {
    providerAccountId: account.account_id,
    balanceInCents: toCentsOrNull(current),
    availableBalanceInCents: toCentsOrNull(available),
    ...(isOwed && liabilities ? termsOf(account.account_id, liabilities) : NO_TERMS),
    asOf: last_updated_datetime ? new Date(last_updated_datetime) : businessNow,
  };
}

function termsOf(accountId: string, { credit, student, mortgage }: PlaidLiabilities): Terms {
  const isIt = (terms: { account_id: string | null }) => terms.account_id === accountId;
  const card = credit?.find(isIt);
  if (card) {
    return {
      ...NO_TERMS,
      ...statementOf(card),
      // The rate of purchases; cash advances and special offers have their own.
      interestRatePercentage:
        card.aprs?.find(({ apr_type }) => apr_type === "purchase_apr")?.apr_percentage ?? null,
    };
  }
  const studentLoan = student?.find(isIt);
  if (studentLoan) {
    return {
      ...statementOf(studentLoan),
      interestRatePercentage: studentLoan.interest_rate_percentage ?? null,
      originalLoanAmountInCents: toCentsOrNull(studentLoan.origination_principal_amount),
    };
  }
  const home = mortgage?.find(isIt);
  if (!home) return NO_TERMS;
  return {
    ...NO_TERMS,
    nextPaymentMinimumInCents: toCentsOrNull(home.next_monthly_payment),
    nextPaymentDueDate: home.next_payment_due_date ?? null,
    interestRatePercentage: home.interest_rate?.percentage ?? null,
    originalLoanAmountInCents: toCentsOrNull(home.origination_principal_amount),
  };
}

function statementOf(terms: {
  last_statement_balance?: number | null | undefined;
  last_statement_issue_date?: string | null | undefined;
  minimum_payment_amount?: number | null | undefined;
  next_payment_due_date?: string | null | undefined;
}) {
  return {
    lastStatementBalanceInCents: toCentsOrNull(terms.last_statement_balance),
    lastStatementDate: terms.last_statement_issue_date ?? null,
    nextPaymentMinimumInCents: toCentsOrNull(terms.minimum_payment_amount),
    nextPaymentDueDate: terms.next_payment_due_date ?? null,
  };
}
