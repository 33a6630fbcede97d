import { formatCents } from "@/lib/contract/format-cents";
import type { MandatePeriod, MandateTerms } from "@/lib/contract/mandates/mandate";
import type { Phrase } from "@/lib/contract/rules/rule-parts";
import type { WorstCase } from "@/lib/engine/mandates/worst-case";
import { dateWords } from "@/lib/words/rules/number-words";
import { asSentence, joinWords, key, say } from "@/lib/words/rules/phrases";

/** A limit that a sentence names; the page opens it for editing. */
export type MandatePart =
  | "AMOUNT"
  | "SOURCES"
  | "DESTINATIONS"
  | "DAY"
  | "WEEK"
  | "MONTH"
  | "THIRTY_DAYS"
  | "TOTAL"
  | "USES"
  | "RECURRENCE"
  | "DAYS_APART"
  | "FROM"
  | "UNTIL"
  | "BALANCE";

/** A piece of the sentence; null: words between the limits. */
export interface MandatePhrase {
  text: string;
  part: MandatePart | null;
}

/** Names of accounts and payees, by id. */
export type MandateNames = Readonly<Record<string, string>>;

interface SentenceSetting {
  names: MandateNames;
  /** `YYYY-MM-DD` in the mandate's zone. */
  today: string;
}

/**
 * The whole mandate without its subject, every limit a part: `may move $350.00 or less at a time from Operating to Redline
 * Print, up to $700.00 a day and $4,500.00 in all, at most 20 times, from today until Feb 28, 2027, while Operating holds at
 * least $10,000.00.` A first day that has passed is left out.
 */
export function mandateSentence(terms: MandateTerms, { names, today }: SentenceSetting): MandatePhrase[] {
  return [
    plain("may move "),
    part("AMOUNT", amountWords(terms)),
    plain(" at a time from "),
    part("SOURCES", accountsWords(terms.sourceAccountIds, names)),
    plain(" to "),
    part("DESTINATIONS", accountsWords(terms.destinationAccountIds, names)),
    ...listed(", up to ", "and", budgetParts(terms)),
    ...listed(", at most ", "and", countParts(terms)),
    ...daysApartPhrases(terms),
    plain(","),
    ...startPhrases(terms, today),
    plain(" until "),
    part("UNTIL", dateWords(terms.until)),
    ...balancePhrases(terms, names),
    plain("."),
  ];
}

export const mandateText = (phrases: readonly MandatePhrase[]) => phrases.map(({ text }) => text).join("");

const plain = (text: string): MandatePhrase => ({ text, part: null });
const part = (name: MandatePart, text: string): MandatePhrase => ({ text, part: name });

/** `$350.00 or less`, `$50.00 to $350.00`, `exactly $140.00`. */
function amountWords({ minimumInCents, maximumInCents }: MandateTerms): string {
  const most = formatCents(maximumInCents);
  if (minimumInCents === null) return `${most} or less`;
  return minimumInCents === maximumInCents ? `exactly ${most}` : `${formatCents(minimumInCents)} to ${most}`;
}

/** All of them: a limit that is signed is never shortened. */
export const accountsWords = (ids: readonly string[], names: MandateNames) =>
  joinWords(
    ids.map((id) => names[id] ?? "a removed account"),
    "or",
  );

/** `, up to a, b and c`. */
function listed(lead: string, conjunction: string, parts: readonly MandatePhrase[]): MandatePhrase[] {
  return parts.flatMap((each, place) => {
    if (place === 0) return [plain(lead), each];
    return [plain(place === parts.length - 1 ? ` ${conjunction} ` : ", "), each];
  });
}

function budgetParts(terms: MandateTerms): MandatePhrase[] {
  const budgets: [MandatePart, number | null, string][] = [
    ["DAY", terms.dayInCents, "a day"],
    ["WEEK", terms.weekInCents, "a week"],
    ["MONTH", terms.monthInCents, "a calendar month"],
    ["THIRTY_DAYS", terms.thirtyDaysInCents, "in any 30 days"],
    ["TOTAL", terms.totalInCents, "in all"],
  ];
  return budgets.flatMap(([name, amount, span]) =>
    amount === null ? [] : [part(name, `${formatCents(amount)} ${span}`)],
  );
}

function countParts({ recurrence, maximumUses }: MandateTerms): MandatePhrase[] {
  return [
    ...(recurrence
      ? [part("RECURRENCE", `${timesWords(recurrence.atMost)} ${EACH[recurrence.period]}`)]
      : []),
    ...(maximumUses === null
      ? []
      : [part("USES", `${timesWords(maximumUses)}${recurrence ? " in all" : ""}`)]),
  ];
}

const EACH: Record<MandatePeriod, string> = { DAY: "a day", WEEK: "a week", MONTH: "a calendar month" };

/** `once`, `20 times`. */
export const timesWords = (count: number) => (count === 1 ? "once" : `${count} times`);
/** `1 day`, `7 days`. */
export const dayCountWords = (days: number) => (days === 1 ? "1 day" : `${days} days`);

function daysApartPhrases({ recurrence }: MandateTerms): MandatePhrase[] {
  const daysApart = recurrence?.daysApart ?? null;
  if (daysApart === null) return [];
  return [plain(", at least "), part("DAYS_APART", `${dayCountWords(daysApart)} apart`)];
}

function startPhrases({ from }: MandateTerms, today: string): MandatePhrase[] {
  if (from < today) return [];
  return [plain(" from "), part("FROM", from === today ? "today" : dateWords(from))];
}

