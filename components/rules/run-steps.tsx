import { Check, CircleMinus, X } from "lucide-react";
import { Section } from "@/components/ui/section";
import type { RulePlan, StepTrace } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import { comparisonSentence, comparisonsOf, conditionLabel } from "@/lib/engine/words/condition-words";

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
