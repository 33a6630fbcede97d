import type { RulePlan, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleComparison } from "@/lib/engine/check-conditions";
import { comparisonsOf } from "@/lib/engine/comparisons-of";

/** A fact of an account that a plan used. */
export type AccountFact = Exclude<UnknownFact["fact"], "INCOMING_AMOUNT">;
export type DayFact = "DAY_OF_MONTH" | "DAY_OF_WEEK" | "DATE";

/** The facts that a plan used, among all that were read for it. */
export interface FactsSeen {
  incomingAmount: boolean;
  days: DayFact[];
  /** In the order of use. */
  accounts: { accountId: string; facts: AccountFact[] }[];
}

type Rule = Pick<RuleDefinition, "trigger" | "steps">;

/** The facts that the plan depends on, for people who check it. Pure. */
export function factsSeen(rule: Rule, plan: RulePlan): FactsSeen {
  const accounts = new Map<string, Set<AccountFact>>();
  const days = new Set<DayFact>();
  const seen = { incomingAmount: rule.trigger.type === "ON_FUNDS_TRANSFERRED" };
  const see = (accountId: string, ...facts: AccountFact[]) => {
    const before = accounts.get(accountId) ?? new Set();
    accounts.set(accountId, new Set([...before, ...facts]));
  };
  for (const { fact, accountId = "" } of looked(rule, plan)) {
    if (fact === "INCOMING_AMOUNT") seen.incomingAmount = true;
    else if (fact === "DAY_OF_MONTH" || fact === "DAY_OF_WEEK" || fact === "DATE") days.add(fact);
    else see(accountId, fact);
  }
  see(rule.trigger.accountId, "BALANCE");
  const actions = rule.steps[plan.stepIndexMatched ?? -1]?.actions ?? [];
  for (const move of plan.moves) {
    const action = actions[move.actionIndex];
    if (action?.type === "PERCENTAGE" && action.of === "INCOMING_AMOUNT") seen.incomingAmount = true;
    see(move.sourceAccountId, "AVAILABLE_BALANCE");
    const ofDestination = DESTINATION_FACTS[move.type];
    if (ofDestination.length > 0) see(move.destinationAccountId, ...ofDestination);
  }
  return {
    incomingAmount: seen.incomingAmount,
    days: [...days],
    accounts: [...accounts].map(([accountId, facts]) => ({ accountId, facts: [...facts] })),
  };
}

const DESTINATION_FACTS: Record<RulePlan["moves"][number]["type"], AccountFact[]> = {
  FIXED: [],
  PERCENTAGE: [],
  ROUND_DOWN: [],
  REMAINDER: [],
  TOP_UP: ["BALANCE"],
  NEXT_PAYMENT_MINIMUM: ["BALANCE", "NEXT_PAYMENT_MINIMUM"],
  LAST_STATEMENT_BALANCE: ["BALANCE", "LAST_STATEMENT_BALANCE"],
  TOTAL_AMOUNT_DUE: ["BALANCE"],
  PERCENTAGE_OF_LIABILITY: ["BALANCE"],
  SNOWBALL: ["BALANCE"],
  AVALANCHE: ["BALANCE"],
};

type Looked = Pick<RuleComparison, "fact"> & { accountId?: string };

/** Both sides of every evaluated comparison. */
function looked(rule: Rule, plan: RulePlan): Looked[] {
  return plan.steps.flatMap((step, index) => {
    const outcomes = new Map(step.comparisons.map(({ path, outcome }) => [path, outcome]));
    return comparisonsOf(rule.steps[index]?.conditions ?? null).flatMap(({ path, comparison }): Looked[] => {
      const outcome = outcomes.get(path);
      if (outcome === undefined || outcome === "NOT_LOOKED_AT") return [];
      return "valueFact" in comparison ? [comparison, comparison.valueFact] : [comparison];
    });
  });
}