function balancePhrases(terms: MandateTerms, names: MandateNames): MandatePhrase[] {
  if (terms.keepsInCents === null) return [];
  const [only, ...others] = terms.sourceAccountIds;
  const source = only === undefined || others.length > 0 ? "the source" : (names[only] ?? "the source");
  return [plain(", while "), part("BALANCE", `${source} holds at least ${formatCents(terms.keepsInCents)}`)];
}

/** `Redline Print, up to $350.00 at a time`. */
export const mandateTitle = (terms: MandateTerms, names: MandateNames) =>
  `${accountsWords(terms.destinationAccountIds, names)}, up to ${formatCents(terms.maximumInCents)} at a time`;

/** In a row of a list: `$350.00 at a time, $700.00 a day`; `$140.00 once a calendar month`. */
export function mandateBrief(terms: MandateTerms): string {
  const most = formatCents(terms.maximumInCents);
  const [budget] = budgetParts(terms);
  const [count] = countParts(terms);
  if (budget) return `${most} at a time, ${budget.text}`;
  return count ? `${most} ${count.text}` : `${most} at a time`;
}

/**
 * `At most $700.00 in a day, $1,500.00 in a calendar month, $3,000.00 in any 30 days and $4,500.00 in all, only to Redline
 * Print, until Feb 28, 2027.` A stretch that says nothing beyond another is left out.
 */
export function worstCaseSentence(terms: MandateTerms, worst: WorstCase, names: MandateNames): Phrase[] {
  const spans = worstSpans(worst);
  const amounts = spans.flatMap((span, place): Phrase[] => {
    if (place === 0) return [key(span)];
    return [say(place === spans.length - 1 ? " and " : ", "), key(span)];
  });
  return asSentence([
    say("at most "),
    ...amounts,
    say(", only to "),
    key(accountsWords(terms.destinationAccountIds, names)),
    say(", until "),
    key(dateWords(terms.until)),
    say("."),
  ]);
}

/** Of stretches with the same amount, the longest says it all. */
function worstSpans(worst: WorstCase): string[] {
  const { dayInCents, weekInCents, monthInCents, thirtyDaysInCents, totalInCents } = worst;
  const rolling: [number, string][] =
    thirtyDaysInCents === monthInCents ? [] : [[thirtyDaysInCents, "in any 30 days"]];
  const longestFirst: [number, string][] = [
    ...rolling,
    [monthInCents, "in a calendar month"],
    [weekInCents, "in a week"],
    [dayInCents, "in a day"],
  ];
  const spans = [`${formatCents(totalInCents)} in all`];
  let least = totalInCents;
  for (const [amount, span] of longestFirst) {
    // A month of 31 days may hold more than 30 days do.
    const isTighter = span === "in a calendar month" ? amount < totalInCents : amount < least;
    if (!isTighter) continue;
    spans.unshift(`${formatCents(amount)} ${span}`);
    least = Math.min(least, amount);
  }
  return spans;
}

/** On a narrow bar: `At worst $1,500.00 in a calendar month, $4,500.00 in all`. */
export function worstCaseBrief({ monthInCents, totalInCents }: WorstCase): string {
  const all = `${formatCents(totalInCents)} in all`;
  return monthInCents < totalInCents
    ? `At worst ${formatCents(monthInCents)} in a calendar month, ${all}`
    : `At worst ${all}`;
}

/** One limit of a mandate, with or without a value. */
export interface MandateLimitRow {
  part: MandatePart;
  label: string;
  /** Null: no such limit. */
  value: string | null;
}

/** Every limit in the order of the sentence. */
export function mandateRows(terms: MandateTerms, names: MandateNames): MandateLimitRow[] {
  const { recurrence, maximumUses, keepsInCents } = terms;
  const cents = (amount: number | null) => (amount === null ? null : formatCents(amount));
  const daysApart = recurrence?.daysApart ?? null;
  return [
    { part: "AMOUNT", label: "At a time", value: amountWords(terms) },
    { part: "SOURCES", label: "From", value: accountsWords(terms.sourceAccountIds, names) },
    { part: "DESTINATIONS", label: "To", value: accountsWords(terms.destinationAccountIds, names) },
    { part: "DAY", label: "A day", value: cents(terms.dayInCents) },
    { part: "WEEK", label: "A week", value: cents(terms.weekInCents) },
    { part: "MONTH", label: "A calendar month", value: cents(terms.monthInCents) },
    { part: "THIRTY_DAYS", label: "In any 30 days", value: cents(terms.thirtyDaysInCents) },
    { part: "TOTAL", label: "In all", value: cents(terms.totalInCents) },
    { part: "USES", label: "Uses", value: maximumUses === null ? null : timesWords(maximumUses) },
    {
      part: "RECURRENCE",
      label: "How often",
      value: recurrence ? `${timesWords(recurrence.atMost)} ${EACH[recurrence.period]}` : null,
    },
    { part: "DAYS_APART", label: "Days apart", value: daysApart === null ? null : dayCountWords(daysApart) },
    { part: "FROM", label: "First day", value: dateWords(terms.from) },
    { part: "UNTIL", label: "Last day", value: dateWords(terms.until) },
    { part: "BALANCE", label: "Source holds at least", value: cents(keepsInCents) },
  ];
}

export interface MandateChange {
  part: MandatePart;
  label: string;
  was: string | null;
  now: string | null;
}

/** The limits that differ between what was asked for and what people sign. */
export function mandateChanges(
  asked: MandateTerms,
  terms: MandateTerms,
  names: MandateNames,
): MandateChange[] {
  const now = mandateRows(terms, names);
  return mandateRows(asked, names).flatMap(({ part: name, label, value }, place) => {
    const after = now[place]?.value ?? null;
    return after === value ? [] : [{ part: name, label, was: value, now: after }];
  });
}
