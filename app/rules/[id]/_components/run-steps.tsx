import { Check, CircleMinus, TriangleAlert, X } from "lucide-react";
import { Fragment } from "react";
import { Phrases } from "@/app/rules/_components/rule-sentence";
import { Section } from "@/components/layout/section";
import { Amount } from "@/components/money/amount";
import { CheckItem, Checklist } from "@/components/ui/checklist";
import { Status } from "@/components/ui/status";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { PlannedMove, RulePlan, StepTrace } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { comparisonsOf } from "@/lib/engine/comparisons-of";
import { actionWords, groupsOf } from "@/lib/words/rules/action-words";
import { comparisonSentence, conditionLabel } from "@/lib/words/rules/condition-words";
import { accountName } from "@/lib/words/rules/number-words";
import { asSentence, joinWords } from "@/lib/words/rules/phrases";
import { moveWords, type RunInWords } from "@/lib/words/rules/trace-words";

interface RunStepsProps {
  rule: Pick<RuleDefinition, "trigger" | "steps">;
  plan: RulePlan;
  names: AccountNames;
  /** Not a real run: a dry run or a preview. */
  isForecast: boolean;
}

/** The step that ran, and why others did not: every comparison with its values. */
export function RunSteps({ rule, plan, names, isForecast }: RunStepsProps) {
  const matched = isForecast ? "Matching step" : "Matched step";
  const none = isForecast ? "Its conditions are not met" : "Its conditions were not met";
  return (
    <Section id="steps" title={plan.stepIndexMatched === null ? none : matched} fact="The first match runs">
      <Checklist>
        {rule.steps.map((_, index) => {
          const trace = plan.steps[index];
          const outcome = trace?.outcome ?? "NOT_LOOKED_AT";
          const title = stepTitle(rule, index, names);
          return (
            <CheckItem
              key={title}
              icon={<StepIcon outcome={outcome} />}
              title={title}
              result={outcomeWords(outcome, isForecast)}
              isQuiet={outcome !== "RAN"}
            >
              {stepSentences(rule, index, trace, plan, names).map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
            </CheckItem>
          );
        })}
      </Checklist>
    </Section>
  );
}

function stepTitle(rule: RunStepsProps["rule"], index: number, names: AccountNames): string {
  const conditions = rule.steps[index]?.conditions ?? null;
  if (conditions === null) return `Step ${index + 1}, ${index === 0 ? "always" : "otherwise"}`;
  const label = conditionLabel(conditions, { trigger: rule.trigger, names });
  return `Step ${index + 1}, ${index === 0 ? "" : "otherwise "}${lowered(label)}`;
}

/** Lowercased for mid-sentence; account names keep their capitals. */
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
    return [`Not evaluated because step ${(plan.stepIndexMatched ?? 0) + 1} matched.`];
  }
  const conditions = rule.steps[index]?.conditions ?? null;
  if (conditions === null) return ["No conditions, so it always matches."];
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
      ? "1 more was not evaluated: the result was already certain."
      : `${unseen} more were not evaluated: the result was already certain.`,
  ];
}

function StepIcon({ outcome }: { outcome: StepTrace["outcome"] }) {
  if (outcome === "RAN") return <Check className="text-teal" />;
  return outcome === "CONDITIONS_NOT_MET" ? (
    <X className="text-ink-3" />
  ) : (
    <CircleMinus className="text-ink-3" />
  );
}

function outcomeWords(outcome: StepTrace["outcome"], isForecast: boolean): string {
  if (outcome === "RAN") return isForecast ? "Runs" : "Ran";
  return outcome === "CONDITIONS_NOT_MET" ? "No match" : "Not evaluated";
}

const RUN_AMOUNT = "number text-right max-sm:col-start-2 max-sm:pt-1.5 max-sm:text-left";

interface RunAmountsProps {
  rule: Pick<RuleDefinition, "trigger" | "steps" | "limits">;
  facts: RuleFacts;
  plan: RulePlan;
  names: AccountNames;
  /** A preview or a dry run: what would move. */
  isForecast: boolean;
}

