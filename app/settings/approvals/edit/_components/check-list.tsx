"use client";

import { CHECKBOX } from "@/components/ui/choice-class";

interface CheckListProps {
  label: string;
  choices: readonly { value: string; label: string; under?: string }[];
  values: readonly string[];
  /** At least one stays chosen. */
  onChoose: (values: string[]) => void;
}

/** Several of several; the last one cannot be taken away. */
export function CheckList({ label, choices, values, onChoose }: CheckListProps) {
  return (
    <fieldset className="min-w-0 max-h-80 my-0 -mx-2 p-0 border-0 overflow-y-auto">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice, index) => {
        const isChosen = values.includes(choice.value);
        return (
          <div key={choice.value}>
            {choice.under && choice.under !== choices[index - 1]?.under ? (
              <p className="px-2 pt-2 pb-0.5 text-[13px] text-ink-3">{choice.under}</p>
            ) : null}
            <label className="grid grid-cols-[18px_minmax(0,1fr)] items-center gap-2.5 min-h-8.5 py-1.5 px-2 rounded-md wrap-anywhere cursor-pointer hover:bg-hover max-sm:min-h-11">
              <input
                type="checkbox"
                className={CHECKBOX}
                checked={isChosen}
                onChange={() => {
                  const next = isChosen
                    ? values.filter((value) => value !== choice.value)
                    : [...values, choice.value];
                  if (next.length > 0) onChoose(next);
                }}
              />
              <span>{choice.label}</span>
            </label>
          </div>
        );
      })}
      {choices.length === 0 ? <p className="text-sm text-ink-3">None available.</p> : null}
    </fieldset>
  );
}
