import { MAXIMUM_CHAIN_DEPTH, MAXIMUM_RUNS_OF_A_CAUSE } from "@/lib/contract/rules/chain-depth";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { PlannedMove, RulePlan, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
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

/** A rule in its active version, not paused. */
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
  /** Rules that ran before it in its chain. */
  chainDepth: number;
  /** A bank has to settle it first: it is on its way, not in the balance. */
  settlesLater: boolean;
}

/** What the runs of a forecast follow from. Of every account that one of the rules names. */
export interface ForecastFacts extends Pick<RuleFacts, "at" | "date"> {
  accounts: ForecastAccounts;
  /** What the limits' current periods have used, in cents by rule and limit. */
  limitsUsedInCents: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export type ForecastOutcome =
  /** It moves something; `isBrokenOff` where a later transfer of it would fail. */
  | { kind: "RUNS"; plan: RulePlan; movedInCents: number; isBrokenOff: boolean }
  /** Its first transfer would fail. */
  | { kind: "FAILS"; plan: RulePlan }
  | { kind: "BELOW_MINIMUM"; minimumInCents: number }
  | { kind: "CONDITIONS_NOT_MET"; plan: RulePlan }
  /** All that it would move is too small: full already, a limit used up, nothing left. */
  | { kind: "NOTHING_TO_MOVE"; plan: RulePlan }
  /** It would wait until the value is known. */
  | { kind: "UNKNOWN"; missing: UnknownFact }
  /** Chains of rules end there. */
  | { kind: "CHAIN_ENDS" };

/** One rule that an arrival sets off, or that looks and does nothing. */
export interface ForecastRun {
  rule: ForecastRule;
  arrival: Arrival;
  /** It follows something that a bank has to settle first. */
  isLater: boolean;
  outcome: ForecastOutcome;
  /** The accounts as the run finds them: what its outcome rests on. */
  accounts: ForecastAccounts;
}

export interface Forecast {
  /** In the order in which they would run. */
  runs: ForecastRun[];
  /** There are more than were worked out. */
  isCut: boolean;
  /** The accounts before any of it, what set it off included. */
  before: ForecastAccounts;
  /** The accounts after all of it. */
  accounts: ForecastAccounts;
}

/**
 * What accepted moves set off: the moves are taken out and booked, then everything that reaches an account fires.
 * @param chainDepth rules that ran before these moves in their chain, the one that made them included
 */
export function forecastMoves(
  moves: readonly ForecastMove[],
  chainDepth: number,
  rules: readonly ForecastRule[],
  facts: ForecastFacts,
): Forecast {
  const arrivals = arrivalsOf(moves, chainDepth, facts.accounts);
  const moved = { ...facts, accounts: afterMoves(facts.accounts, moves) };
  return { ...forecastArrivals(arrivals, rules, moved), before: facts.accounts };
}

/**
 * Which rules arrivals set off and what each would move, breadth first, each with the money that the ones before it
 * left: first what is booked at once with all that follows, then what a bank has to settle. Nobody approves these runs,
 * so floors bind them. A forecast, no promise: other money may move in between. Pure.
 * @param rules those that start when money arrives; others are not set off and are passed over
 * @param facts with the arrivals in them: in the balance, or on their way where they settle later
 * @throws Error when the facts lack an account that a rule names: a fault of ours.
 */
export function forecastArrivals(
  arrivals: readonly Arrival[],
  rules: readonly ForecastRule[],
  facts: ForecastFacts,
): Forecast {
  const atOnce = arrivals.filter((arrival) => !arrival.settlesLater);
  const later = arrivals.filter((arrival) => arrival.settlesLater);
  const runs: ForecastRun[] = [];
  let now = facts;
  // Ends: every arrival after the first ones comes from one of at most MAXIMUM_RUNS_OF_A_CAUSE runs.
  for (;;) {
    const isLater = atOnce.length === 0;
    const arrival = isLater ? later.shift() : atOnce.shift();
    if (!arrival) return { runs, isCut: false, before: facts.accounts, accounts: now.accounts };
    if (arrival.settlesLater) now = { ...now, accounts: afterSettlement(now.accounts, arrival) };
    for (const rule of rules) {
      if (!isSetOff(rule, arrival)) continue;
      if (runs.length === MAXIMUM_RUNS_OF_A_CAUSE)
        return { runs, isCut: true, before: facts.accounts, accounts: now.accounts };
      const outcome = forecastRun(rule, arrival, now);
      runs.push({ rule, arrival, isLater, outcome, accounts: now.accounts });
      if (outcome.kind !== "RUNS") continue;
      const moves = movesOf(outcome.plan);
      for (const next of arrivalsOf(moves, arrival.chainDepth + 1, now.accounts)) {
        (isLater || next.settlesLater ? later : atOnce).push(next);
      }
      now = afterRun(now, rule, outcome.plan, moves);
    }
  }
}

/** The transfers that a plan makes. */
export function movesOf(plan: Pick<RulePlan, "moves">): PlannedMove[] {
  return plan.moves.filter((move) => move.outcome === "MOVE");
}

function isSetOff({ definition: { trigger } }: ForecastRule, arrival: Arrival): boolean {
  return trigger.type === "ON_FUNDS_TRANSFERRED" && trigger.accountId === arrival.accountId;
}

/** What leaves is no arrival: on a connected account it is our own transfer's other side, and fires nothing. */
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
      chainDepth,
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
