import type { RuleAction } from "@/lib/contract/rules/action";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { evaluate } from "@/lib/engine/evaluate";

/** Facts of a pod with so many cents, all available. Examples refer to accounts by name, not by id. */
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

/** Facts of an account with so many cents of debt. */
export function debt(owedInCents: number | null, fields: Partial<AccountFacts> = {}): AccountFacts {
  return {
    ...pod(owedInCents),
    type: "EXTERNAL_ACCOUNT",
    externalAccountType: "LIABILITY",
    availableInCents: null,
    ...fields,
  };
}

/** Facts of a run on Sunday, 14 March 2027, without a person's approval. */
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

/** The fields of every action with one destination. */
export function fromTo(sourceAccountId: string, destinationAccountId: string) {
  return { ...SHARED, sourceAccountId, destinationAccountId };
}

/** The fields of every budget over several debts. */
export function fromToDebts(sourceAccountId: string, ...destinationAccountIds: string[]) {
  return { ...SHARED, sourceAccountId, destinationAccountIds };
}

/** A plan's transfers as a table: `Operating → Taxes`, cents, outcome. */
export function tableOf({ moves }: Pick<RulePlan, "moves">): [string, number, string][] {
  return moves.map(({ sourceAccountId, destinationAccountId, amountInCents, outcome, errorCode }) => [
    `${sourceAccountId} → ${destinationAccountId}`,
    amountInCents,
    errorCode ?? outcome,
  ]);
}

/** One transfer of a plan, and the state before it after the plan's earlier transfers. */
export interface FollowedMove {
  move: PlannedMove;
  action: RuleAction;
  /** The source's available amount, less what the plan took from it; null if unknown. */
  sourceHasInCents: number | null;
  /** What the plan sent to the destination, plus what was on its way there. */
  comingInCents: number;
  /** The destination's balance with what is on its way, less what the plan took from it; null if unknown. */
  destinationHoldsInCents: number | null;
  /** What is still owed at a destination that is a debt; 0 at any other; null if unknown. */
  owedInCents: number | null;
}

/** The plan of a rule from facts in which everything is known. */
export function planOf(rule: Pick<RuleDefinition, "steps" | "limits">, facts: RuleFacts): RulePlan {
  const evaluation = evaluate(rule, facts);
  if (evaluation.kind === "UNKNOWN") throw new Error(`Not known: ${evaluation.missing.fact}`);
  return evaluation.plan;
}

/** Keeps its own books of a plan from its transfers only: proofs do not rely on the evaluator's view. */
export function followPlan(
  rule: Pick<RuleDefinition, "steps">,
  facts: RuleFacts,
  plan: RulePlan,
): FollowedMove[] {
  const actions = plan.stepIndexMatched === null ? [] : (rule.steps[plan.stepIndexMatched]?.actions ?? []);
  const taken = new Map<string, number>();
  const given = new Map<string, number>();
  return plan.moves.map((move) => {
    const action = actions[move.actionIndex];
    const source = facts.accounts[move.sourceAccountId];
    const destination = facts.accounts[move.destinationAccountId];
    if (!action || !source || !destination) throw new Error("A plan moves what its rule does not name");
    const coming = destination.onItsWayInCents + (given.get(move.destinationAccountId) ?? 0);
    const { balanceInCents, externalAccountType } = destination;
    const followed: FollowedMove = {
      move,
      action,
      sourceHasInCents: plus(source.availableInCents, -(taken.get(move.sourceAccountId) ?? 0)),
      comingInCents: coming,
      destinationHoldsInCents: plus(balanceInCents, coming - (taken.get(move.destinationAccountId) ?? 0)),
      owedInCents: externalAccountType === "LIABILITY" ? atLeastZero(plus(balanceInCents, -coming)) : 0,
    };
    if (move.outcome === "MOVE") {
      taken.set(move.sourceAccountId, (taken.get(move.sourceAccountId) ?? 0) + move.amountInCents);
      given.set(move.destinationAccountId, (given.get(move.destinationAccountId) ?? 0) + move.amountInCents);
    }
    return followed;
  });
}

function plus(cents: number | null, more: number): number | null {
  return cents === null ? null : cents + more;
}

function atLeastZero(cents: number | null): number | null {
  return cents === null ? null : Math.max(0, cents);
}
