"use client";

import { CircleAlert, FlaskConical, Send } from "lucide-react";
import { type FormEvent, useId } from "react";
import { useKeyMemory } from "@/components/docs/key-memory";
import { TrialAnswerView, type TrialExample } from "@/components/docs/trial-answer";
import { namesAccount, TrialFields } from "@/components/docs/trial-fields";
import { useAccounts } from "@/components/docs/use-accounts";
import { KEY_FIELD, type TrialTarget, useTrial } from "@/components/docs/use-trial";
import { Button } from "@/components/ui/button";

/** Makes a real call to this installation with the reader's own key. */
export function TryIt({ example, ...target }: TrialTarget & { example: TrialExample }) {
  const { method, trial } = target;
  const { values, setValue, isDryRun, setDryRun, problem, state, send } = useTrial(target);
  const { accounts, loadAccounts, isLoading, hasFailed } = useAccounts(target.basePath);
  const dryRunId = useId();
  const isDry = trial.dryRunField !== null && isDryRun;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  return (
    <>
      <section aria-labelledby={`${dryRunId}-title`}>
        <div className="code-h">
          <h2 className="h3" id={`${dryRunId}-title`}>
            Try it
          </h2>
          <span className="meta">A real call, with your key</span>
        </div>
        {/* No address to go to: without its script the form sends nothing, so a key never gets into one. */}
        <form method="post" className="try" onSubmit={submit} noValidate>
          <KeyField problem={problem?.field === KEY_FIELD ? problem.problem : null} />
          {trial.fields.some(namesAccount) ? (
            <p className="try-a">
              <Button kind="outlined" size="small" busy={isLoading} onClick={() => void loadAccounts()}>
                Choose from my accounts
              </Button>
              <span className="meta" role="status">
                {hasFailed
                  ? "This key does not list accounts."
                  : accounts
                    ? `${accounts.length} accounts`
                    : ""}
              </span>
            </p>
          ) : null}
          <TrialFields
            fields={trial.fields}
            values={values}
            accounts={accounts}
            problem={problem}
            onChange={setValue}
          />
          {trial.dryRunField ? (
            <div className="field">
              <label htmlFor={dryRunId}>Dry run</label>
              <input
                id={dryRunId}
                type="checkbox"
                className="box"
                checked={isDryRun}
                onChange={(event) => setDryRun(event.target.checked)}
              />
            </div>
          ) : null}
          {method !== "GET" && !isDry ? (
            <p className="hint">
              This is for real: it changes your organization, and with a key that asks for no approval it
              moves money.
            </p>
          ) : null}
          <Button kind="primary" type="submit" wide busy={state.kind === "SENDING"}>
            {isDry ? <FlaskConical className="ic" /> : <Send className="ic" />}
            {state.kind === "SENDING" ? "Sending" : sendLabel(method, isDry)}
          </Button>
        </form>
      </section>
      <TrialAnswerView state={state} isWrite={method !== "GET"} example={example} />
    </>
  );
}

function sendLabel(method: string, isDry: boolean): string {
  if (isDry) return "Send as a dry run";
  return method === "GET" ? "Send" : "Send for real";
}

function KeyField({ problem }: { problem: string | null }) {
  const { key, setKey } = useKeyMemory();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>API key</label>
      <input
        id={id}
        // Not a password field: password managers offer to keep those.
        className={problem ? "in in-sm try-k err" : "in in-sm try-k"}
        value={key}
        placeholder="sluice_…"
        autoComplete="off"
        data-1p-ignore
        data-lpignore="true"
        spellCheck={false}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => setKey(event.target.value.trim())}
      />
      <span className="hint" id={`${id}-hint`}>
        Stays in this tab's memory: not stored, not in the address.
      </span>
      {problem ? (
        <span className="errmsg" role="alert">
          <CircleAlert className="ic" />
          {problem}
        </span>
      ) : null}
    </div>
  );
}
