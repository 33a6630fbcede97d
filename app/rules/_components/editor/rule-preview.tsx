"use client";

import { Flag } from "lucide-react";
import { Component, type ReactNode, Suspense, useDeferredValue, useState } from "react";
import { useEditor } from "@/app/rules/_components/editor/editor-context";
import { ActivationChecks, Phrases } from "@/app/rules/_components/rule-sentence";
import { PANEL } from "@/components/layout/panel";
import { SideColumn } from "@/components/layout/side-column";
import { SmallNetwork } from "@/components/parts/rules/small-network";
import { AmountField } from "@/components/parts/sentences/amount-field";
import { Part } from "@/components/parts/sentences/part";
import { CheckItem, Checklist, OutcomeIcon } from "@/components/ui/checklist";
import { LiveButton } from "@/components/ui/live-button";
import { Note } from "@/components/ui/note";
import { LINK_BUTTON, SPOKEN } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { DraftAsRule } from "@/lib/contract/rules/draft-to-definition";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { accountsOf } from "@/lib/engine/accounts-of";
import { checkActivation } from "@/lib/engine/check-activation";
import { evaluate } from "@/lib/engine/evaluate";
import { usageOf } from "@/lib/engine/limits";
import { whatIfBase, withBase } from "@/lib/engine/run-facts";
import { nextOccurrence } from "@/lib/engine/schedule/occurrences";
import type { JoinedRuleView } from "@/lib/views/rules/read-rule-editor";
import { checkWords } from "@/lib/words/rules/activation-words";
import { accountName } from "@/lib/words/rules/number-words";
import { ruleSentence, shortageSentence } from "@/lib/words/rules/rule-sentence";
import { failureWords, unknownWords } from "@/lib/words/rules/trace-words";

interface RulePreviewProps {
  asRule: DraftAsRule;
  /** For a new rule: the id of its draft. */
  ruleId: string;
  otherActiveRules: JoinedRuleView[];
  onGoTo: (part: string) => void;
}

/** Beside the editor: activation problems, the rule in words, and a trial with an amount. */
export function RulePreview(props: RulePreviewProps) {
  // The editor stays usable if its preview fails, on the server and in the browser.
  return (
    <SideColumn contentLayout="mt-6 sm:max-h-[calc(100vh-48px)] sm:overflow-y-auto sm:[scrollbar-width:thin]">
      <Suspense>
        <PreviewBoundary asRule={props.asRule}>
          <Preview {...props} />
        </PreviewBoundary>
      </Suspense>
    </SideColumn>
  );
}

interface PreviewBoundaryProps {
  asRule: DraftAsRule;
  children: ReactNode;
}

/** Tries again with the next edit. React has no hook for it, and `next/error` adds 4 kB. */
class PreviewBoundary extends Component<PreviewBoundaryProps, { failed: boolean; asRule: DraftAsRule }> {
  override state = { failed: false, asRule: this.props.asRule };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  static getDerivedStateFromProps({ asRule }: PreviewBoundaryProps, state: { asRule: DraftAsRule }) {
    return asRule === state.asRule ? null : { failed: false, asRule };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Note>
        <b>The preview could not be calculated.</b> You can go on editing; your draft is kept. The checks run
        again before you activate the rule.
      </Note>
    );
  }
}

function Preview({ asRule, ruleId, otherActiveRules, onGoTo }: RulePreviewProps) {
  const { names } = useEditor();
  const isComplete = asRule.kind === "RULE";
  // What was last complete stays in view while a part is missing.
  const [lastComplete, setLastComplete] = useState(isComplete ? asRule.definition : null);
  if (isComplete && asRule.definition !== lastComplete) setLastComplete(asRule.definition);
  const shown = isComplete ? asRule.definition : lastComplete;
  return (
    <>
      <section aria-labelledby="before-activation">
        <h2 className="text-base font-semibold" id="before-activation">
          Before you activate
        </h2>
        {isComplete ? (
          <Checks definition={asRule.definition} ruleId={ruleId} otherActiveRules={otherActiveRules} />
        ) : (
          <Checklist>
            {asRule.problems.map(({ part, message }) => (
              <CheckItem key={`${part} ${message}`} icon={<Flag className="text-ink-2" />} isControl>
                <LiveButton className={`${LINK_BUTTON} text-left text-ink!`} onClick={() => onGoTo(part)}>
                  {message}
                </LiveButton>
              </CheckItem>
            ))}
          </Checklist>
        )}
      </section>
      <section className={PANEL} aria-labelledby="it-reads">
        <h2 className="text-sm text-ink-3" id="it-reads">
          {isComplete || shown === null ? "Your rule" : "Your last complete rule"}
        </h2>
        <div aria-live="polite">
          {shown ? (
            <>
              <p className={SPOKEN}>
                <Phrases phrases={ruleSentence(shown, names)} />
              </p>
              <p className="text-sm text-ink-3 mt-2.5">{shortageSentence(shown)}</p>
            </>
          ) : (
            <p className="mt-2 font-display text-[20px]/7.5 tracking-[-0.014em] text-ink-2">
              Your rule appears here once it’s complete.
            </p>
          )}
        </div>
        {shown ? <Trial definition={shown} /> : null}
      </section>
    </>
  );
}

