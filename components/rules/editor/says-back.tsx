"use client";

import { Flag } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { ActivationChecks } from "@/components/rules/activation-checks";
import { useEditor } from "@/components/rules/editor/editor-context";
import { Part } from "@/components/rules/editor/part";
import { exampleAmount, tryRule } from "@/components/rules/editor/try-rule";
import { AmountField } from "@/components/rules/editor/value-fields";
import { Phrases } from "@/components/rules/phrases";
import { SmallNetwork } from "@/components/rules/small-network";
import { formatCents } from "@/lib/contract/format-cents";
import type { DraftAsRule } from "@/lib/contract/rules/draft-to-definition";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { JoinedRuleView } from "@/lib/contract/views/rule-editor-view";
import { checkActivation } from "@/lib/engine/check-activation";
import { nextOccurrence } from "@/lib/engine/schedule/occurrences";
import { accountName } from "@/lib/engine/words/account-name";
import { ruleSentence, shortageSentence } from "@/lib/engine/words/rule-sentence";
import { failureWords, unknownWords } from "@/lib/engine/words/trace-words";

interface SaysBackProps {
  asRule: DraftAsRule;
  /** Of a new rule: the id of its draft. */
  ruleId: string;
  otherActiveRules: JoinedRuleView[];
  onGoTo: (part: string) => void;
}

/** Always beside the rule: what it says, what it would do with an amount, and what stands in the way. */
export function SaysBack({ asRule, ruleId, otherActiveRules, onGoTo }: SaysBackProps) {
  const { names } = useEditor();
  return (
    <aside className="side">
      <div className="side-in">
        <section className="panel" aria-labelledby="it-reads">
          <h2 className="lbl" id="it-reads">
            It reads
          </h2>
          <div aria-live="polite">
            {asRule.kind === "RULE" ? (
              <>
                <p className="says display">
                  <Phrases phrases={ruleSentence(asRule.definition, names)} />
                </p>
                <p className="hint says-short">{shortageSentence(asRule.definition)}</p>
              </>
            ) : (
              <p className="says display dim">It is said back here when nothing is missing any more.</p>
            )}
          </div>
          {asRule.kind === "RULE" ? <Trial definition={asRule.definition} /> : null}
        </section>
        <section aria-labelledby="before-activation">
          <h2 className="h3" id="before-activation">
            Before you can activate it
          </h2>
          {asRule.kind === "RULE" ? (
            <Checks definition={asRule.definition} ruleId={ruleId} otherActiveRules={otherActiveRules} />
          ) : (
            <ul className="checks">
              {asRule.problems.map(({ part, message }) => (
                <li key={`${part} ${message}`}>
                  <Flag className="ic look" />
                  <div>
                    <button type="button" className="link lb" onClick={() => onGoTo(part)}>
                      {message}
                    </button>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </aside>
  );
}

/** What its activation will look at, by the very same checks. */
function Checks({
  definition,
  ruleId,
  otherActiveRules,
}: Pick<SaysBackProps, "ruleId" | "otherActiveRules"> & { definition: RuleDefinition }) {
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
  return <ActivationChecks checks={checks} names={names} />;
}

/** The rule drawn with an amount that can be changed, worked out by the very evaluator of its runs. */
function Trial({ definition }: { definition: RuleDefinition }) {
  const { names, facts } = useEditor();
  const [typed, setTyped] = useState<number | null>(null);
  const amount = typed ?? exampleAmount(definition, facts);
  const { plan, missing } = tryRule(definition, facts, amount);
  const isArrival = definition.trigger.type === "ON_FUNDS_TRANSFERRED";
  const label = isArrival
    ? "If this much arrives"
    : `If ${accountName(names, definition.trigger.accountId)} has`;
  const failed = plan?.moves.find(({ outcome }) => outcome === "FAILED");
  return (
    <div className="trial">
      <div className="left-t">
        <span className="lbl">{label}</span>
        <Part name="trial" text={formatCents(amount)} label={label}>
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
        <p className="hint">No step is for this amount: nothing moves.</p>
      ) : null}
      {failed ? <p className="hint">{failureWords(failed, names)}: the run stops there.</p> : null}
      {missing ? <p className="hint">{unknownWords(missing, names)} A run waits until it is.</p> : null}
    </div>
  );
}
