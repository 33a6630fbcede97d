import type { RuleAction } from "@/lib/contract/rules/action";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan } from "@/lib/contract/rules/plan";

/** Facts of a pod that holds so many cents, all of them available. Examples call accounts by name, not by id. */
export function pod(cents: number | null, fields: Partial<AccountFacts> = {}): AccountFacts {
  return {
    name: "An account",
    type: "POD",
    externalAccountType: null,
    isClosed: false,
    balanceInCents: cents,
    availableInCents: cents,
    floorInCents: null,
    onItsWayInCents: 0,
    nextPaymentMinimumInCents: null,
    lastStatementBalanceInCents: null,
    interestRatePercentage: null,
    ...fields,
  };
}

/** Facts of an account on which so many cents are owed. */
export function debt(owedInCents: number | null, fields: Partial<AccountFacts> = {}): AccountFacts {
  return {
    ...pod(owedInCents),
    type: "EXTERNAL_ACCOUNT",
    externalAccountType: "LIABILITY",
    availableInCents: null,
    ...fields,
  };
}

/** Facts of a run on Sunday, 14 March 2027, that no person approves. */
export function factsOf(accounts: Record<string, AccountFacts>, fields: Partial<RuleFacts> = {}): RuleFacts {
  return {
    at: "2027-03-14T16:00:00.000Z",
    date: "2027-03-14",
    incomingAmountInCents: null,
    isApprovedByPerson: false,
    accounts,
    limitsUsedInCents: {},
    ...fields,
  };
}

const SHARED = { group: 0, upTo: false, limitId: null, description: null } satisfies Partial<RuleAction>;

/** What every action with one destination has. */
export function fromTo(sourceAccountId: string, destinationAccountId: string) {
  return { ...SHARED, sourceAccountId, destinationAccountId };
}

/** What every budget over several debts has. */
export function fromToDebts(sourceAccountId: string, ...destinationAccountIds: string[]) {
  return { ...SHARED, sourceAccountId, destinationAccountIds };
}

/** A plan's transfers as a table: `Operating → Taxes`, cents, how it ended. */
export function tableOf({ moves }: Pick<RulePlan, "moves">): [string, number, string][] {
  return moves.map(({ sourceAccountId, destinationAccountId, amountInCents, outcome, errorCode }) => [
    `${sourceAccountId} → ${destinationAccountId}`,
    amountInCents,
    errorCode ?? outcome,
  ]);
}
