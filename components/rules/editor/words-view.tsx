"use client";

import { Plus } from "lucide-react";
import { useEditor } from "@/components/rules/editor/editor-context";
import { Part } from "@/components/rules/editor/part";
import { StepBlock } from "@/components/rules/editor/step-block";
import { TriggerBlock } from "@/components/rules/editor/trigger-block";
import { Button } from "@/components/ui/button";
import { InputField, TextareaField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { MAXIMUM_CALLED_REASON_LENGTH } from "@/lib/contract/limits";
import type { DraftAsRule } from "@/lib/contract/rules/draft-to-definition";

interface WordsViewProps {
  asRule: DraftAsRule;
  /** The JSON is being written and is no rule yet. */
  isHeld: boolean;
  notice: string | null;
  onDropJson: () => void;
  onShowJson: () => void;
}

/** The rule as sentences whose words can be changed. */
export function WordsView({ asRule, isHeld, notice, onDropJson, onShowJson }: WordsViewProps) {
  const { draft } = useEditor();
  return (
    <div>
      {isHeld ? (
        <Note>
          <p>What was typed as JSON is not a rule yet. These words are the last rule that it was.</p>
          <p className="btns">
            <Button kind="outlined" size="small" onClick={onShowJson}>
              Back to the JSON
            </Button>
            <Button kind="quiet" size="small" onClick={onDropJson}>
              Drop what was typed
            </Button>
          </p>
        </Note>
      ) : null}
      <fieldset className="bld" disabled={isHeld}>
        <legend className="vh">The rule</legend>
        <NameBlock />
        <TriggerBlock asRule={asRule} />
        {draft.steps.map((step, index) => (
          <StepBlock key={step.key} step={step} index={index} count={draft.steps.length} />
        ))}
        <OtherwiseBlock />
        <ReasonBlock />
      </fieldset>
      <p className="bld-n" role="status">
        {notice}
      </p>
    </div>
  );
}

function NameBlock() {
  const { draft, edit } = useEditor();
  return (
    <section className="bl" aria-labelledby="bl-name">
      <h2 className="bl-k" id="bl-name">
        <b>Name</b>
      </h2>
      <div className="say">
        <Part
          name="name"
          text={draft.name.trim() || null}
          empty="name this rule"
          label="The name of the rule"
        >
          <InputField
            label="Name"
            hint="What it does, like Split client payments."
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
          label="The description of the rule"
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
    </section>
  );
}

const SHOWN_LETTERS = 48;

function shorten(text: string): string {
  return text.length <= SHOWN_LETTERS ? text : `${text.slice(0, SHOWN_LETTERS).trimEnd()}…`;
}

/** What becomes of money that no step is for. */
function OtherwiseBlock() {
  const { draft, edit } = useEditor();
  const last = draft.steps.at(-1);
  const isLeft = last?.conditions !== null;
  if (!isLeft && draft.steps.length === 1) return null;
  return (
    <section className="bl" aria-labelledby="bl-else">
      <h2 className="bl-k" id="bl-else">
        <b>{isLeft ? "Otherwise" : "More"}</b>
      </h2>
      <div className="say">
        {isLeft ? <span className="dim">nothing moves. </span> : null}
        <Button kind="quiet" size="small" onClick={() => edit({ kind: "ADD_STEP" })}>
          <Plus className="ic" />
          Add a step
        </Button>
      </div>
    </section>
  );
}

function ReasonBlock() {
  const { draft, edit } = useEditor();
  return (
    <section className="bl" aria-labelledby="bl-why">
      <h2 className="bl-k" id="bl-why">
        <b>Why</b>
      </h2>
      <TextareaField
        label="Reason for this version"
        hint="Optional. Whoever looks through the versions reads it."
        maxLength={MAXIMUM_CALLED_REASON_LENGTH}
        value={draft.reason}
        onChange={(event) =>
          edit({ kind: "SET_TEXT", field: "reason", text: event.target.value.replace(/\s+/g, " ") })
        }
      />
    </section>
  );
}
