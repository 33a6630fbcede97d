import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { RuleAction } from "@/lib/contract/rules/action";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { PlanCap, PlannedMove, RulePlan, StepTrace, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { checkConditions } from "@/lib/engine/check-conditions";
import { NeedsUnknown } from "@/lib/engine/run-facts";

import { RunningMoney } from "@/lib/engine/running-money";
import { type GroupShares, groupsInOrder, type PlacedAction, shareOutGroup } from "@/lib/engine/share-out";
import { type Wanted, wantedAmounts } from "@/lib/engine/wanted-amounts";

export type Evaluation =
  | { kind: "PLANNED"; plan: RulePlan }
  /** It waits and is tried again: unknown is never zero. */
  | { kind: "UNKNOWN"; missing: UnknownFact };

type EvaluatedRule = Pick<RuleDefinition, "steps" | "limits">;

/**
 * What a rule does from these facts, with the arithmetic of every amount (decisions page, "Rule"). The only place where
 * amounts of rules are computed: live runs, dry runs, approval screens, backtests and sliders all come here. Pure: no
 * clock, no database, the same answer for the same arguments.
 *
 * The first step whose conditions hold runs. Its actions run by group, then in their order, each against what the ones
 * before it left; the first that cannot have what it asks for, and is not content with less, ends the run.
 * @throws Error when the facts lack an account that the rule names or what one of its limits has used, or the rule a
 *   limit that an action names: faults of ours, which no second attempt mends.
 */
export function evaluate(rule: EvaluatedRule, facts: RuleFacts): Evaluation {
  try {
    return { kind: "PLANNED", plan: planRun(rule, facts) };
  } catch (error) {
    if (error instanceof NeedsUnknown) return { kind: "UNKNOWN", missing: error.missing };
    throw error;
  }
}

function planRun(rule: EvaluatedRule, facts: RuleFacts): RulePlan {
  const steps: StepTrace[] = [];
  let stepIndexMatched: number | null = null;
  for (const [index, step] of rule.steps.entries()) {
    if (stepIndexMatched !== null) {
      steps.push({ outcome: "NOT_LOOKED_AT", comparisons: [] });
      continue;
    }
    const comparisons: StepTrace["comparisons"] = [];
    const holds = checkConditions(step.conditions, facts, comparisons);
    steps.push({ outcome: holds ? "RAN" : "CONDITIONS_NOT_MET", comparisons });
    if (holds) stepIndexMatched = index;
  }
  const matched = stepIndexMatched === null ? undefined : rule.steps[stepIndexMatched];
  if (!matched) return { stepIndexMatched: null, steps, moves: [], actionsNotReached: 0 };
  return { stepIndexMatched, steps, ...planActions(matched.actions, rule.limits, facts) };
}

function planActions(
  actions: readonly RuleAction[],
  limits: EvaluatedRule["limits"],
  facts: RuleFacts,
): Pick<RulePlan, "moves" | "actionsNotReached"> {
  const money = new RunningMoney(facts, limits);
  const moves: PlannedMove[] = [];
  let actionsReached = 0;
  for (const members of groupsInOrder(actions)) {
    const shares = shareOutGroup(members, facts, money);
    for (const placed of members) {
      actionsReached += 1;
      if (!planAction(placed, shares, money, moves)) {
        return { moves, actionsNotReached: actions.length - actionsReached };
      }
    }
  }
  return { moves, actionsNotReached: 0 };
}

/** @returns false when a transfer failed, which ends the run */
function planAction(
  placed: PlacedAction,
  shares: GroupShares,
  money: RunningMoney,
  moves: PlannedMove[],
): boolean {
  for (const wanted of wantedAmounts(placed, shares, money)) {
    const move = planMove(placed, wanted, money);
    moves.push(move);
    if (move.outcome === "FAILED") return false;
    if (move.outcome === "MOVE") {
      money.move(move.sourceAccountId, move.destinationAccountId, move.amountInCents, placed.action.limitId);
    }
  }
  return true;
}

/** These ask for what is there, so what they may not have of it is not missing. */
const TAKES_WHAT_IS_THERE: ReadonlySet<RuleAction["type"]> = new Set(["TOP_UP", "ROUND_DOWN", "REMAINDER"]);

function planMove(placed: PlacedAction, wanted: Wanted, money: RunningMoney): PlannedMove {
  const { action, actionIndex } = placed;
  const caps: PlanCap[] = [];
  const { amountInCents, outcome, errorCode } = decideMove(action, wanted, money, caps);
  return {
    actionIndex,
    type: action.type,
    group: action.group,
    sourceAccountId: action.sourceAccountId,
    destinationAccountId: wanted.destinationAccountId,
    description: action.description,
    baseInCents: wanted.baseInCents,
    wantedInCents: wanted.wantedInCents,
    caps,
    amountInCents,
    outcome,
    errorCode,
  };
}

/** @param caps filled with every bound that was looked at, in order */
function decideMove(
  action: RuleAction,
  wanted: Wanted,
  money: RunningMoney,
  caps: PlanCap[],
): Pick<PlannedMove, "amountInCents" | "outcome" | "errorCode"> {
  let amountInCents = wanted.wantedInCents;
  for (const cap of [wanted.cap, money.limitCap(action.limitId)]) {
    if (cap === null) continue;
    caps.push(cap);
    amountInCents = Math.min(amountInCents, cap.atInCents);
  }
  // What is skipped anyway needs no money, so a balance that nobody knows does not hold it up.
  if (amountInCents < MINIMUM_TRANSFER_IN_CENTS) return skipped(amountInCents);
  if (money.account(action.sourceAccountId).isClosed || money.account(wanted.destinationAccountId).isClosed) {
    return { amountInCents, outcome: "FAILED", errorCode: "ACCOUNT_CLOSED" };
  }
  const spendable = money.spendable(action.sourceAccountId);
  caps.push(spendable);
  if (amountInCents <= spendable.atInCents) return { amountInCents, outcome: "MOVE", errorCode: null };
  if (!action.upTo && !TAKES_WHAT_IS_THERE.has(action.type)) {
    const isFloorAlone = amountInCents <= money.left(action.sourceAccountId);
    return {
      amountInCents,
      outcome: "FAILED",
      errorCode: isFloorAlone ? "BELOW_FLOOR" : "INSUFFICIENT_FUNDS",
    };
  }
  if (spendable.atInCents < MINIMUM_TRANSFER_IN_CENTS) return skipped(spendable.atInCents);
  return { amountInCents: spendable.atInCents, outcome: "MOVE", errorCode: null };
}

function skipped(amountInCents: number) {
  return { amountInCents, outcome: "SKIPPED", errorCode: null } as const;
}
