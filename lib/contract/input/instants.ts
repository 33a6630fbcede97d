import { z } from "zod";

/**
 * Instants and dates that callers write: the years 1970 to 9999 of UTC. A zone can push an instant out of them
 * (`9999-12-31T23:59:59-23:59`), and then it could not be returned as a date-time.
 */

const YEAR = "(?:19[7-9][0-9]|[2-9][0-9]{3})";
/** Multiples of four, and of a hundred only with four hundred. */
const LEAP_YEAR =
  "(?:19(?:7[26]|8[048]|9[26])|[2-9][0-9](?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[3579][26])00)";
const DATE = [
  `${YEAR}-(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])`,
  `${YEAR}-(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)`,
  `${YEAR}-02-(?:0[1-9]|1[0-9]|2[0-8])`,
  `${LEAP_YEAR}-02-29`,
].join("|");
const HOUR_AND_MINUTE = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";
const TIME = `${HOUR_AND_MINUTE}:[0-5][0-9](?:\\.[0-9]+)?`;

const DATE_PATTERN = `^(?:${DATE})$`;
/** Behind UTC, the first day of 1970 begins on the day before. */
const DAY_OF_INSTANT = `${DATE}|1969-12-31`;
const INSTANT_PATTERN = `^(?:${DAY_OF_INSTANT})T${TIME}(?:Z|[+-]${HOUR_AND_MINUTE})$`;

export const YEARS_PROBLEM = "must be in the years 1970 to 9999 of UTC";

/** Whether a date-time can be returned as one: a stored one may date from before these bounds. */
export function isInstantInBounds(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 1970 && year <= 9999;
}

const isDateInBounds = (text: string): boolean => text >= "1970-01-01" && text <= "9999-12-31";

const datetime = (error: string) => z.iso.datetime({ offset: true, error, abort: true });

/** A date-time with its zone, as stored: in any year. */
export const anyInstantText = datetime("must be an ISO 8601 date-time with a zone");

/** A date-time with its zone, from a caller. */
export const instantText = anyInstantText
  .refine(isInstantInBounds, { message: YEARS_PROBLEM, abort: true })
  .meta({ pattern: INSTANT_PATTERN });

/** The same where a caller may also write a date, which became a date-time before (`withInstants`). */
export const dateOrInstantText = datetime("must be an ISO 8601 date, or a date-time with a zone").refine(
  isInstantInBounds,
  { message: YEARS_PROBLEM, abort: true },
);

/** What callers may write there, in place of the one format that is parsed. */
export const DATE_OR_INSTANT = {
  format: undefined,
  pattern: undefined,
  anyOf: [
    { type: "string", format: "date-time", pattern: INSTANT_PATTERN },
    { type: "string", format: "date", pattern: DATE_PATTERN },
  ],
};

/** A calendar date, from a caller. */
export const dateText = z.iso
  .date({ error: "must be a date like 2026-11-20", abort: true })
  .refine(isDateInBounds, { message: "must be in the years 1970 to 9999" })
  .meta({ pattern: DATE_PATTERN });
