import { z } from "zod";
import type { ProviderBalance } from "@/lib/ports/aggregator/aggregator-port";
import { externalTypeOf, type PlaidAccount } from "@/lib/ports/aggregator/plaid/accounts";
import { toCentsOrNull } from "@/lib/ports/aggregator/plaid/to-cents";

const dollars = z.number().nullish();
const date = z.iso.date().nullish();

/** What we read of `/liabilities/get` (`LiabilitiesObject` in Plaid's OpenAPI description, 2020-09-14). */
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
      // What a purchase costs; cash advances and special offers have rates of their own.
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