/** The same checks as at activation; those that found nothing take one line. */
function Checks({
  definition,
  ruleId,
  otherActiveRules,
}: Pick<RulePreviewProps, "ruleId" | "otherActiveRules"> & { definition: RuleDefinition }) {
  const { names, facts, time } = useEditor();
  // Trying a rule in all its corners takes up to a fifth of a second: what is typed comes first.
  const checked = useDeferredValue(definition);
  const { trigger } = checked;
  const next = trigger.type === "SCHEDULED" ? nextOccurrence(trigger.schedule, new Date(time.nowAt)) : null;
  const checks = checkActivation({
    ruleId,
    definition: checked,
    otherActiveRules,
    accounts: facts.accounts,
    nowAt: time.nowAt,
    nextRunAt: next?.toISOString() ?? null,
  });
  const clear = checks.filter(({ outcome }) => outcome === "CLEAR");
  return (
    <ActivationChecks checks={checks.filter(({ outcome }) => outcome !== "CLEAR")} names={names}>
      {clear.length > 0 ? (
        <CheckItem icon={<OutcomeIcon outcome="CLEAR" blocks="" />}>
          <details>
            <summary className="w-fit list-none cursor-pointer font-medium underline decoration-dotted underline-offset-4">
              {clear.length === 1 ? "1 check passes" : `${clear.length} checks pass`}
            </summary>
            {clear.map((check) => (
              <p key={check.kind}>{checkWords(check, names).title}</p>
            ))}
          </details>
        </CheckItem>
      ) : null}
    </ActivationChecks>
  );
}

/** The rule drawn with an adjustable amount, evaluated like its runs. */
function Trial({ definition }: { definition: RuleDefinition }) {
  const { names, facts, limitsUsed } = useEditor();
  const [typed, setTyped] = useState<number | null>(null);
  const amount = typed ?? exampleAmount(definition, facts);
  const { plan, missing } = tryRule(
    definition,
    { ...facts, limitsUsedInCents: usageOf(definition.limits, limitsUsed) },
    amount,
  );
  const isArrival = definition.trigger.type === "ON_FUNDS_TRANSFERRED";
  const label = isArrival
    ? "If this amount arrives"
    : `If ${accountName(names, definition.trigger.accountId)} has`;
  const failed = plan?.moves.find(({ outcome }) => outcome === "FAILED");
  return (
    <div className="mt-5 pt-5 border-t border-rule [&>p]:mt-3">
      <div className="flex items-center justify-between mb-3">
        <span className="text-sm text-ink-3">{label}</span>
        <Part name="trial" text={formatCents(amount)} label={label} place="narrowRight">
          <AmountField label="Amount" valueInCents={amount} onValue={setTyped} />
        </Part>
      </div>
      <SmallNetwork
        rule={definition}
        plan={plan}
        names={names}
        incomingAmountInCents={plan ? amount : null}
        width={334}
      />
      {plan?.stepIndexMatched === null ? (
        <p className="text-sm text-ink-3">No condition is met for this amount, so nothing moves.</p>
      ) : null}
      {failed ? <p className="text-sm text-ink-3">{failureWords(failed, names)}: the run stops.</p> : null}
      {missing ? (
        <p className="text-sm text-ink-3">{unknownWords(missing, names)} A run waits until it is.</p>
      ) : null}
    </div>
  );
}

interface TriedRule {
  /** Null if it cannot be evaluated. */
  plan: RulePlan | null;
  missing: UnknownFact | null;
}

/** A dry run with this amount, evaluated locally. */
function tryRule(definition: RuleDefinition, facts: RuleFacts, amountInCents: number): TriedRule {
  // JSON may name unknown accounts or ones that were not loaded; the server checks them.
  if (accountsOf(definition).some((id) => !(id in facts.accounts))) return { plan: null, missing: null };
  const { trigger } = definition;
  const based = withBase(facts, trigger.accountId, whatIfBase(trigger, amountInCents));
  const evaluation = evaluate(definition, based);
  return evaluation.kind === "PLANNED"
    ? { plan: evaluation.plan, missing: null }
    : { plan: null, missing: evaluation.missing };
}

const EXAMPLE_IN_CENTS = 500_000;

/** The initial amount: the account's balance, or for deposits one that meets the first step's conditions. */
function exampleAmount({ trigger, steps }: RuleDefinition, facts: RuleFacts): number {
  if (trigger.type !== "ON_FUNDS_TRANSFERRED") {
    return Math.max(0, facts.accounts[trigger.accountId]?.availableInCents ?? EXAMPLE_IN_CENTS);
  }
  return Math.max(
    EXAMPLE_IN_CENTS,
    trigger.minimumAmountInCents ?? 0,
    ...askedOf(steps[0]?.conditions ?? null),
  );
}

/** The deposit amounts in conditions. The schema bounds their depth. */
function askedOf(node: unknown): number[] {
  if (typeof node !== "object" || node === null) return [];
  if (!("fact" in node)) return Object.values(node).flat().flatMap(askedOf);
  const operator = "operator" in node ? node.operator : null;
  const isAtLeast = operator === "GREATER_THAN" || operator === "GREATER_THAN_OR_EQUAL";
  const value = "value" in node ? node.value : null;
  return node.fact === "INCOMING_AMOUNT" && isAtLeast && typeof value === "number"
    ? [operator === "GREATER_THAN" ? value + 100 : value]
    : [];
}
