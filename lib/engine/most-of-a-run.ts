import type { RuleAction } from "@/lib/contract/rules/action";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import { percentagesOf } from "@/lib/contract/rules/percentages-of";
import type { RuleDefinition } from "@/lib/contract/rules/rule";

/** The most that one run can move, as far as the rule defines it. */
export type MostOfRun =
  /** Everything above what each action leaves in its source; floors may leave more. */
  (
    | { kind: "ALL"; sourceAccountIds: string[]; keepInCents: number }
    /** Percentages of one amount that leave a part of it. */
    | { kind: "SHARE"; percentage: number }
    /** Every action pays a debt, up to the amount owed; `due` if all pay the same part of it. */
    | { kind: "OWED"; due: "NEXT_PAYMENT_MINIMUM" | "LAST_STATEMENT_BALANCE" | null }
    /** Every action has its own amount or limit. */
    | { kind: "UP_TO"; amountInCents: number }
  ) & { destinationAccountIds: string[] };

/** The most that a rule can move, shown before activation. With several steps, the largest. */
export function mostOfRun(rule: Pick<RuleDefinition, "steps" | "limits">): MostOfRun {
  const destinationAccountIds = [
    ...new Set(rule.steps.flatMap((step) => step.actions.flatMap(destinationsOf))),
  ];
  const amounts = rule.steps.map((step) => boundOfStep(step.actions, rule.limits));
  if (amounts.every((amount) => amount !== null)) {
    return { kind: "UP_TO", amountInCents: Math.max(...amounts), destinationAccountIds };
  }
  const shares = rule.steps.map((step) => shareOfStep(step.actions));
  if (shares.every((share) => share !== null)) {
    return { kind: "SHARE", percentage: Math.max(...shares), destinationAccountIds };
  }
  const types = new Set(rule.steps.flatMap((step) => step.actions.map(({ type }) => type)));
  if ([...types].every((type) => PAYS_WHAT_IS_OWED.has(type))) {
    const [only] = types;
    const isOneDue =
      types.size === 1 && (only === "NEXT_PAYMENT_MINIMUM" || only === "LAST_STATEMENT_BALANCE");
    return { kind: "OWED", due: isOneDue ? only : null, destinationAccountIds };
  }
  const actions = rule.steps.flatMap((step) => step.actions);
  return {
    kind: "ALL",
    sourceAccountIds: [...new Set(actions.map(({ sourceAccountId }) => sourceAccountId))],
    keepInCents: Math.min(...actions.map((action) => (action.type === "REMAINDER" ? action.keepInCents : 0))),
    destinationAccountIds,
  };
}

const PAYS_WHAT_IS_OWED: ReadonlySet<RuleAction["type"]> = new Set([
  "NEXT_PAYMENT_MINIMUM",
  "LAST_STATEMENT_BALANCE",
  "TOTAL_AMOUNT_DUE",
  "PERCENTAGE_OF_LIABILITY",
]);

/** Null if an action takes what is available. */
function boundOfStep(actions: readonly RuleAction[], limits: RuleDefinition["limits"]): number | null {
  let sum = 0;
  for (const action of actions) {
    const bound = boundOf(action, limits);
    if (bound === null) return null;
    sum += bound;
  }
  return sum;
}

function boundOf(action: RuleAction, limits: RuleDefinition["limits"]): number | null {
  const limit = limits.find(({ id }) => id === action.limitId)?.amountInCents ?? null;
  const own = "amountInCents" in action ? action.amountInCents : null;
  if (limit === null || own === null) return limit ?? own;
  return Math.min(limit, own);
}

/** The percentage that a step splits in one group; null if it does anything else or splits twice. */
function shareOfStep(actions: readonly RuleAction[]): number | null {
  if (actions.some((action) => action.type !== "PERCENTAGE")) return null;
  const [only, ...more] = [...percentagesOf(actions)];
  return only && more.length === 0 && only.total < 100 ? only.total : null;
}
