"use client";

import { useId } from "react";
import { RowSluice } from "@/components/sluice/row-sluice";
import { formatShortDay } from "@/components/time/format-instant";
import { InputField } from "@/components/ui/field";
import { FieldError } from "@/components/ui/field-error";
import { inputClass } from "@/components/ui/input-class";
import { SelectField } from "@/components/ui/select-field";
import { MONO } from "@/components/ui/text-styles";
import { formatCents, parseCents } from "@/lib/contract/format-cents";
import {
  ACH_LABEL,
  MAXIMUM_DESCRIPTION_LENGTH,
  MAXIMUM_REASON_FOR_APPROVAL_LENGTH,
  MAXIMUM_TRANSFER_IN_CENTS,
  MINIMUM_TRANSFER_IN_CENTS,
} from "@/lib/contract/limits";
import type { MoveDraft } from "@/lib/contract/move";
import type { TimeContext } from "@/lib/contract/time-context";
import type { MoveAccountView } from "@/lib/views/transfers/read-move-page";
import { namesToChoose } from "@/lib/words/names-to-choose";

/** The form's raw field values. */
export interface MoveFields {
  amount: string;
  sourceId: string;
  destinationId: string;
  label: string;
  note: string;
}

/** Problems with the entered values; an empty field is not a problem yet. */
interface MoveProblems {
  amount: string | null;
  label: string | null;
}

export function problemsOf({ amount, label }: MoveFields): MoveProblems {
  return { amount: amount.trim() === "" ? null : amountProblem(amount), label: labelProblem(label) };
}

function amountProblem(amount: string): string | null {
  const cents = parseCents(amount);
  if (cents === null || cents > MAXIMUM_TRANSFER_IN_CENTS) return "Enter an amount like $2,500.00.";
  return cents < MINIMUM_TRANSFER_IN_CENTS
    ? `Enter at least ${formatCents(MINIMUM_TRANSFER_IN_CENTS)}.`
    : null;
}

function labelProblem(label: string): string | null {
  return label === "" || ACH_LABEL.test(label) ? null : "Use up to 10 letters, digits and spaces.";
}

/** The draft from the fields; null while a field is missing or invalid. */
export function toDraft(draftId: string, fields: MoveFields): MoveDraft | null {
  const amountInCents = parseCents(fields.amount);
  if (amountInCents === null || amountProblem(fields.amount) !== null) return null;
  if (labelProblem(fields.label) !== null || fields.sourceId === "" || fields.destinationId === "")
    return null;
  return {
    draftId,
    sourceAccountId: fields.sourceId,
    destinationAccountId: fields.destinationId,
    amountInCents,
    achLabel: fields.label.trim() === "" ? null : fields.label,
    note: fields.note.trim() === "" ? null : fields.note.trim(),
  };
}

/** Possible destinations: not the source itself, and not from outside to outside. */
function destinationsOf(accounts: readonly MoveAccountView[], sourceId: string): MoveAccountView[] {
  const source = accounts.find(({ id }) => id === sourceId);
  return accounts.filter(({ id, isOutside }) => id !== sourceId && !(source?.isOutside && isOutside));
}

interface MoveFormProps {
  accounts: MoveAccountView[];
  fields: MoveFields;
  problems: MoveProblems;
  time: TimeContext;
  onChange: (changes: Partial<MoveFields>) => void;
}

/** Amount, route, then labels. Enter does not submit: moving money takes its own button. */
export function MoveForm({ accounts, fields, problems, time, onChange }: MoveFormProps) {
  const destinations = destinationsOf(accounts, fields.sourceId);
  const nameOf = namesToChoose(accounts);
  const chooseSource = (sourceId: string) => {
    const isStillThere = destinationsOf(accounts, sourceId).some(({ id }) => id === fields.destinationId);
    onChange({ sourceId, ...(!isStillThere && { destinationId: "" }) });
  };
  return (
    <form method="post" className="grid gap-6" onSubmit={(event) => event.preventDefault()} noValidate>
      <AmountField
        value={fields.amount}
        error={problems.amount}
        hint={canGiveWords(
          accounts.find(({ id }) => id === fields.sourceId),
          time,
        )}
        onChange={(amount) => onChange({ amount })}
      />
      <div className="grid grid-cols-[minmax(0,1fr)_48px_minmax(0,1fr)] items-end gap-4 [&>svg]:mb-3 max-sm:grid-cols-1 max-sm:[&>svg]:my-0 max-sm:[&>svg]:mx-auto max-sm:[&>svg]:rotate-90">
        <SelectField
          label="From"
          value={fields.sourceId}
          onChange={(event) => chooseSource(event.target.value)}
          options={[
            CHOOSE,
            ...accounts
              .filter(({ canGive }) => canGive)
              .map((account) => ({
                value: account.id,
                label:
                  account.cannotGive === null
                    ? sourceLabel(account, nameOf(account.id))
                    : `${nameOf(account.id)}, ${account.cannotGive}`,
                isDisabled: account.cannotGive !== null,
              })),
          ]}
        />
        <RowSluice state="queued" />
        <SelectField
          label="To"
          value={fields.destinationId}
          onChange={(event) => onChange({ destinationId: event.target.value })}
          options={[
            CHOOSE,
            ...destinations.map((account) => ({
              value: account.id,
              label:
                account.cannotTake === null
                  ? destinationLabel(account, nameOf(account.id))
                  : `${nameOf(account.id)}, ${account.cannotTake}`,
              isDisabled: account.cannotTake !== null,
            })),
          ]}
        />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_48px_minmax(0,1fr)] items-start gap-4 [&>svg]:mb-3 max-sm:grid-cols-1 max-sm:[&>svg]:my-0 max-sm:[&>svg]:mx-auto max-sm:[&>svg]:rotate-90 max-sm:[&>span:empty]:hidden">
        <LabelField value={fields.label} error={problems.label} onChange={(label) => onChange({ label })} />
        <span />
        <InputField
          label={
            <>
              Note for your team <span className="font-normal text-ink-3">optional</span>
            </>
          }
          maxLength={MAXIMUM_REASON_FOR_APPROVAL_LENGTH}
          autoComplete="off"
          value={fields.note}
          onChange={(event) => onChange({ note: event.target.value })}
        />
      </div>
    </form>
  );
}

