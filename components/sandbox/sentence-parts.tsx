import { useId } from "react";
import type { SandboxChoice } from "@/lib/contract/views/sandbox-view";

/** A word of the sentence that opens a small control; a native one, so that every device has its own. */
export function ChoicePart({
  name,
  label,
  choices,
  value,
}: {
  name: string;
  label: string;
  choices: SandboxChoice[];
  /** Chosen to begin with; the first one unless told otherwise. */
  value?: string;
}) {
  return (
    // A new one where the value that it begins with has changed: a select keeps the one that it was made with.
    <select key={value} className="part" name={name} aria-label={label} defaultValue={value}>
      {choices.map((choice) => (
        <option key={choice.id} value={choice.id}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

/** Any name, with those that were there lately to choose from. */
export function NamePart({
  name,
  label,
  suggestions,
}: {
  name: string;
  label: string;
  suggestions: string[];
}) {
  const listId = useId();
  return (
    <>
      <input
        className="part part-t"
        name={name}
        aria-label={label}
        list={listId}
        defaultValue={suggestions[0] ?? ""}
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

/** An amount as a person writes it. */
export function AmountPart({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <input
      className="part part-a"
      name={name}
      aria-label={label}
      inputMode="decimal"
      defaultValue={value}
      required
    />
  );
}
