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
  /** The run waits and is retried: unknown is never zero. */
  | { kind: "UNKNOWN"; missing: UnknownFact };

type EvaluatedRule = Pick<RuleDefinition, "steps" | "limits">;

/**
 * What a rule does with these facts, including the arithmetic of every amount (docs/behavior/rules.md). The only place
 * that computes rule amounts: live runs, dry runs, approval pages, backtests and sliders all use it. Pure: no clock, no
 * database.
 *
 * The first step whose conditions are met runs. Its actions run by group and then in order, each with the money that
 * earlier ones left. The first action that lacks its amount and does not accept less ends the run.
 * @throws Error if an account, the usage of a limit, or a limit itself is missing: internal errors that no retry fixes.
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

/** @returns false if a transfer failed, which ends the run */
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

/** These take what is available, so they are never short of money. */
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

/** @param caps filled with every evaluated bound, in order */
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
  // A transfer that is skipped anyway needs no money, so an unknown balance does not block it.
  if (amountInCents < MINIMUM_TRANSFER_IN_CENTS) return skipped(amountInCents);
  if (money.account(action.sourceAccountId).isClosed || money.account(wanted.destinationAccountId).isClosed) {
    return { amountInCents, outcome: "FAILED", errorCode: "ACCOUNT_CLOSED" };
  }
  const spendable = money.spendable(action.sourceAccountId);
  caps.push(spendable);
  if (amountInCents <= spendable.atInCents) return leaving(wanted, money, amountInCents);
  if (!action.upTo && !TAKES_WHAT_IS_THERE.has(action.type)) {
    const isFloorAlone = amountInCents <= money.left(action.sourceAccountId);
    return {
      amountInCents,
      outcome: "FAILED",
      errorCode: isFloorAlone ? "BELOW_FLOOR" : "INSUFFICIENT_FUNDS",
    };
  }
  if (spendable.atInCents < MINIMUM_TRANSFER_IN_CENTS) return skipped(spendable.atInCents);
  return leaving(wanted, money, spendable.atInCents);
}

/** A cap on money out ends the run instead of shortening a payment: a person should notice. */
function leaving(
  { destinationAccountId }: Wanted,
  money: RunningMoney,
  amountInCents: number,
): Pick<PlannedMove, "amountInCents" | "outcome" | "errorCode"> {
  return money.mayLeave(destinationAccountId, amountInCents)
    ? { amountInCents, outcome: "MOVE", errorCode: null }
    : { amountInCents, outcome: "FAILED", errorCode: "ABOVE_OUTGOING_CAP" };
}

function skipped(amountInCents: number) {
  return { amountInCents, outcome: "SKIPPED", errorCode: null } as const;
}