const CHOOSE = { value: "", label: "Choose an account" };

/** `Operating, $18,371.55` */
function sourceLabel({ availableInCents }: MoveAccountView, name: string): string {
  return `${name}, ${availableInCents === null ? "balance unknown" : formatCents(availableInCents)}`;
}

function destinationLabel({ kind, isOutside }: MoveAccountView, name: string): string {
  if (kind === "LIABILITY") return `${name}, owed`;
  return isOutside ? `${name}, outside` : name;
}

/** `First Harbor Checking has $6,204.18 available as of 18 Nov.` */
function canGiveWords(source: MoveAccountView | undefined, time: TimeContext): string {
  if (!source) return "Choose the source account.";
  const { name, availableInCents, balanceAt } = source;
  if (availableInCents === null) return `The balance of ${name} is unknown: its bank has not reported it.`;
  const since = balanceAt === null ? "" : ` as of ${formatShortDay(balanceAt, time)}`;
  return `${name} has ${formatCents(Math.max(0, availableInCents))} available${since}.`;
}

interface TypedFieldProps {
  value: string;
  error: string | null;
  onChange: (value: string) => void;
}

function AmountField({ value, error, hint, onChange }: TypedFieldProps & { hint: string }) {
  const id = useId();
  return (
    <div className="field grid gap-1.5 [&>label]:text-[14px] [&>label]:font-semibold">
      <label htmlFor={id}>How much</label>
      <div
        className={
          error
            ? "flex items-baseline gap-0.5 max-w-105 pb-1.5 border-b border-red focus-within:border-teal focus-within:[box-shadow:0_1px_0_var(--color-teal)] [&_input]:w-full [&_input]:min-w-0 [&_input]:p-0 [&_input]:border-0 [&_input]:bg-transparent [&_input]:tracking-[-0.03em] [&_input]:text-inherit [&_input]:[font:330_64px/68px_var(--font-figures)] [&_input]:outline-none [&_span]:tracking-[-0.03em] [&_span]:[font:330_64px/68px_var(--font-figures)] [&_input]:placeholder:text-ink-3 [&_input]:placeholder:opacity-100 max-sm:[&_input]:text-3xl/14 max-sm:[&_span]:text-3xl/14"
            : "flex items-baseline gap-0.5 max-w-105 pb-1.5 border-b border-edge focus-within:border-teal focus-within:[box-shadow:0_1px_0_var(--color-teal)] [&_input]:w-full [&_input]:min-w-0 [&_input]:p-0 [&_input]:border-0 [&_input]:bg-transparent [&_input]:tracking-[-0.03em] [&_input]:text-inherit [&_input]:[font:330_64px/68px_var(--font-figures)] [&_input]:outline-none [&_span]:tracking-[-0.03em] [&_span]:[font:330_64px/68px_var(--font-figures)] [&_input]:placeholder:text-ink-3 [&_input]:placeholder:opacity-100 max-sm:[&_input]:text-3xl/14 max-sm:[&_span]:text-3xl/14"
        }
      >
        <span aria-hidden="true">$</span>
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          maxLength={24}
          placeholder="0.00"
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      <p className="text-sm text-ink-3" id={`${id}-hint`}>
        {hint}
      </p>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
    </div>
  );
}

function LabelField({ value, error, onChange }: TypedFieldProps) {
  const id = useId();
  return (
    <div className="field grid gap-1.5 [&>label]:text-[14px] [&>label]:font-semibold">
      <label htmlFor={id}>
        ACH label <span className="font-normal text-ink-3">optional</span>
      </label>
      <div className={inputClass({ of: "box", invalid: error !== null })}>
        <input
          id={id}
          className={`${MONO} flex-1 min-w-0 border-0 bg-transparent outline-none`}
          maxLength={MAXIMUM_DESCRIPTION_LENGTH}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-hint ${id}-count${error ? ` ${id}-error` : ""}`}
          onChange={(event) => onChange(event.target.value)}
        />
        <span className="text-sm text-ink-3 whitespace-nowrap" id={`${id}-count`}>
          {value.length} of {MAXIMUM_DESCRIPTION_LENGTH}
        </span>
      </div>
      <p className="text-sm text-ink-3" id={`${id}-hint`}>
        Shown on bank statements. Letters, digits, spaces.
      </p>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
    </div>
  );
}
