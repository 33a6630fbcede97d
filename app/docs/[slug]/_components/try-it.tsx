"use client";

import { FlaskConical, Send } from "lucide-react";
import { type FormEvent, useId } from "react";
import {
  KEY_FIELD,
  type NamedAccount,
  type TrialState,
  type TrialTarget,
  useAccounts,
  useKeyMemory,
  useTrial,
} from "@/app/docs/_components/use-trial";
import { Button } from "@/components/ui/button";
import { CHECKBOX } from "@/components/ui/choice-class";
import { CodeBox } from "@/components/ui/code-box";
import { FieldError } from "@/components/ui/field-error";
import { inputClass } from "@/components/ui/input-class";
import { Note } from "@/components/ui/note";
import { MONO } from "@/components/ui/text-styles";
import type { TrialField } from "@/lib/contract/reference";

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
        <div className="flex items-center justify-between gap-4 min-h-10">
          <h2 className="text-base font-semibold" id={`${dryRunId}-title`}>
            Try it
          </h2>
          <span className="text-sm text-ink-3">A real call, with your key</span>
        </div>
        {/* Without an action: unscripted, the form sends nothing, so the key never enters a URL. */}
        <form
          method="post"
          className="grid gap-3 pt-3.5 border-t border-rule-strong [&_.button[type='submit']]:whitespace-normal [&_textarea.input]:font-mono [&_textarea.input]:text-[12.5px] max-sm:[&_.input]:min-h-11 max-sm:[&_.input]:text-[16px] [&_.field]:grid-cols-[160px_minmax(0,1fr)] [&_.field]:items-center [&_.field_>_label]:font-mono [&_.field_>_label]:text-[12.5px] [&_.field_>_label]:font-normal [&_.field_>_label]:wrap-anywhere max-sm:[&_.field]:grid-cols-1 [&_.notice]:col-span-full"
          onSubmit={submit}
          noValidate
        >
          <KeyField problem={problem?.field === KEY_FIELD ? problem.problem : null} />
          {trial.fields.some(namesAccount) ? (
            <p className="flex items-center gap-3">
              <Button kind="outlined" size="small" busy={isLoading} onClick={() => void loadAccounts()}>
                Choose from my accounts
              </Button>
              <span className="text-sm text-ink-3" role="status">
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
            <div className="field grid gap-1.5 [&>label]:text-[14px] [&>label]:font-semibold">
              <label htmlFor={dryRunId}>Dry run</label>
              <input
                id={dryRunId}
                type="checkbox"
                className={`${CHECKBOX} checked:after:h-1.25 checked:after:w-2.25 checked:after:-translate-y-px checked:after:-rotate-45 checked:after:border-b-2 checked:after:border-l-2 checked:after:border-on-teal checked:after:content-['']`}
                checked={isDryRun}
                onChange={(event) => setDryRun(event.target.checked)}
              />
            </div>
          ) : null}
          {method !== "GET" && !isDry ? (
            <p className="col-span-full text-sm text-ink-3">
              This is a live call: it changes your organization, and with a key that needs no approval it
              moves money.
            </p>
          ) : null}
          <Button kind="primary" type="submit" wide busy={state.kind === "SENDING"}>
            {isDry ? <FlaskConical /> : <Send />}
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
    <div className="field grid gap-1.5 [&>label]:text-[14px] [&>label]:font-semibold">
      <label htmlFor={id}>API key</label>
      <input
        id={id}
        // Not a password field: password managers would offer to save it.
        className={`${inputClass({ size: "small", invalid: problem !== null })} [-webkit-text-security:disc]`}
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
      <span className="col-span-full text-sm text-ink-3" id={`${id}-hint`}>
        Kept in this tab's memory only; never stored or put in a URL.
      </span>
      {problem ? <FieldError>{problem}</FieldError> : null}
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
      <div className="flex items-center justify-between gap-4 min-h-10">
        <h2 className="text-base font-semibold" id="answer-title">
          Answer
        </h2>
        <p className="text-sm text-ink-3" role="status">
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
        <dl className="font-mono tracking-[-0.01em] grid grid-cols-[max-content_minmax(0,1fr)] gap-y-0.5 gap-x-4 mt-3 text-xs/4.5 [&>div]:contents [&_dt]:text-ink-3 [&_dd]:wrap-anywhere">
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
        <span className={MONO}>{example.status}</span>, an example
      </>
    );
  }
  const { status, errorCode, milliseconds } = state.answer;
  return (
    <>
      <span className={MONO}>{errorCode ? `${status} ${errorCode}` : status}</span> in {milliseconds} ms
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
  const look = (of: "input" | "select" | "textarea") =>
    inputClass({ of, size: "small", invalid: problem !== null });
  const shared = {
    id,
    value,
    "aria-invalid": problem ? true : undefined,
    "aria-describedby": problem ? errorId : undefined,
    "aria-required": field.isRequired || undefined,
  };
  return (
    <div className="field grid gap-1.5 [&>label]:text-[14px] [&>label]:font-semibold">
      <label htmlFor={id}>{field.name}</label>
      {choices.length > 0 ? (
        <select {...shared} className={look("select")} onChange={(event) => onChange(event.target.value)}>
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
          className={look("textarea")}
          rows={8}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          {...shared}
          className={look("input")}
          placeholder={field.placeholder}
          inputMode={field.kind === "NUMBER" ? "numeric" : undefined}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {problem ? <FieldError id={errorId}>{problem}</FieldError> : null}
    </div>
  );
}

function emptyLabel(field: TrialField): string {
  if (namesAccount(field)) return "Choose an account";
  return field.placeholder ? `Default: ${field.placeholder}` : "Left out";
}