/** How each amount was calculated, in order, up to where the run ended. */
export function RunAmounts({ rule, facts, plan, names, isForecast }: RunAmountsProps) {
  if (plan.stepIndexMatched === null) return null;
  const reported: RunInWords = { rule, plan, names, facts };
  const unreached = unreachedActions(rule, plan);
  return (
    <Section
      id="amounts"
      title={isForecast ? "How amounts are calculated" : "How amounts were calculated"}
      fact={`Step ${plan.stepIndexMatched + 1}, in order`}
    >
      <ol className="[&>li]:grid [&>li]:grid-cols-[28px_minmax(0,1fr)_auto] [&>li]:items-start [&>li]:gap-y-0 [&>li]:gap-x-3 [&>li]:py-4 [&>li]:px-0 [&>li]:border-b [&>li]:border-rule [&>li:last-child]:border-b-0 max-sm:[&>li]:grid-cols-[22px_minmax(0,1fr)]">
        {plan.moves.map((move, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: moves have no id, and their order is fixed.
          <li key={index}>
            <span className="text-ink-3">{index + 1}</span>
            <div>
              <b>{moveTitle(move, rule, names)}</b>
              <MoveWords move={move} reported={reported} />
            </div>
            <MoveAmount move={move} isForecast={isForecast} />
          </li>
        ))}
        {unreached.map(({ action, actionIndex }, index) => (
          <li key={`unreached ${actionIndex}`} className="[&_b]:text-ink-2">
            <span className="text-ink-3">{plan.moves.length + index + 1}</span>
            <div>
              <b>{joinWords(destinationsOf(action).map((id) => accountName(names, id)))}</b>
              <p className="flex flex-wrap gap-y-0.5 gap-x-2 mt-1 text-sm/5 text-ink-3 [&_b]:font-medium [&_b]:text-ink-2">
                <span>{actionWords(action, rule.limits)}</span>
                <span aria-hidden="true">·</span>
                <span>not calculated: the run ended first</span>
              </p>
            </div>
            <div className={RUN_AMOUNT}>
              <Status tone="mute" icon={<CircleMinus />}>
                Not reached
              </Status>
            </div>
          </li>
        ))}
      </ol>
      <p className="flex justify-between gap-4 py-3 px-0 border-t border-b-3 [border-bottom-style:double] border-ink-3 font-semibold">
        <span>{countWords(plan, isForecast)}</span>
        <Amount cents={movedInCents(plan)} />
      </p>
    </Section>
  );
}

/** The destination, with the source if it is not the trigger's account. */
function moveTitle(move: PlannedMove, rule: RunAmountsProps["rule"], names: AccountNames): string {
  const destination = accountName(names, move.destinationAccountId);
  return move.sourceAccountId === rule.trigger.accountId
    ? destination
    : `${accountName(names, move.sourceAccountId)} to ${destination}`;
}

function MoveWords({ move, reported }: { move: PlannedMove; reported: RunInWords }) {
  return (
    <p className="flex flex-wrap gap-y-0.5 gap-x-2 mt-1 text-sm/5 text-ink-3 [&_b]:font-medium [&_b]:text-ink-2">
      {moveWords(move, reported).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never reorder.
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
      <div className={RUN_AMOUNT}>
        <Amount cents={move.amountInCents} />
      </div>
    );
  }
  const isFailed = move.outcome === "FAILED";
  return (
    <div className={RUN_AMOUNT}>
      {isFailed ? (
        <Status tone="red" icon={<TriangleAlert />}>
          {isForecast ? "Would fail" : "Failed"}
        </Status>
      ) : (
        <Status tone="mute" icon={<CircleMinus />}>
          {isForecast ? "Would be skipped" : "Skipped"}
        </Status>
      )}
      <span className="block font-normal mt-0.5">
        <Amount cents={0} quiet />
      </span>
    </div>
  );
}

/** The actions of the matched step that the run did not reach, in order. */
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
