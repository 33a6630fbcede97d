import { parseCents } from "@/lib/contract/format-cents";

/** Longest text in the command palette, in characters; more would not narrow the search. */
export const MAXIMUM_QUERY_LENGTH = 100;

/** Ids begin with their time, so fewer characters would match everything. */
const MINIMUM_ID_DIGITS = 4;
const ID_DIGITS = 32;

const WHOLE_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const BEGINNING_OF_ID = /^[0-9a-f]{4}[0-9a-f-]{0,32}$/i;

/** What a text in the palette may mean: always a name, also an amount or an id if it reads as one. */
export interface SearchQuery {
  /** Lower case, trimmed. */
  name: string;
  amountInCents: number | null;
  /** Every id with this prefix is between the two; for a whole id they are equal. */
  ids: { first: string; last: string } | null;
  /** Asks for what waits for a decision; the words narrow it to names. Null: it does not. */
  waiting: string[] | null;
}

/** What people type who look for what waits for them. */
const WAITING_WORDS = [
  "approve",
  "approvals",
  "deny",
  "decide",
  "decisions",
  "proposals",
  "pending",
  "waiting",
];
/** Fewer letters begin too many names. */
const MINIMUM_WAITING_LETTERS = 3;

/** Parses what was typed or pasted: `Taxes`, `$4,250.00`, an id, its prefix, or an address containing an id. */
export function readSearchQuery(text: string): SearchQuery {
  const trimmed = text.slice(0, MAXIMUM_QUERY_LENGTH).trim();
  const amountInCents = parseCents(trimmed);
  return {
    name: trimmed.toLowerCase(),
    amountInCents: amountInCents === 0 ? null : amountInCents,
    ids: readIds(trimmed),
    waiting: readWaiting(trimmed.toLowerCase()),
  };
}

/** `appr`, `approve taxes`, `pending` */
function readWaiting(text: string): string[] | null {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const asksForIt = (word: string) =>
    word.length >= MINIMUM_WAITING_LETTERS && WAITING_WORDS.some((known) => known.startsWith(word));
  return words.some(asksForIt) ? words.filter((word) => !asksForIt(word)) : null;
}

function readIds(text: string): SearchQuery["ids"] {
  const whole = WHOLE_ID.exec(text)?.[0].toLowerCase();
  if (whole) return { first: whole, last: whole };
  if (!BEGINNING_OF_ID.test(text)) return null;
  const digits = text.replaceAll("-", "").toLowerCase();
  if (digits.length < MINIMUM_ID_DIGITS || digits.length > ID_DIGITS) return null;
  return { first: toId(digits.padEnd(ID_DIGITS, "0")), last: toId(digits.padEnd(ID_DIGITS, "f")) };
}

function toId(digits: string): string {
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([start, end]) => digits.slice(start, end))
    .join("-");
}
