import { CircleAlert, X } from "lucide-react";
import { useId } from "react";
import type { DraftProblem, ScopeDraft } from "@/components/keys/key-draft";

interface ScopePickerProps {
  label: string;
  scope: ScopeDraft;
  noun: "account" | "rule";
  /** What there is to pick from. */
  choices: readonly { id: string; name: string }[];
  problem: DraftProblem | undefined;
  onChange: (scope: ScopeDraft) => void;
}

/** All accounts or rules, also later ones, or only those that are picked. */
export function ScopePicker({ label, scope, noun, choices, problem, onChange }: ScopePickerProps) {
  const name = useId();
  const others = choices.filter((choice) => !scope.ids.includes(choice.id));
  const nameOf = (id: string) => choices.find((choice) => choice.id === id)?.name ?? "";
  return (
    <>
      <fieldset className="rads">
        <legend className="vh">{label}</legend>
        <label className="check">
          <input
            className="box radio"
            type="radio"
            name={name}
            checked={scope.isAll}
            onChange={() => onChange({ ...scope, isAll: true })}
          />
          All {noun}s
        </label>
        <label className="check">
          <input
            className="box radio"
            type="radio"
            name={name}
            checked={!scope.isAll}
            onChange={() => onChange({ ...scope, isAll: false })}
          />
          Only these
        </label>
      </fieldset>
      {scope.isAll ? null : (
        <div className="picks">
          {scope.ids.map((id) => (
            <button
              key={id}
              className="fchip on"
              type="button"
              onClick={() => onChange({ ...scope, ids: scope.ids.filter((other) => other !== id) })}
            >
              <span className="vh">Remove </span>
              {nameOf(id)}
              <X className="ic" />
            </button>
          ))}
          {others.length > 0 ? (
            <select
              className="in"
              aria-label={`${label}: add ${noun === "account" ? "an account" : "a rule"}`}
              value=""
              onChange={(event) => onChange({ ...scope, ids: [...scope.ids, event.target.value] })}
            >
              <option value="" disabled>
                Add
              </option>
              {others.map((choice) => (
                <option key={choice.id} value={choice.id}>
                  {choice.name}
                </option>
              ))}
            </select>
          ) : null}
          {choices.length === 0 ? <p className="meta">There are no {noun}s yet.</p> : null}
        </div>
      )}
      {problem ? (
        <p className="errmsg" role="alert">
          <CircleAlert className="ic" />
          {problem.message}
        </p>
      ) : null}
    </>
  );
}
