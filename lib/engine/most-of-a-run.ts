import type { RuleAction } from "@/lib/contract/rules/action";
import { destinationsOf } from "@/lib/contract/rules/destinations-of";
import { percentagesOf } from "@/lib/contract/rules/percentages-of";
import type { RuleDefinition } from "@/lib/contract/rules/rule";

/** How much one run can move at most, as far as the rule itself says. */
export type MostOfRun = (
  | { kind: "ALL" }
  /** Shares of one amount, which leave something of it. */
  | { kind: "SHARE"; percentage: number }
  /** Every action pays a debt, up to what is owed there; `due` where all of them pay the same of it. */
  | { kind: "OWED"; due: "NEXT_PAYMENT_MINIMUM" | "LAST_STATEMENT_BALANCE" | null }
  /** Every action has an amount or a limit of its own. */
  | { kind: "UP_TO"; amountInCents: number }
) & { destinationAccountIds: string[] };

/** What a person is told that a rule can move, before they activate it. Of several steps, the one that can move most. */
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
  return { kind: "ALL", destinationAccountIds };
}

const PAYS_WHAT_IS_OWED: ReadonlySet<RuleAction["type"]> = new Set([
  "NEXT_PAYMENT_MINIMUM",
  "LAST_STATEMENT_BALANCE",
  "TOTAL_AMOUNT_DUE",
  "PERCENTAGE_OF_LIABILITY",
]);

/** Null where an action takes what is there. */
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

/** The percentage that a step shares out in one group; null where it does anything else, or shares twice. */
function shareOfStep(actions: readonly RuleAction[]): number | null {
  if (actions.some((action) => action.type !== "PERCENTAGE")) return null;
  const [only, ...more] = [...percentagesOf(actions)];
  return only && more.length === 0 && only.total < 100 ? only.total : null;
}
