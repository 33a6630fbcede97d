"use client";

import { Plus, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { PageFoot } from "@/components/layout/page-head";
import { SECTION_HEAD } from "@/components/layout/section";
import {
  type DraftField,
  type DraftProblems,
  draftFieldOf,
  draftOf,
  draftProblems,
  type MandateDraft,
  type TextField,
  termsOf,
} from "@/components/parts/mandates/mandate-draft";
import { Button, buttonClass } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { FieldError } from "@/components/ui/field-error";
import { inputClass } from "@/components/ui/input-class";
import { Link } from "@/components/ui/link";
import { SelectField } from "@/components/ui/select-field";
import { SECTION_TITLE } from "@/components/ui/text-styles";
import type { MandatePeriod, MandateTerms } from "@/lib/contract/mandates/mandate";
import { formMessage, type Refused } from "@/lib/contract/refused";
import type { MandateFormView } from "@/lib/views/mandates/read-mandate-form";
import { namesToChoose } from "@/lib/words/names-to-choose";

interface MandateFormProps {
  view: MandateFormView;
  acting: { isBusy: boolean; refusal: Refused | null };
  onSend: (terms: MandateTerms) => void;
  button: { label: string; busyLabel: string };
  cancelHref: string;
}

/** What a key may do by itself, field by field. Each is a limit that Sluice enforces, except the purpose. */
export function MandateForm({ view, acting, onSend, button, cancelHref }: MandateFormProps) {
  const [draft, setDraft] = useState(() => draftOf(view.terms));
  const [hasTried, setHasTried] = useState(false);
  const edit = (change: Partial<MandateDraft>) => setDraft((before) => ({ ...before, ...change }));
  const problems = hasTried ? draftProblems(draft, view.limits.uses) : {};
  const found = problemsOfServer(acting.refusal);
  const shown = { ...found, ...problems };
  const field = (name: TextField, label: string, hint?: string): ReactNode => (
    <InputField
      id={name}
      label={label}
      hint={hint}
      autoComplete="off"
      value={draft[name]}
      error={shown[name] ?? null}
      onChange={(event) => edit({ [name]: event.target.value })}
      {...INPUT[name]}
      {...(name === "purpose" && { maxLength: view.limits.purposeLength })}
    />
  );
  const send = () => {
    setHasTried(true);
    if (Object.keys(draftProblems(draft, view.limits.uses)).length === 0) onSend(termsOf(draft));
  };
  return (
    <SendForm className="grid max-w-180 gap-11" isBusy={acting.isBusy} onSend={send}>
      <Part title="Where">
        <AccountList
          id="source"
          label="From"
          add="Add an account"
          ids={draft.sourceAccountIds}
          accounts={view.sources}
          maximum={view.limits.accounts}
          error={shown.sourceAccountIds ?? null}
          onChange={(sourceAccountIds) => edit({ sourceAccountIds })}
        />
        <AccountList
          id="destination"
          label="To"
          add="Add a payee or an account"
          ids={draft.destinationAccountIds}
          accounts={view.destinations}
          maximum={view.limits.accounts}
          error={shown.destinationAccountIds ?? null}
          onChange={(destinationAccountIds) => edit({ destinationAccountIds })}
        />
      </Part>
      <Part title="How much" fact="Empty: no limit of its own">
        {field("maximum", "At a time, at most")}
        {field("minimum", "At a time, at least")}
        {field("day", "In a day")}
        {field("week", "In a week", "From Monday.")}
        {field("month", "In a calendar month")}
        {field("thirtyDays", "In any 30 days")}
        {field("total", "In all")}
        {field("keeps", "While the source keeps", "Beside its floor, which counts anyway.")}
      </Part>
      <Part title="How often" fact="Empty: no limit of its own">
        {field(
          "maximumUses",
          "Times in all",
          `Without a number, at most ${view.limits.uses.toLocaleString("en-US")}.`,
        )}
        <SelectField
          label="And in each"
          value={draft.period}
          options={PERIODS}
          onChange={(event) => {
            const period = periodOf(event.target.value);
            edit(period === "" ? { period, periodUses: "", daysApart: "" } : { period });
          }}
        />
        {draft.period === "" ? null : (
          <>
            {field("periodUses", "Times at most")}
            {field("daysApart", "Days apart, at least", "Empty: also twice a day.")}
          </>
        )}
      </Part>
      <Part title="When and what for">
        {field("from", "First day")}
        {field("until", "Last day")}
        {/* The program's own words stay as they are. */}
        {view.asked ? null : (
          <div className="col-span-full">
            {field("purpose", "Purpose", "Not a limit: Sluice cannot check what a payment is for.")}
          </div>
        )}
      </Part>
      <div>
        <RefusalNote message={formMessage(acting.refusal)} />
        <PageFoot className="mt-0">
          <Button kind="primary" size="large" type="submit" busy={acting.isBusy}>
            {acting.isBusy ? button.busyLabel : button.label}
          </Button>
          <Link className={buttonClass({ kind: "quiet" })} href={cancelHref}>
            Cancel
          </Link>
        </PageFoot>
      </div>
    </SendForm>
  );
}

const MONEY = { inputMode: "decimal", maxLength: 24 } as const;
const COUNT = { inputMode: "numeric", maxLength: 4 } as const;
const DATE = { type: "date" } as const;
const INPUT: Readonly<Record<TextField, object>> = {
  minimum: MONEY,
  maximum: MONEY,
  day: MONEY,
  week: MONEY,
  month: MONEY,
  thirtyDays: MONEY,
  total: MONEY,
  keeps: MONEY,
  maximumUses: COUNT,
  periodUses: COUNT,
  daysApart: COUNT,
  from: DATE,
  until: DATE,
  purpose: {},
};

const PERIODS = [
  { value: "", label: "No recurrence" },
  { value: "DAY", label: "Day" },
  { value: "WEEK", label: "Week, from Monday" },
  { value: "MONTH", label: "Calendar month" },
];

function periodOf(value: string): MandatePeriod | "" {
  return value === "DAY" || value === "WEEK" || value === "MONTH" ? value : "";
}

function problemsOfServer(refusal: Refused | null): DraftProblems {
  const entries = Object.entries(refusal?.problems ?? {});
  return Object.fromEntries(
    entries.map(([path, problem]): [DraftField, string] => [draftFieldOf(path), problem]),
  );
}

function Part({ title, fact, children }: { title: string; fact?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id={id}>
          {title}
        </h2>
        {fact ? <p>{fact}</p> : null}
      </div>
      <div className="mt-5 grid grid-cols-2 items-start gap-x-6 gap-y-5 max-sm:grid-cols-1">{children}</div>
    </section>
  );
}

interface AccountListProps {
  /** Of its first line. */
  id: string;
  label: string;
  add: string;
  ids: readonly string[];
  accounts: MandateFormView["sources"];
  maximum: number;
  error: string | null;
  onChange: (ids: string[]) => void;
}

/** One or more accounts on one side. An empty line is none. */
function AccountList({ id: firstId, label, add, ids, accounts, maximum, error, onChange }: AccountListProps) {
  const legend = useId();
  const nameOf = namesToChoose(accounts);
  const lines = ids.length === 0 ? [""] : ids;
  const put = (place: number, id: string) => onChange(lines.map((other, at) => (at === place ? id : other)));
  return (
    <fieldset aria-describedby={error ? `${legend}-error` : undefined}>
      <legend className="text-[14px] font-semibold">{label}</legend>
      <ul className="mt-1.5 grid gap-2">
        {lines.map((id, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity than their place.
          <li key={place} className="flex gap-2">
            <select
              className={inputClass({ of: "select", invalid: error !== null })}
              id={place === 0 ? firstId : undefined}
              aria-label={lines.length === 1 ? label : `${label}, ${place + 1}`}
              value={id}
              onChange={(event) => put(place, event.target.value)}
            >
              <option value="">Choose</option>
              {accounts
                .filter((account) => account.id === id || !lines.includes(account.id))
                .map((account) => (
                  <option key={account.id} value={account.id}>
                    {nameOf(account.id)}
                    {account.isOutside ? ", outside" : ""}
                  </option>
                ))}
            </select>
            {lines.length > 1 ? (
              <Button
                kind="quiet"
                aria-label={`Remove ${label.toLowerCase()} ${place + 1}`}
                onClick={() => onChange(lines.filter((_, at) => at !== place))}
              >
                <X />
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {error ? <FieldError id={`${legend}-error`}>{error}</FieldError> : null}
      {lines.length < Math.min(maximum, accounts.length) && !lines.includes("") ? (
        <p className="mt-1 -ml-2.5">
          <Button kind="quiet" size="small" onClick={() => onChange([...lines, ""])}>
            <Plus />
            {add}
          </Button>
        </p>
      ) : null}
    </fieldset>
  );
}
