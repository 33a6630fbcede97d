"use client";

import { useId } from "react";
import { partClass } from "@/components/parts/rules/sentence-class";
import type { SandboxChoice } from "@/lib/contract/sandbox";

/** A word of the sentence that opens a native control. */
export function ChoicePart({
  name,
  label,
  choices,
  value,
}: {
  name: string;
  label: string;
  choices: SandboxChoice[];
  /** Defaults to the first. */
  value?: string;
}) {
  return (
    // Keyed by value: an uncontrolled select keeps its initial value.
    <select
      key={value}
      className={partClass({ control: "select" })}
      name={name}
      aria-label={label}
      defaultValue={value}
    >
      {choices.map((choice) => (
        <option key={choice.id} value={choice.id}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

/** Any name, with recent ones as suggestions. */
export function NamePart({
  name,
  label,
  suggestions,
  fallback,
}: {
  name: string;
  label: string;
  suggestions: string[];
  /** In a new organization, so that the form works as it opens. */
  fallback: string;
}) {
  const listId = useId();
  return (
    <>
      <input
        className={`${partClass({ control: "field" })} w-[11em]`}
        name={name}
        aria-label={label}
        list={listId}
        defaultValue={suggestions[0] ?? fallback}
        maxLength={60}
        required
      />
      <datalist id={listId}>
        {suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
    </>
  );
}

export function AmountPart({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <input
      className={`${partClass({ control: "field" })} w-[8.5em]`}
      name={name}
      aria-label={label}
      inputMode="decimal"
      defaultValue={value}
      required
    />
  );
}
