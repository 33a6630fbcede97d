"use client";

import { AccountPart } from "@/components/rules/editor/account-part";
import { ChoiceList } from "@/components/rules/editor/choice-list";
import { useEditor } from "@/components/rules/editor/editor-context";
import { Part } from "@/components/rules/editor/part";
import { NextRuns, ScheduleParts } from "@/components/rules/editor/schedule-parts";
import { AmountField } from "@/components/rules/editor/value-fields";
import { Button } from "@/components/ui/button";
import { formatCents } from "@/lib/contract/format-cents";
import type { TriggerDraft } from "@/lib/contract/rules/draft";
import type { DraftAsRule } from "@/lib/contract/rules/draft-to-definition";

const KINDS = {
  ON_FUNDS_TRANSFERRED: "money arrives",
  SCHEDULED: "a time comes",
  MANUAL: "somebody runs it",
} as const satisfies Record<TriggerDraft["type"], string>;

/** When the rule runs, and of which account the money is. */
export function TriggerBlock({ asRule }: { asRule: DraftAsRule }) {
  const { draft } = useEditor();
  const { type } = draft.trigger;
  return (
    <section className="bl" aria-labelledby="bl-when">
      <h2 className="bl-k" id="bl-when">
        <b>When</b>
      </h2>
      <div className="say">
        <KindPart />
        {type === "ON_FUNDS_TRANSFERRED" ? <ArrivalParts /> : null}
        {type === "SCHEDULED" ? <ScheduleParts /> : null}
        {type === "MANUAL" ? (
          <>
            {" "}
            here or by the API, starting from <TriggerAccount />
          </>
        ) : null}
        {type === "SCHEDULED" ? (
          <>
            , starting from <TriggerAccount />
          </>
        ) : null}
        {asRule.kind === "RULE" ? <NextRuns trigger={asRule.definition.trigger} /> : null}
      </div>
    </section>
  );
}

function KindPart() {
  const { draft, edit } = useEditor();
  const { type } = draft.trigger;
  return (
    <Part name="trigger.kind" text={KINDS[type]} label="When it runs">
      <ChoiceList
        label="When it runs"
        value={type}
        choices={[
          { value: "ON_FUNDS_TRANSFERRED", label: "Money arrives in an account" },
          { value: "SCHEDULED", label: "A time comes, like every Friday" },
          { value: "MANUAL", label: "Somebody runs it, here or by the API" },
        ]}
        onChoose={(chosen) => edit({ kind: "SET_TRIGGER", change: { type: chosen } })}
      />
    </Part>
  );
}

function TriggerAccount() {
  const { draft, edit } = useEditor();
  const isArrival = draft.trigger.type === "ON_FUNDS_TRANSFERRED";
  return (
    <AccountPart
      name="trigger.account"
      label={isArrival ? "The account that money arrives in" : "The account that it starts from"}
      accountId={draft.trigger.accountId}
      offers={({ kind }) => kind !== "LIABILITY"}
      onChoose={(accountId) => edit({ kind: "SET_TRIGGER", change: { accountId } })}
    />
  );
}

function ArrivalParts() {
  const { draft, edit } = useEditor();
  const { minimumAmountInCents } = draft.trigger;
  const setMinimum = (cents: number | null) =>
    edit({ kind: "SET_TRIGGER", change: { minimumAmountInCents: cents } });
  return (
    <>
      {" "}
      in <TriggerAccount /> of{" "}
      <Part
        name="trigger.minimum"
        text={minimumAmountInCents ? `${formatCents(minimumAmountInCents)} or more` : "any amount"}
        label="The least amount that sets it off"
        foot={<AnyAmount onChoose={() => setMinimum(null)} />}
      >
        <AmountField
          label="At least"
          hint="Smaller arrivals do not set the rule off."
          valueInCents={minimumAmountInCents}
          onValue={setMinimum}
        />
      </Part>
    </>
  );
}

function AnyAmount({ onChoose }: { onChoose: () => void }) {
  const { closePart } = useEditor();
  return (
    <Button
      kind="quiet"
      size="small"
      onClick={() => {
        onChoose();
        closePart();
      }}
    >
      Any amount
    </Button>
  );
}
