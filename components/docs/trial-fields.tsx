"use client";

import { CircleAlert } from "lucide-react";
import { useId } from "react";
import type { NamedAccount } from "@/components/docs/use-accounts";
import type { TrialField } from "@/lib/contract/views/reference-view";

interface TrialFieldsProps {
  fields: readonly TrialField[];
  values: Readonly<Record<string, string>>;
  /** The reader's own, once they asked for them. */
  accounts: readonly NamedAccount[] | null;
  problem: { field: string; problem: string } | null;
  onChange: (name: string, value: string) => void;
}

/** A control per field of the operation. */
export function TrialFields({ fields, values, accounts, problem, onChange }: TrialFieldsProps) {
  return fields.map((field) => (
    <TrialControl
      key={field.name}
      field={field}
      value={values[field.name] ?? ""}
      choices={choicesOf(field, accounts)}
      problem={problem?.field === field.name ? problem.problem : null}
      onChange={(value) => onChange(field.name, value)}
    />
  ));
}

/** Whether a field names an account, by the API's way of calling such fields. */
export const namesAccount = ({ name }: TrialField): boolean => /accountId$/i.test(name);

function choicesOf(field: TrialField, accounts: readonly NamedAccount[] | null): Choice[] {
  if (accounts && namesAccount(field)) return accounts.map(({ id, name }) => ({ value: id, label: name }));
  return field.kind === "LIST" ? [] : field.choices.map((choice) => ({ value: choice, label: choice }));
}

interface Choice {
  value: string;
  label: string;
}

interface TrialControlProps {
  field: TrialField;
  choices: readonly Choice[];
  value: string;
  problem: string | null;
  onChange: (value: string) => void;
}

function TrialControl({ field, choices, value, problem, onChange }: TrialControlProps) {
  const id = useId();
  const errorId = `${id}-error`;
  const shared = {
    id,
    value,
    className: problem ? "in in-sm err" : "in in-sm",
    "aria-invalid": problem ? true : undefined,
    "aria-describedby": problem ? errorId : undefined,
    "aria-required": field.isRequired || undefined,
  };
  return (
    <div className="field">
      <label htmlFor={id}>{field.name}</label>
      {choices.length > 0 ? (
        <select {...shared} onChange={(event) => onChange(event.target.value)}>
          <option value="">{emptyLabel(field)}</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : field.kind === "JSON" ? (
        <textarea
          {...shared}
          rows={8}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          {...shared}
          placeholder={field.placeholder}
          inputMode={field.kind === "NUMBER" ? "numeric" : undefined}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {problem ? (
        <span className="errmsg" id={errorId} role="alert">
          <CircleAlert className="ic" />
          {problem}
        </span>
      ) : null}
    </div>
  );
}

function emptyLabel(field: TrialField): string {
  if (namesAccount(field)) return "Choose an account";
  return field.placeholder ? `Default: ${field.placeholder}` : "Left out";
}
