"use client";

import { CircleAlert, FlaskConical, Send } from "lucide-react";
import { type FormEvent, useId } from "react";
import {
  KEY_FIELD,
  type NamedAccount,
  type TrialState,
  type TrialTarget,
  useAccounts,
  useKeyMemory,
  useTrial,
} from "@/components/docs/use-trial";
import { Button } from "@/components/ui/button";
import { CodeBox } from "@/components/ui/code-box";
import { Note } from "@/components/ui/note";
import type { TrialField } from "@/lib/contract/views/reference-view";

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
        {/* Without an action: unscripted, the form sends nothing, so the key never enters a URL. */}
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
              This is a live call: it changes your organization, and with a key that needs no approval it
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
  return method === "GET" ? "Send" : "Send live";
}

function KeyField({ problem }: { problem: string | null }) {
  const { key, setKey } = useKeyMemory();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>API key</label>
      <input
        id={id}
        // Not a password field: password managers would offer to save it.
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
        Kept in this tab's memory only; never stored or put in a URL.
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

interface TrialAnswerProps {
  state: TrialState;
  isWrite: boolean;
  /** Shown until a call was made. */
  example: TrialExample;
}

interface TrialExample {
  status: number;
  text: string;
}

function TrialAnswerView({ state, isWrite, example }: TrialAnswerProps) {
  return (
    <section aria-labelledby="answer-title">
      <div className="code-h">
        <h2 className="h3" id="answer-title">
          Answer
        </h2>
        <p className="meta" role="status">
          <Fact state={state} example={example} />
        </p>
      </div>
      {state.kind === "NO_ANSWER" ? (
        <Note>
          No answer came.{" "}
          {isWrite ? "It may or may not have taken effect: check before you send it again." : "Try again."}
        </Note>
      ) : (
        <CodeBox label={state.kind === "ANSWERED" ? "The answer to your call" : "An example of an answer"}>
          <JsonText text={state.kind === "ANSWERED" ? state.answer.text : example.text} />
        </CodeBox>
      )}
      {state.kind === "ANSWERED" ? (
        <dl className="try-h mono">
          {state.answer.headers.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </section>
  );
}

function Fact({ state, example }: Pick<TrialAnswerProps, "state" | "example">) {
  if (state.kind === "SENDING") return "Sending";
  if (state.kind === "NO_ANSWER") return "None";
  if (state.kind === "READY") {
    return (
      <>
        <span className="mono">{example.status}</span>, an example
      </>
    );
  }
  const { status, errorCode, milliseconds } = state.answer;
  return (
    <>
      <span className="mono">{errorCode ? `${status} ${errorCode}` : status}</span> in {milliseconds} ms
    </>
  );
}

/** JSON with colored keys. */
function JsonText({ text }: { text: string }) {
  return text.split("\n").map((line, index) => {
    const [, indent = "", name, rest = ""] = /^(\s*)("(?:[^"\\]|\\.)*")(:.*)$/.exec(line) ?? [];
    const key = `${index} ${line}`;
    if (name === undefined) return `${line}\n`;
    return (
      <span key={key}>
        {indent}
        <b>{name}</b>
        {rest}
        {"\n"}
      </span>
    );
  });
}

interface TrialFieldsProps {
  fields: readonly TrialField[];
  values: Readonly<Record<string, string>>;
  /** Loaded on request. */
  accounts: readonly NamedAccount[] | null;
  problem: { field: string; problem: string } | null;
  onChange: (name: string, value: string) => void;
}

function TrialFields({ fields, values, accounts, problem, onChange }: TrialFieldsProps) {
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

const namesAccount = ({ name }: TrialField): boolean => /accountId$/i.test(name);

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
