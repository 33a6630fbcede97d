import { CircleAlert, X } from "lucide-react";
import { useId } from "react";
import type { DraftProblem, ScopeDraft } from "@/components/keys/key-draft";
import { accountName } from "@/components/keys/key-powers";
import type { KeyAccountView } from "@/lib/contract/views/keys-view";

interface ScopePickerProps {
  label: string;
  scope: ScopeDraft;
  accounts: readonly KeyAccountView[];
  problem: DraftProblem | undefined;
  onChange: (scope: ScopeDraft) => void;
}

/** All accounts, also later ones, or only those that are picked. */
export function ScopePicker({ label, scope, accounts, problem, onChange }: ScopePickerProps) {
  const name = useId();
  const others = accounts.filter((account) => !scope.ids.includes(account.id));
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
          All accounts
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
              {accountName(id, accounts)}
              <X className="ic" />
            </button>
          ))}
          {others.length > 0 ? (
            <select
              className="in"
              aria-label={`${label}: add an account`}
              value=""
              onChange={(event) => onChange({ ...scope, ids: [...scope.ids, event.target.value] })}
            >
              <option value="" disabled>
                Add
              </option>
              {others.map((account) => (
                <option key={account.id} value={account.id}>
                  {account.name}
                </option>
              ))}
            </select>
          ) : null}
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
