"use client";

import { CircleAlert } from "lucide-react";
import { useId } from "react";
import type { TrialField } from "@/lib/contract/views/reference-view";

interface TrialFieldsProps {
  fields: readonly TrialField[];
  values: Readonly<Record<string, string>>;
  problem: { field: string; problem: string } | null;
  onChange: (name: string, value: string) => void;
}

/** A control per field of the operation. */
export function TrialFields({ fields, values, problem, onChange }: TrialFieldsProps) {
  return fields.map((field) => (
    <TrialControl
      key={field.name}
      field={field}
      value={values[field.name] ?? ""}
      problem={problem?.field === field.name ? problem.problem : null}
      onChange={(value) => onChange(field.name, value)}
    />
  ));
}

interface TrialControlProps {
  field: TrialField;
  value: string;
  problem: string | null;
  onChange: (value: string) => void;
}

function TrialControl({ field, value, problem, onChange }: TrialControlProps) {
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
      {field.choices.length > 0 && field.kind !== "LIST" ? (
        <select {...shared} onChange={(event) => onChange(event.target.value)}>
          <option value="">{field.placeholder ? `Default: ${field.placeholder}` : "Left out"}</option>
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
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
