"use client";

import { ArrowDown, ArrowUp, Ellipsis, X } from "lucide-react";
import { useState } from "react";
import {
  CONDITIONS,
  ConditionParts,
  hasCondition,
} from "@/app/settings/approvals/edit/_components/condition-parts";
import { usePolicy } from "@/app/settings/approvals/edit/_components/policy-context";
import {
  changeWhen,
  moveRule,
  type RulePlace,
  removeRule,
  renameRule,
} from "@/app/settings/approvals/edit/_components/policy-edits";
import {
  placeName,
  RequirementParts,
  useAddDeputy,
} from "@/app/settings/approvals/edit/_components/requirement-parts";
import { EDITED_SENTENCE } from "@/components/parts/rules/sentence-class";
import { Pop, partElementId } from "@/components/parts/sentences/part";
import { useParts } from "@/components/parts/sentences/part-context";
import { Button, buttonClass } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { LiveButton } from "@/components/ui/live-button";
import { MAXIMUM_POLICY_RULE_NAME_LENGTH, type PolicyRule } from "@/lib/contract/policies/policy";

const BLOCK =
  "grid grid-cols-[96px_minmax(0,1fr)_32px] gap-x-5 py-5.5 border-b border-rule-strong max-sm:grid-cols-[minmax(0,1fr)_44px] max-sm:gap-y-1.5";
const NAME =
  "pt-1.5 text-sm/5 font-normal text-ink-3 wrap-anywhere [&_b]:block [&_b]:text-[14px] [&_b]:text-ink";
const SENTENCES = `${EDITED_SENTENCE} min-w-0 max-sm:col-span-2 max-sm:row-start-2 [&_p+p]:mt-1`;

/** One rule in words: conditions, then who approves. */
export function RuleBlock({ rule, place }: { rule: PolicyRule; place: number }) {
  const id = `rule-${place}`;
  return (
    <section className={BLOCK} aria-labelledby={id}>
      <h2 className={NAME} id={id}>
        <b>{place + 1}</b>
        {rule.name}
      </h2>
      <div className={SENTENCES}>
        <p>
          <ConditionParts rule={rule} place={place} />
        </p>
        <RequirementParts place={place} />
      </div>
      <RuleMenu rule={rule} place={place} />
    </section>
  );
}

export function OtherwiseBlock() {
  return (
    <section className={`${BLOCK} border-b-0`} aria-labelledby="rule-otherwise">
      <h2 className={NAME} id="rule-otherwise">
        <b>Otherwise</b>
        always last
      </h2>
      <div className={SENTENCES}>
        <RequirementParts place={null} />
      </div>
      <span />
    </section>
  );
}

function RuleMenu({ rule, place }: { rule: PolicyRule; place: number }) {
  const { policy, edit, choices } = usePolicy();
  const { setOpenPart } = useParts();
  const addDeputy = useAddDeputy(place);
  const name = `${placeName(place)}.more`;
  const act = (change: () => void) => () => {
    setOpenPart(null);
    change();
  };
  const accountId = choices.accounts.find(({ isClosed }) => !isClosed)?.id ?? null;
  return (
    <Pop
      name={name}
      label={`More of rule ${place + 1}`}
      place="right"
      trigger={
        <LiveButton
          id={partElementId(name)}
          className={`${buttonClass({ kind: "quiet" })} min-h-8 p-0! self-start max-sm:min-h-11 max-sm:row-start-1 max-sm:col-start-2 [&>svg]:m-0! [&>svg]:size-4 [&>svg]:text-ink-3`}
          aria-label={`More of rule ${place + 1}`}
        >
          <Ellipsis />
        </LiveButton>
      }
    >
      <NameField rule={rule} place={place} />
      <div className="grid justify-items-start">
        {CONDITIONS.filter((condition) => !hasCondition(rule.when, condition.name)).map((condition) => (
          <Button
            key={condition.name}
            kind="quiet"
            onClick={() => {
              const added = condition.begin({ accountId });
              if (added === null) return;
              edit(changeWhen(policy, place, added));
              setOpenPart(`r${place}.${condition.name}`);
            }}
          >
            Add: {condition.label.toLowerCase()}
          </Button>
        ))}
        {addDeputy ? (
          <Button kind="quiet" onClick={act(addDeputy)}>
            Add: a deputy
          </Button>
        ) : null}
        {place > 0 ? (
          <Button kind="quiet" onClick={act(() => edit(moveRule(policy, place, -1)))}>
            <ArrowUp />
            Move up
          </Button>
        ) : null}
        {place < policy.rules.length - 1 ? (
          <Button kind="quiet" onClick={act(() => edit(moveRule(policy, place, 1)))}>
            <ArrowDown />
            Move down
          </Button>
        ) : null}
        <Button kind="quiet" onClick={act(() => edit(removeRule(policy, place)))}>
          <X />
          Remove rule
        </Button>
      </div>
    </Pop>
  );
}

function NameField({ rule, place }: { rule: PolicyRule; place: Exclude<RulePlace, null> }) {
  const { policy, edit } = usePolicy();
  const [typed, setTyped] = useState(rule.name);
  const renamed = renameRule(policy, place, typed);
  return (
    <InputField
      label="Name"
      autoComplete="off"
      data-first
      maxLength={MAXIMUM_POLICY_RULE_NAME_LENGTH}
      value={typed}
      error={renamed === null ? "Give it a name that no other rule has." : null}
      onChange={({ target }) => {
        setTyped(target.value);
        const next = renameRule(policy, place, target.value);
        if (next) edit(next);
      }}
    />
  );
}
