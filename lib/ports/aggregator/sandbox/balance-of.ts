import { bankingDateOf } from "@/lib/contract/banking-days";
import type { ProviderBalance } from "@/lib/ports/aggregator/aggregator-port";
import { dayInMonth, dayOfMonth, newYorkTime } from "@/lib/ports/aggregator/sandbox/calendar";
import type { CardTerms, LoanTerms, SandboxAccount } from "@/lib/ports/aggregator/sandbox/institutions";
import {
  pendingOut,
  postedNet,
  type ScheduledTransaction,
} from "@/lib/ports/aggregator/sandbox/scheduled-transaction";

const MINIMUM_PERCENT = 3;
const MINIMUM_STEP_IN_CENTS = 2_500;

const NOTHING_OWED = {
  lastStatementBalanceInCents: null,
  lastStatementDate: null,
  nextPaymentMinimumInCents: null,
  nextPaymentDueDate: null,
  interestRatePercentage: null,
  originalLoanAmountInCents: null,
};

/** The account's balance at a moment: its opening balance plus what was posted since, to the cent. */
export function balanceOf(
  account: SandboxAccount,
  schedule: readonly ScheduledTransaction[],
  at: Date,
): ProviderBalance {
  const own = schedule.filter(({ accountId }) => accountId === account.accountId);
  const { card, loan } = account.template;
  const common = { providerAccountId: account.accountId, asOf: at };
  if (card) return { ...common, ...cardBalance(account, card, own, at) };
  if (loan) return { ...common, ...loanBalance(account, loan, own, at) };
  const balanceInCents = account.openingBalanceInCents + postedNet(own, at);
  return {
    ...common,
    ...NOTHING_OWED,
    balanceInCents,
    availableBalanceInCents:
      account.template.kind === "BROKERAGE" ? null : balanceInCents - pendingOut(own, at),
  };
}

/** When the statement that is due next was closed, and when it is due. */
export function statementDates({ dueDay }: CardTerms, at: Date): { closed: string; due: string } {
  const today = bankingDateOf(at);
  const monthsAhead = dayOfMonth(today) < dueDay ? 0 : 1;
  return {
    closed: dayInMonth(today, monthsAhead - 1, dueDay),
    due: dayInMonth(today, monthsAhead, dueDay),
  };
}

function cardBalance(
  account: SandboxAccount,
  terms: CardTerms,
  own: readonly ScheduledTransaction[],
  at: Date,
): Omit<ProviderBalance, "providerAccountId" | "asOf"> {
  const owed = account.openingBalanceInCents - postedNet(own, at);
  const { closed, due } = statementDates(terms, at);
  const statement = account.openingBalanceInCents - postedNet(own, newYorkTime(closed, 0));
  return {
    balanceInCents: owed,
    availableBalanceInCents: terms.limitInCents - owed - pendingOut(own, at),
    lastStatementBalanceInCents: statement,
    lastStatementDate: closed,
    nextPaymentMinimumInCents: minimumPayment(statement),
    nextPaymentDueDate: due,
    interestRatePercentage: terms.interestRatePercentage,
    originalLoanAmountInCents: null,
  };
}

/** Three percent, rounded up to whole steps, but at most the statement. */
function minimumPayment(statementInCents: number): number {
  if (statementInCents <= 0) return 0;
  const steps = Math.ceil((statementInCents * MINIMUM_PERCENT) / 100 / MINIMUM_STEP_IN_CENTS);
  return Math.min(statementInCents, steps * MINIMUM_STEP_IN_CENTS);
}

function loanBalance(
  account: SandboxAccount,
  terms: LoanTerms,
  own: readonly ScheduledTransaction[],
  at: Date,
): Omit<ProviderBalance, "providerAccountId" | "asOf"> {
  const today = bankingDateOf(at);
  const owed = account.openingBalanceInCents - postedNet(own, at);
  return {
    ...NOTHING_OWED,
    balanceInCents: owed,
    availableBalanceInCents: null,
    nextPaymentMinimumInCents: Math.min(terms.paymentInCents, Math.max(0, owed)),
    nextPaymentDueDate: dayInMonth(today, dayOfMonth(today) < terms.dueDay ? 0 : 1, terms.dueDay),
    interestRatePercentage: terms.interestRatePercentage,
    originalLoanAmountInCents: terms.originalInCents,
  };
}
