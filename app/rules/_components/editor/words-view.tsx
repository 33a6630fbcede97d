"use client";

import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { AccountPart } from "@/app/rules/_components/editor/account-choice";
import { useEditor } from "@/app/rules/_components/editor/editor-context";
import { NextRuns, ScheduleParts } from "@/app/rules/_components/editor/schedule-parts";
import { StepBlock } from "@/app/rules/_components/editor/step-block";
import { EDITED_SENTENCE, EDITOR_BLOCK, EDITOR_BLOCK_HEAD } from "@/components/parts/rules/sentence-class";
import { AmountField } from "@/components/parts/sentences/amount-field";
import { ChoiceList } from "@/components/parts/sentences/choice-list";
import { Part } from "@/components/parts/sentences/part";
import { Button } from "@/components/ui/button";
import { InputField, TextareaField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { formatCents } from "@/lib/contract/format-cents";
import { MAXIMUM_CALLED_REASON_LENGTH } from "@/lib/contract/limits";
import type { TriggerDraft } from "@/lib/contract/rules/draft";
import type { DraftAsRule } from "@/lib/contract/rules/draft-to-definition";

interface WordsViewProps {
  asRule: DraftAsRule;
  /** Whether the typed JSON is not a valid rule yet. */
  isHeld: boolean;
  notice: string | null;
  onDropJson: () => void;
  onShowJson: () => void;
}

/** The rule as sentences with editable words. */
export function WordsView({ asRule, isHeld, notice, onDropJson, onShowJson }: WordsViewProps) {
  const { draft } = useEditor();
  return (
    <div>
      {isHeld ? (
        <Note>
          <p>The typed JSON is not a valid rule yet. This is the last valid version.</p>
          <p className="mt-3">
            <Button kind="outlined" size="small" onClick={onShowJson}>
              Back to JSON
            </Button>
            <Button kind="quiet" size="small" onClick={onDropJson}>
              Discard JSON
            </Button>
          </p>
        </Note>
      ) : null}
      <fieldset className="min-w-0 mx-0 mt-2 mb-0 p-0 border-0" disabled={isHeld}>
        <legend className="sr-only">The rule</legend>
        <NameBlock />
        <TriggerBlock asRule={asRule} />
        {draft.steps.map((step, index) => (
          <StepBlock key={step.key} step={step} index={index} count={draft.steps.length} />
        ))}
        <OtherwiseBlock />
        <ReasonBlock />
      </fieldset>
      <p className="min-h-5 text-[13px] text-ink-3" role="status">
        {notice}
      </p>
    </div>
  );
}

interface BlockProps {
  id: string;
  title: string;
  children: ReactNode;
}

function Block({ id, title, children }: BlockProps) {
  return (
    <section className={EDITOR_BLOCK} aria-labelledby={id}>
      <h2 className={EDITOR_BLOCK_HEAD} id={id}>
        <b>{title}</b>
      </h2>
      {children}
    </section>
  );
}

function NameBlock() {
  const { draft, edit } = useEditor();
  return (
    <Block id="bl-name" title="Name">
      <div className={EDITED_SENTENCE}>
        <Part name="name" text={draft.name.trim() || null} empty="name this rule" label="Rule name">
          <InputField
            label="Name"
            hint="What it does, for example Split client payments."
            autoComplete="off"
            data-first
            maxLength={60}
            value={draft.name}
            onChange={(event) => edit({ kind: "SET_TEXT", field: "name", text: event.target.value })}
          />
        </Part>
        {draft.description.trim() ? ", " : " "}
        <Part
          name="description"
          text={draft.description.trim() ? shorten(draft.description.trim()) : "no description"}
          label="Rule description"
        >
          <TextareaField
            label="Description"
            data-first
            maxLength={500}
            value={draft.description}
            onChange={(event) =>
              // One paragraph: the API refuses line breaks.
              edit({ kind: "SET_TEXT", field: "description", text: event.target.value.replace(/\s+/g, " ") })
            }
          />
        </Part>
      </div>
    </Block>
  );
}

const SHOWN_LETTERS = 48;

function shorten(text: string): string {
  return text.length <= SHOWN_LETTERS ? text : `${text.slice(0, SHOWN_LETTERS).trimEnd()}…`;
}

/** What happens if no step applies. */
function OtherwiseBlock() {
  const { draft, edit } = useEditor();
  const last = draft.steps.at(-1);
  const isLeft = last?.conditions !== null;
  if (!isLeft && draft.steps.length === 1) return null;
  return (
    <Block id="bl-else" title={isLeft ? "Otherwise" : "More"}>
      <div className={EDITED_SENTENCE}>
        {isLeft ? <span className="text-ink-3">nothing moves. </span> : null}
        <Button kind="quiet" size="small" onClick={() => edit({ kind: "ADD_STEP" })}>
          <Plus />
          Add step
        </Button>
      </div>
    </Block>
  );
}

function ReasonBlock() {
  const { draft, edit } = useEditor();
  return (
    <Block id="bl-why" title="Why">
      <TextareaField
        label="Reason for this version"
        hint="Optional. Shown in version history."
        maxLength={MAXIMUM_CALLED_REASON_LENGTH}
        value={draft.reason}
        onChange={(event) =>
          edit({ kind: "SET_TEXT", field: "reason", text: event.target.value.replace(/\s+/g, " ") })
        }
      />
    </Block>
  );
}

const KINDS = {
  ON_FUNDS_TRANSFERRED: "money arrives",
  SCHEDULED: "a scheduled time comes",
  MANUAL: "someone runs it",
} as const satisfies Record<TriggerDraft["type"], string>;

/** When the rule runs, and on which account. */
function TriggerBlock({ asRule }: { asRule: DraftAsRule }) {
  const { draft } = useEditor();
  const { type } = draft.trigger;
  return (
    <Block id="bl-when" title="When">
      <div className={EDITED_SENTENCE}>
        <KindPart />
        {type === "ON_FUNDS_TRANSFERRED" ? <ArrivalParts /> : null}
        {type === "SCHEDULED" ? <ScheduleParts /> : null}
        {type === "MANUAL" ? (
          <>
            {" "}
            here or through the API, starting with <TriggerAccount />
          </>
        ) : null}
        {type === "SCHEDULED" ? (
          <>
            , starting with <TriggerAccount />
          </>
        ) : null}
        {asRule.kind === "RULE" ? <NextRuns trigger={asRule.definition.trigger} /> : null}
      </div>
    </Block>
  );
}

function KindPart() {
  const { draft, edit } = useEditor();
  const { type } = draft.trigger;
  return (
    <Part name="trigger.kind" text={KINDS[type]} label="Trigger">
      <ChoiceList
        label="Trigger"
        value={type}
        choices={[
          { value: "ON_FUNDS_TRANSFERRED", label: "Money arrives in an account" },
          { value: "SCHEDULED", label: "On a schedule, like every Friday" },
          { value: "MANUAL", label: "Manually, here or through the API" },
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
      label={isArrival ? "Account that receives money" : "Source account"}
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
        label="Minimum amount"
        foot={<AnyAmount onChoose={() => setMinimum(null)} />}
      >
        <AmountField
          label="At least"
          hint="Smaller deposits don’t trigger the rule."
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
