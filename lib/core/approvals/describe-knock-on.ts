import type { KnockOnRunView, KnockOnView } from "@/lib/contract/approvals/approval";
import { formatCents } from "@/lib/contract/format-cents";
import { ruleHref } from "@/lib/contract/hrefs";
import type { RulePlan } from "@/lib/contract/rules/plan";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { namesOf } from "@/lib/core/rules/read-account-names";
import { comparisonsOf } from "@/lib/engine/comparisons-of";
import { type Forecast, type ForecastRun, movesOf } from "@/lib/engine/forecast/forecast-arrivals";
import { isOutside } from "@/lib/engine/forecast/money-after";
import { comparisonSentence, comparisonWords } from "@/lib/words/rules/condition-words";
import { accountName } from "@/lib/words/rules/number-words";
import { capitalized, joinWords, phrasesText } from "@/lib/words/rules/phrases";
import { failureWords, skipWords, unknownWords } from "@/lib/words/rules/trace-words";

/** Pure. */
export function describeKnockOn({ runs, isCut }: Forecast): KnockOnView {
  const shown = runs.map(describeRun);
  return { runs: shown, followsInCents: shown.reduce((sum, run) => sum + run.movedInCents, 0), isCut };
}

function describeRun(run: ForecastRun): KnockOnRunView {
  const names = namesOf(run);
  const moves = run.outcome.kind === "RUNS" ? movesOf(run.outcome.plan) : [];
  const flows = new Map(
    moves.map((move) => {
      const flow = {
        fromName: accountName(names, move.sourceAccountId),
        toName: accountName(names, move.destinationAccountId),
      };
      return [`${flow.fromName}\n${flow.toName}`, flow];
    }),
  );
  return {
    ruleName: run.rule.name,
    ruleHref: ruleHref(run.rule.id),
    outcome: OUTCOME[run.outcome.kind],
    because: because(run, names),
    isLater: run.isLater,
    movedInCents: moves.reduce((sum, move) => sum + move.amountInCents, 0),
    leavesSluice:
      moves.length > 0 && moves.every((move) => isOutside(run.accounts, move.destinationAccountId)),
    flows: [...flows.values()],
  };
}

const OUTCOME: Record<ForecastRun["outcome"]["kind"], KnockOnRunView["outcome"]> = {
  RUNS: "RUNS",
  FAILS: "FAILS",
  UNKNOWN: "WAITS",
  BELOW_MINIMUM: "SKIPS",
  CONDITIONS_NOT_MET: "SKIPS",
  NOTHING_TO_MOVE: "SKIPS",
  CHAIN_ENDS: "SKIPS",
};

function because(run: ForecastRun, names: AccountNames): string {
  const { outcome, arrival, accounts } = run;
  const name = accountName(names, arrival.accountId);
  const arrives = formatCents(arrival.amountInCents);
  switch (outcome.kind) {
    case "RUNS": {
      const holds = accounts[arrival.accountId]?.balanceInCents ?? null;
      const then = holds === null ? "" : ` and brings its balance to ${formatCents(holds)}`;
      const broken = outcome.isBrokenOff ? ` It would stop partway: ${failure(outcome.plan, names)}.` : "";
      return `It runs when money reaches ${name}: ${arrives} arrives${then}.${broken}`;
    }
    case "BELOW_MINIMUM":
      return `${arrives} reaches ${name}. It runs for ${formatCents(outcome.minimumInCents)} or more.`;
    case "CONDITIONS_NOT_MET":
      return conditionsNotMet(run.rule.definition, outcome.plan, names);
    case "NOTHING_TO_MOVE":
      return nothingToMove(outcome.plan, names);
    case "FAILS":
      return `It would fail: ${failure(outcome.plan, names)}. Nothing would move.`;
    case "UNKNOWN":
      return `${unknownWords(outcome.missing, names)} It waits until it is.`;
    case "CHAIN_ENDS":
      return "Ten rules have already run in this chain, which is the limit.";
  }
}

function failure(plan: RulePlan, names: AccountNames): string {
  const failed = plan.moves.find((move) => move.outcome === "FAILED");
  return (failed && failureWords(failed, names)) ?? "there is not enough";
}

type ForecastDefinition = ForecastRun["rule"]["definition"];

/** Why no step of a rule runs: the failed condition of a single step; of several steps only that none applies. */
export function conditionsNotMet(rule: ForecastDefinition, plan: RulePlan, names: AccountNames): string {
  const [step] = rule.steps;
  const [trace] = plan.steps;
  if (!step || !trace || rule.steps.length > 1)
    return `None of its ${rule.steps.length} steps applies right now.`;
  const failed = trace.comparisons.find((comparison) => comparison.outcome === "DOES_NOT_HOLD");
  const comparison = comparisonsOf(step.conditions).find(({ path }) => path === failed?.path)?.comparison;
  if (!failed || !comparison) return "Its conditions are not met right now.";
  const setting = { trigger: rule.trigger, names };
  const wanted = phrasesText(comparisonWords(comparison, setting));
  return `It runs only if ${wanted}. ${comparisonSentence(comparison, failed, setting)}`;
}

/** A sentence with more than this is unreadable. */
const LISTED_MOVES = 3;

/** Why a step that applies moves nothing. */
export function nothingToMove(plan: RulePlan, names: AccountNames): string {
  const reasons = plan.moves.slice(0, LISTED_MOVES).map((move) => {
    const why = skipWords(move, { names }) ?? "nothing to move";
    return `${accountName(names, move.destinationAccountId)}: ${why}`;
  });
  const more =
    plan.moves.length > LISTED_MOVES ? [`${plan.moves.length - LISTED_MOVES} more like these`] : [];
  return `${capitalized(joinWords([...reasons, ...more]))}.`;
}
