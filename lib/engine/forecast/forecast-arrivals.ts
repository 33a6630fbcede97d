import { MAXIMUM_CHAIN_DEPTH, MAXIMUM_RUNS_OF_A_CAUSE } from "@/lib/contract/limits";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { PlannedMove, RulePlan, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { atOnce } from "@/lib/engine/at-once";
import { evaluate } from "@/lib/engine/evaluate";
import {
  afterMoves,
  afterSettlement,
  type ForecastAccounts,
  type ForecastMove,
  isOutside,
  settlesLater,
} from "@/lib/engine/forecast/money-after";
import { limitOfMove } from "@/lib/engine/limits";
import { withBase } from "@/lib/engine/run-facts";

/** The active version of a rule that is not paused. */
export interface ForecastRule {
  id: string;
  name: string;
  definition: Pick<RuleDefinition, "trigger" | "steps" | "limits">;
}

/** Money that reaches an account. */
export interface Arrival {
  accountId: string;
  /** Above 0. */
  amountInCents: number;
  /** The number of rules that ran before it in its chain. */
  chainDepth: number;
  /** A bank must settle it first: it is on its way, not in the balance. */
  settlesLater: boolean;
}

/** The inputs of a forecast, for every account that the rules name. */
export interface ForecastFacts extends Pick<RuleFacts, "at" | "date"> {
  accounts: ForecastAccounts;
  /** Usage of the limits' current periods, in cents by rule and limit. */
  limitsUsedInCents: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export type ForecastOutcome =
  /** It moves money; `isBrokenOff` if a later transfer would fail. */
  | { kind: "RUNS"; plan: RulePlan; movedInCents: number; isBrokenOff: boolean }
  /** Its first transfer would fail. */
  | { kind: "FAILS"; plan: RulePlan }
  | { kind: "BELOW_MINIMUM"; minimumInCents: number }
  | { kind: "CONDITIONS_NOT_MET"; plan: RulePlan }
  /** Every amount is too small: destination full, limit used up, nothing left. */
  | { kind: "NOTHING_TO_MOVE"; plan: RulePlan }
  /** It would wait for an unknown value. */
  | { kind: "UNKNOWN"; missing: UnknownFact }
  /** The maximum length of a chain of rules. */
  | { kind: "CHAIN_ENDS" };

/** One rule that an arrival triggers, even if it moves nothing. */
export interface ForecastRun {
  rule: ForecastRule;
  arrival: Arrival;
  /** Its trigger must be settled by a bank first. */
  isLater: boolean;
  outcome: ForecastOutcome;
  /** The accounts at the start of the run. */
  accounts: ForecastAccounts;
}

export interface Forecast {
  /** In run order. */
  runs: ForecastRun[];
  /** Whether there are more runs than were calculated. */
  isCut: boolean;
  /** The accounts before the runs, including the triggering moves. */
  before: ForecastAccounts;
  /** The accounts after all runs. */
  accounts: ForecastAccounts;
}

/**
 * The forecast after accepted moves: applies and books them, then triggers rules for every arrival.
 * @param chainDepth the number of rules in the chain before these moves, including the one that made them
 */
export function forecastMoves(
  moves: readonly ForecastMove[],
  chainDepth: number,
  rules: readonly ForecastRule[],
  facts: ForecastFacts,
): Forecast {
  return atOnce(forecastingMoves(moves, chainDepth, rules, facts));
}

/** As `forecastMoves`; may be interrupted before each run. */
export function* forecastingMoves(
  moves: readonly ForecastMove[],
  chainDepth: number,
  rules: readonly ForecastRule[],
  facts: ForecastFacts,
): Generator<void, Forecast> {
  const arrivals = arrivalsOf(moves, chainDepth, facts.accounts);
  const moved = { ...facts, accounts: afterMoves(facts.accounts, moves) };
  const forecast = yield* forecastingArrivals(arrivals, rules, moved);
  return { ...forecast, before: facts.accounts };
}

/**
 * The rules that arrivals trigger and what each would move, breadth first, each with the money that earlier ones left:
 * first everything booked immediately with its consequences, then what a bank must settle. These runs have no approval,
 * so floors apply. A forecast only: other money may move in between. Pure.
 * @param rules only those that start when money arrives are used
 * @param facts including the arrivals: in the balance, or on their way if they settle later
 * @throws Error if the facts lack an account that a rule names: an internal error.
 */
export function forecastArrivals(
  arrivals: readonly Arrival[],
  rules: readonly ForecastRule[],
  facts: ForecastFacts,
): Forecast {
  return atOnce(forecastingArrivals(arrivals, rules, facts));
}

function* forecastingArrivals(
  arrivals: readonly Arrival[],
  rules: readonly ForecastRule[],
  facts: ForecastFacts,
): Generator<void, Forecast> {
  const immediate = arrivals.filter((arrival) => !arrival.settlesLater);
  const later = arrivals.filter((arrival) => arrival.settlesLater);
  const runs: ForecastRun[] = [];
  const byAccount = rulesByAccount(rules);
  let now = facts;
  // Bounded: later arrivals come from at most MAXIMUM_RUNS_OF_A_CAUSE runs.
  for (;;) {
    const isLater = immediate.length === 0;
    const arrival = isLater ? later.shift() : immediate.shift();
    if (!arrival) return { runs, isCut: false, before: facts.accounts, accounts: now.accounts };
    if (arrival.settlesLater) now = { ...now, accounts: afterSettlement(now.accounts, arrival) };
    for (const rule of byAccount.get(arrival.accountId) ?? []) {
      if (runs.length === MAXIMUM_RUNS_OF_A_CAUSE)
        return { runs, isCut: true, before: facts.accounts, accounts: now.accounts };
      yield;
      const outcome = forecastRun(rule, arrival, now);
      runs.push({ rule, arrival, isLater, outcome, accounts: now.accounts });
      if (outcome.kind !== "RUNS") continue;
      const moves = movesOf(outcome.plan);
      for (const next of arrivalsOf(moves, arrival.chainDepth + 1, now.accounts)) {
        (isLater || next.settlesLater ? later : immediate).push(next);
      }
      now = afterRun(now, rule, outcome.plan, moves);
    }
  }
}

/** The transfers of a plan. */
export function movesOf(plan: Pick<RulePlan, "moves">): PlannedMove[] {
  return plan.moves.filter((move) => move.outcome === "MOVE");
}

/** The rules that start when money arrives in an account: a run of 50 transfers would otherwise look at every rule 50 times. */
export function rulesByAccount(rules: readonly ForecastRule[]): Map<string, ForecastRule[]> {
  const byAccount = new Map<string, ForecastRule[]>();
  for (const rule of rules) {
    const { trigger } = rule.definition;
    if (trigger.type !== "ON_FUNDS_TRANSFERRED") continue;
    const known = byAccount.get(trigger.accountId);
    if (known) known.push(rule);
    else byAccount.set(trigger.accountId, [rule]);
  }
  return byAccount;
}

/** Money that leaves Sluice is not an arrival: on a connected account it is our own transfer's other side. */
function arrivalsOf(
  moves: readonly ForecastMove[],
  chainDepth: number,
  accounts: ForecastAccounts,
): Arrival[] {
  return moves
    .filter((move) => !isOutside(accounts, move.destinationAccountId))
    .map((move) => ({
      accountId: move.destinationAccountId,
      amountInCents: move.amountInCents,
      chainDepth: move.chainDepth ?? chainDepth,
      settlesLater: settlesLater(accounts, move),
    }));
}

function forecastRun(
  { id, definition }: ForecastRule,
  arrival: Arrival,
  facts: ForecastFacts,
): ForecastOutcome {
  const { trigger } = definition;
  const minimumInCents = trigger.type === "ON_FUNDS_TRANSFERRED" ? (trigger.minimumAmountInCents ?? 0) : 0;
  if (arrival.amountInCents < minimumInCents) return { kind: "BELOW_MINIMUM", minimumInCents };
  if (arrival.chainDepth >= MAXIMUM_CHAIN_DEPTH) return { kind: "CHAIN_ENDS" };
  const runFacts = withBase(
    {
      at: facts.at,
      date: facts.date,
      incomingAmountInCents: null,
      isApprovedByPerson: false,
      accounts: facts.accounts,
      limitsUsedInCents: facts.limitsUsedInCents[id] ?? {},
    },
    trigger.accountId,
    { mode: "LIVE", incomingAmountInCents: arrival.amountInCents },
  );
  const evaluation = evaluate(definition, runFacts);
  if (evaluation.kind === "UNKNOWN") return evaluation;
  return outcomeOf(evaluation.plan);
}

function outcomeOf(plan: RulePlan): ForecastOutcome {
  if (plan.stepIndexMatched === null) return { kind: "CONDITIONS_NOT_MET", plan };
  const movedInCents = movesOf(plan).reduce((sum, move) => sum + move.amountInCents, 0);
  const fails = plan.moves.some((move) => move.outcome === "FAILED");
  if (movedInCents > 0) return { kind: "RUNS", plan, movedInCents, isBrokenOff: fails };
  return { kind: fails ? "FAILS" : "NOTHING_TO_MOVE", plan };
}

function afterRun(
  facts: ForecastFacts,
  rule: ForecastRule,
  plan: RulePlan,
  moves: readonly PlannedMove[],
): ForecastFacts {
  const used: Record<string, number> = { ...facts.limitsUsedInCents[rule.id] };
  for (const move of moves) {
    const limitId = limitOfMove(rule.definition, plan, move);
    if (limitId !== null) used[limitId] = (used[limitId] ?? 0) + move.amountInCents;
  }
  return {
    ...facts,
    accounts: afterMoves(facts.accounts, moves),
    limitsUsedInCents: { ...facts.limitsUsedInCents, [rule.id]: used },
  };
}
