import { Check, CircleMinus, TriangleAlert, X } from "lucide-react";
import { Fragment } from "react";
import { Amount } from "@/components/money/amount";
import { Phrases } from "@/components/rules/rule-sentence";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import { destinationsOf } from "@/lib/contract/rules/destinations-of";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { PlannedMove, RulePlan, StepTrace } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import { actionWords, groupsOf } from "@/lib/engine/words/action-words";
import { comparisonSentence, comparisonsOf, conditionLabel } from "@/lib/engine/words/condition-words";
import { accountName } from "@/lib/engine/words/number-words";
import { asSentence, joinWords } from "@/lib/engine/words/phrases";

import { moveWords, type ToldRun } from "@/lib/engine/words/trace-words";

interface RunStepsProps {
  rule: Pick<RuleDefinition, "trigger" | "steps">;
  plan: RulePlan;
  names: AccountNames;
  /** It has not run: a dry run, or what would happen now. */
  isForecast: boolean;
}

/** Which step ran, and why the others did not: every comparison with its values. */
export function RunSteps({ rule, plan, names, isForecast }: RunStepsProps) {
  const matched = isForecast ? "Which step matches" : "Which step matched";
  const none = isForecast ? "No step matches" : "No step matched";
  return (
    <Section
      id="steps"
      title={plan.stepIndexMatched === null ? none : matched}
      fact="The first that holds runs"
    >
      <ul className="checks">
        {rule.steps.map((_, index) => {
          const trace = plan.steps[index];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no id, and their order is what they are.
            <li key={index}>
              <StepIcon outcome={trace?.outcome ?? "NOT_LOOKED_AT"} />
              <div>
                <b>{stepTitle(rule, index, names)}</b>
                {stepSentences(rule, index, trace, plan, names).map((sentence) => (
                  <p key={sentence}>{sentence}</p>
                ))}
              </div>
              <StepOutcome outcome={trace?.outcome ?? "NOT_LOOKED_AT"} isForecast={isForecast} />
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function stepTitle(rule: RunStepsProps["rule"], index: number, names: AccountNames): string {
  const conditions = rule.steps[index]?.conditions ?? null;
  if (conditions === null) return `Step ${index + 1}, ${index === 0 ? "always" : "otherwise"}`;
  const label = conditionLabel(conditions, { trigger: rule.trigger, names });
  return `Step ${index + 1}, ${index === 0 ? "" : "otherwise "}${lowered(label)}`;
}

/** Inside a sentence; names of accounts keep their capitals. */
function lowered(label: string): string {
  return /^(What|The|Either|All|Any)\b/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

function stepSentences(
  rule: RunStepsProps["rule"],
  index: number,
  trace: StepTrace | undefined,
  plan: RulePlan,
  names: AccountNames,
): string[] {
  if (!trace || trace.outcome === "NOT_LOOKED_AT") {
    return [`Not looked at, because step ${(plan.stepIndexMatched ?? 0) + 1} held.`];
  }
  const conditions = rule.steps[index]?.conditions ?? null;
  if (conditions === null) return ["It has no conditions, so it always holds."];
  const traces = new Map(trace.comparisons.map((comparison) => [comparison.path, comparison]));
  const looked = comparisonsOf(conditions).flatMap(({ path, comparison }) => {
    const found = traces.get(path);
    return found && found.outcome !== "NOT_LOOKED_AT"
      ? [comparisonSentence(comparison, found, { trigger: rule.trigger, names })]
      : [];
  });
  const unseen = trace.comparisons.length - looked.length;
  if (unseen === 0) return looked;
  return [
    ...looked,
    unseen === 1
      ? "One more was not looked at: the answer was clear without it."
      : `${unseen} more were not looked at: the answer was clear without them.`,
  ];
}

function StepIcon({ outcome }: { outcome: StepTrace["outcome"] }) {
  if (outcome === "RAN") return <Check className="ic ok" />;
  return outcome === "CONDITIONS_NOT_MET" ? <X className="ic dim" /> : <CircleMinus className="ic dim" />;
}

function StepOutcome({ outcome, isForecast }: { outcome: StepTrace["outcome"]; isForecast: boolean }) {
  if (outcome === "RAN") return <span className="res">{isForecast ? "Runs" : "Ran"}</span>;
  return (
    <span className="res run-no">{outcome === "CONDITIONS_NOT_MET" ? "Does not hold" : "Not looked at"}</span>
  );
}

interface RunAmountsProps {
  rule: Pick<RuleDefinition, "trigger" | "steps" | "limits">;
  facts: RuleFacts;
  plan: RulePlan;
  names: AccountNames;
  /** A forecast, or a dry run: what would move. */
  isForecast: boolean;
}

/** How each amount came about, in the order in which they are worked out, ending where the run ended. */
export function RunAmounts({ rule, facts, plan, names, isForecast }: RunAmountsProps) {
  if (plan.stepIndexMatched === null) return null;
  const told: ToldRun = { rule, plan, names, facts };
  const unreached = unreachedActions(rule, plan);
  return (
    <Section
      id="amounts"
      title={isForecast ? "How each amount comes about" : "How each amount came about"}
      fact={`Step ${plan.stepIndexMatched + 1}, in order`}
    >
      <ol className="trace">
        {plan.moves.map((move, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: moves have no id, and their order is what they are.
          <li key={index}>
            <span className="n">{index + 1}</span>
            <div>
              <b>{moveTitle(move, rule, names)}</b>
              <MoveWords move={move} told={told} />
            </div>
            <MoveAmount move={move} isForecast={isForecast} />
          </li>
        ))}
        {unreached.map(({ action, actionIndex }, index) => (
          <li key={`unreached ${actionIndex}`} className="run-off">
            <span className="n">{plan.moves.length + index + 1}</span>
            <div>
              <b>{joinWords(destinationsOf(action).map((id) => accountName(names, id)))}</b>
              <p className="sum">
                <span>{actionWords(action, rule.limits)}</span>
                <span aria-hidden="true">·</span>
                <span>not worked out: the run ended before it</span>
              </p>
            </div>
            <div className="num">
              <Status tone="mute" icon={<CircleMinus className="ic" />}>
                Not reached
              </Status>
            </div>
          </li>
        ))}
      </ol>
      <p className="cat-t">
        <span>{countWords(plan, isForecast)}</span>
        <Amount cents={movedInCents(plan)} />
      </p>
    </Section>
  );
}

/** The destination; with the source where that is not the trigger's account. */
function moveTitle(move: PlannedMove, rule: RunAmountsProps["rule"], names: AccountNames): string {
  const destination = accountName(names, move.destinationAccountId);
  return move.sourceAccountId === rule.trigger.accountId
    ? destination
    : `${accountName(names, move.sourceAccountId)} to ${destination}`;
}

function MoveWords({ move, told }: { move: PlannedMove; told: ToldRun }) {
  return (
    <p className="sum">
      {moveWords(move, told).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other order than their own.
        <Fragment key={index}>
          {index > 0 ? <span aria-hidden="true">·</span> : null}
          <span>
            <Phrases phrases={index === 0 ? asSentence(part) : part} />
          </span>
        </Fragment>
      ))}
    </p>
  );
}

function MoveAmount({ move, isForecast }: { move: PlannedMove; isForecast: boolean }) {
  if (move.outcome === "MOVE") {
    return (
      <div className="num">
        <Amount cents={move.amountInCents} />
      </div>
    );
  }
  const isFailed = move.outcome === "FAILED";
  return (
    <div className="num">
      {isFailed ? (
        <Status tone="red" icon={<TriangleAlert className="ic" />}>
          {isForecast ? "Would fail" : "Failed"}
        </Status>
      ) : (
        <Status tone="mute" icon={<CircleMinus className="ic" />}>
          {isForecast ? "Would be skipped" : "Skipped"}
        </Status>
      )}
      <span className="blk run-z">
        <Amount cents={0} quiet />
      </span>
    </div>
  );
}

/** The actions of the matched step that the run did not come to, in its order. */
function unreachedActions(rule: RunAmountsProps["rule"], plan: RulePlan) {
  if (plan.actionsNotReached === 0) return [];
  const ordered = groupsOf(rule.steps[plan.stepIndexMatched ?? -1]?.actions ?? []).flat();
  return ordered.slice(ordered.length - plan.actionsNotReached);
}

/** `5 attempted, 4 moved, 1 skipped`. */
function countWords({ moves, actionsNotReached }: RulePlan, isForecast: boolean): string {
  const count = (outcome: PlannedMove["outcome"]) => moves.filter((move) => move.outcome === outcome).length;
  const parts = [
    isForecast ? `${moves.length} to attempt` : `${moves.length} attempted`,
    isForecast ? `${count("MOVE")} would move` : `${count("MOVE")} moved`,
    ...(count("SKIPPED") > 0 ? [`${count("SKIPPED")} skipped`] : []),
    ...(count("FAILED") > 0 ? [`${count("FAILED")} ${isForecast ? "would fail" : "failed"}`] : []),
    ...(actionsNotReached > 0 ? [`${actionsNotReached} not reached`] : []),
  ];
  return parts.join(", ");
}

export function movedInCents({ moves }: Pick<RulePlan, "moves">): number {
  return moves
    .filter(({ outcome }) => outcome === "MOVE")
    .reduce((sum, { amountInCents }) => sum + amountInCents, 0);
}
