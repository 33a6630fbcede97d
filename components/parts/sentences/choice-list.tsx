"use client";

import { type ReactNode, useId } from "react";
import { useParts } from "@/components/parts/sentences/part-context";
import { RADIO } from "@/components/ui/choice-class";

interface Choice<Value extends string> {
  value: Value;
  label: string;
  /** On the right, e.g. an account's balance. */
  note?: ReactNode;
  /** The group heading, shown when it differs from the previous choice's. */
  under?: string;
}

interface ChoiceListProps<Value extends string> {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value | null;
  onChoose: (value: Value) => void;
  /** If the choice is the only input, clicking it closes the control. */
  closes?: boolean;
}

/** One of several: arrow keys choose, a click chooses and closes. */
export function ChoiceList<Value extends string>(props: ChoiceListProps<Value>) {
  const { label, choices, value, onChoose, closes = true } = props;
  const { closePart } = useParts();
  const name = useId();
  return (
    <fieldset className="min-w-0 max-h-80 my-0 -mx-2 p-0 border-0 overflow-y-auto">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice, index) => (
        <div key={choice.value}>
          {choice.under && choice.under !== choices[index - 1]?.under ? (
            <p className="px-2 pt-2 pb-0.5 text-[13px] text-ink-3">{choice.under}</p>
          ) : null}
          <label className="grid grid-cols-[18px_minmax(0,1fr)_auto] items-center gap-2.5 min-h-8.5 py-1.5 px-2 rounded-md wrap-anywhere cursor-pointer hover:bg-hover max-sm:min-h-11">
            <input
              type="radio"
              className={RADIO}
              name={name}
              checked={choice.value === value}
              onChange={() => onChoose(choice.value)}
              onClick={(event) => {
                // Keyboard clicks have a detail of 0: they only choose.
                if (closes && event.detail > 0) closePart();
              }}
            />
            <span>{choice.label}</span>
            {choice.note ? (
              <span className="text-right whitespace-nowrap text-ink-3">{choice.note}</span>
            ) : null}
          </label>
        </div>
      ))}
      {choices.length === 0 ? <p className="text-sm text-ink-3">None available.</p> : null}
    </fieldset>
  );
}
