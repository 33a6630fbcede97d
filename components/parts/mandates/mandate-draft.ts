import { formatCents, parseCents } from "@/lib/contract/format-cents";
import type { MandatePeriod, MandateTerms } from "@/lib/contract/mandates/mandate";

/** The form of a mandate while it is filled in: amounts, numbers and dates as typed; empty: no limit. */
export interface MandateDraft {
  sourceAccountIds: string[];
  destinationAccountIds: string[];
  minimum: string;
  maximum: string;
  day: string;
  week: string;
  month: string;
  thirtyDays: string;
  total: string;
  maximumUses: string;
  period: MandatePeriod | "";
  periodUses: string;
  daysApart: string;
  from: string;
  until: string;
  keeps: string;
  purpose: string;
}

export type DraftField = keyof MandateDraft;
export type DraftProblems = Partial<Record<DraftField, string>>;

/** One field in which something can be typed. */
export type TextField = Exclude<DraftField, "sourceAccountIds" | "destinationAccountIds" | "period">;

const AMOUNTS = {
  minimum: "minimumInCents",
  maximum: "maximumInCents",
  day: "dayInCents",
  week: "weekInCents",
  month: "monthInCents",
  thirtyDays: "thirtyDaysInCents",
  total: "totalInCents",
  keeps: "keepsInCents",
} as const;
type AmountField = keyof typeof AMOUNTS;
const AMOUNT_FIELDS = Object.keys(AMOUNTS).filter((field): field is AmountField => field in AMOUNTS);

export function draftOf(terms: MandateTerms): MandateDraft {
  const amount = (cents: number | null) => (cents === null ? "" : formatCents(cents));
  const number = (count: number | null | undefined) => (count == null ? "" : String(count));
  return {
    sourceAccountIds: terms.sourceAccountIds,
    destinationAccountIds: terms.destinationAccountIds,
    minimum: amount(terms.minimumInCents),
    // Zero: not written yet.
    maximum: amount(terms.maximumInCents || null),
    day: amount(terms.dayInCents),
    week: amount(terms.weekInCents),
    month: amount(terms.monthInCents),
    thirtyDays: amount(terms.thirtyDaysInCents),
    total: amount(terms.totalInCents),
    maximumUses: number(terms.maximumUses),
    period: terms.recurrence?.period ?? "",
    periodUses: number(terms.recurrence?.atMost),
    daysApart: number(terms.recurrence?.daysApart),
    from: terms.from,
    until: terms.until,
    keeps: amount(terms.keepsInCents),
    purpose: terms.purpose ?? "",
  };
}

/** What the fields mean; only of a draft without problems. The server checks it again, and whether it is wider than asked. */
export function termsOf(draft: MandateDraft): MandateTerms {
  return {
    sourceAccountIds: chosen(draft.sourceAccountIds),
    destinationAccountIds: chosen(draft.destinationAccountIds),
    minimumInCents: centsOf(draft.minimum),
    maximumInCents: centsOf(draft.maximum) ?? 0,
    dayInCents: centsOf(draft.day),
    weekInCents: centsOf(draft.week),
    monthInCents: centsOf(draft.month),
    thirtyDaysInCents: centsOf(draft.thirtyDays),
    totalInCents: centsOf(draft.total),
    maximumUses: numberOf(draft.maximumUses),
    recurrence:
      draft.period === ""
        ? null
        : {
            period: draft.period,
            atMost: numberOf(draft.periodUses) ?? 1,
            daysApart: numberOf(draft.daysApart),
          },
    from: draft.from,
    until: draft.until,
    keepsInCents: centsOf(draft.keeps),
    purpose: draft.purpose.trim() === "" ? null : draft.purpose.trim(),
  };
}

const chosen = (ids: readonly string[]) => [...new Set(ids.filter((id) => id !== ""))];
const isEmpty = (typed: string) => typed.trim() === "";
const centsOf = (typed: string) => (isEmpty(typed) ? null : parseCents(typed));
const numberOf = (typed: string) => (isEmpty(typed) ? null : Number(typed));

/** What is wrong, by field. Empty: it can be sent. */
export function draftProblems(draft: MandateDraft, maximumUses: number): DraftProblems {
  const problems: DraftProblems = {};
  if (chosen(draft.sourceAccountIds).length === 0) problems.sourceAccountIds = "Choose an account.";
  if (chosen(draft.destinationAccountIds).length === 0)
    problems.destinationAccountIds = "Choose where it may go.";
  else if (draft.destinationAccountIds.some((id) => id !== "" && draft.sourceAccountIds.includes(id))) {
    problems.destinationAccountIds = "Money cannot go where it comes from.";
  }
  for (const field of AMOUNT_FIELDS) {
    if (!isEmpty(draft[field]) && centsOf(draft[field]) === null)
      problems[field] = "Enter an amount like 350.00.";
  }
  if (isEmpty(draft.maximum)) problems.maximum = "Enter the most that one transfer may move.";
  const [least, most] = [centsOf(draft.minimum), centsOf(draft.maximum)];
  if (least !== null && most !== null && least > most)
    problems.minimum = "This is more than the most at a time.";
  for (const field of ["maximumUses", "periodUses", "daysApart"] as const) {
    if (!isEmpty(draft[field]) && !/^[1-9]\d{0,3}$/.test(draft[field].trim())) {
      problems[field] = `Enter a number from 1 to ${maximumUses.toLocaleString("en-US")}.`;
    }
  }
  if (draft.period !== "" && isEmpty(draft.periodUses)) problems.periodUses = "Enter how often.";
  for (const field of ["from", "until"] as const) if (draft[field] === "") problems[field] = "Enter a date.";
  if (draft.from !== "" && draft.until !== "" && draft.from > draft.until) {
    problems.until = "It must not end before it begins.";
  }
  return problems;
}

/** The field of a problem that the server found: `terms.maximumInCents`. */
export function draftFieldOf(path: string): DraftField {
  const name = path.split(".").find((part) => part in FIELD_OF);
  return FIELD_OF[name ?? ""] ?? "maximum";
}

const FIELD_OF: Readonly<Record<string, DraftField>> = {
  sourceAccountIds: "sourceAccountIds",
  destinationAccountIds: "destinationAccountIds",
  maximumUses: "maximumUses",
  recurrence: "periodUses",
  from: "from",
  until: "until",
  purpose: "purpose",
  ...Object.fromEntries(AMOUNT_FIELDS.map((field) => [AMOUNTS[field], field])),
};
