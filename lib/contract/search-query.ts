import { parseCents } from "@/lib/contract/format-cents";

/** What a person may type into the palette, in characters; more says nothing that less would not. */
export const MAXIMUM_QUERY_LENGTH = 100;

/** Fewer would be the beginning of everything: ids begin with their time. */
const MINIMUM_ID_DIGITS = 4;
const ID_DIGITS = 32;

const WHOLE_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const BEGINNING_OF_ID = /^[0-9a-f]{4}[0-9a-f-]{0,32}$/i;

/** What a text in the palette may mean: a name always, an amount and an id where it reads as one. */
export interface SearchQuery {
  /** In lower case, without space at its ends. */
  name: string;
  amountInCents: number | null;
  /** Every id that begins like this lies between the two; of a whole id they are the same. */
  ids: { first: string; last: string } | null;
}

/** Reads what was typed or pasted: `Taxes`, `$4,250.00`, an id, its beginning, or an address with an id in it. */
export function readSearchQuery(text: string): SearchQuery {
  const trimmed = text.slice(0, MAXIMUM_QUERY_LENGTH).trim();
  const amountInCents = parseCents(trimmed);
  return {
    name: trimmed.toLowerCase(),
    amountInCents: amountInCents === 0 ? null : amountInCents,
    ids: readIds(trimmed),
  };
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
