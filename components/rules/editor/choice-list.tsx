"use client";

import { type ReactNode, useId } from "react";
import { useEditor } from "@/components/rules/editor/editor-context";

export interface Choice<Value extends string> {
  value: Value;
  label: string;
  /** At the right, e.g. what an account has. */
  note?: ReactNode;
  /** Headed by it where it differs from the choice before. */
  under?: string;
}

interface ChoiceListProps<Value extends string> {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value | null;
  onChoose: (value: Value) => void;
  /** Where the choice is all that the control asks for, a press on it is the end of it. */
  closes?: boolean;
}

/** One of a few: arrow keys choose, a press chooses and closes. */
export function ChoiceList<Value extends string>(props: ChoiceListProps<Value>) {
  const { label, choices, value, onChoose, closes = true } = props;
  const { closePart } = useEditor();
  const name = useId();
  return (
    <fieldset className="choices">
      <legend className="vh">{label}</legend>
      {choices.map((choice, index) => (
        <div key={choice.value}>
          {choice.under && choice.under !== choices[index - 1]?.under ? (
            <p className="choices-h">{choice.under}</p>
          ) : null}
          <label className="choice">
            <input
              type="radio"
              className="box radio"
              name={name}
              checked={choice.value === value}
              onChange={() => onChoose(choice.value)}
              onClick={(event) => {
                // A click by the keyboard counts no presses: there it only chooses.
                if (closes && event.detail > 0) closePart();
              }}
            />
            <span>{choice.label}</span>
            {choice.note ? <span className="num dim">{choice.note}</span> : null}
          </label>
        </div>
      ))}
      {choices.length === 0 ? <p className="hint">There is none.</p> : null}
    </fieldset>
  );
}
