import type { z } from "zod";

type RawIssue = z.core.$ZodRawIssue;

/** For a field that no schema knows; the same for every transport. */
export const UNKNOWN_FIELD = "is not a field of this operation";
/** For a value that has none of several shapes, unless its schema says it better. */
export const NO_SHAPE = "has none of the allowed shapes";

/**
 * Words for every problem whose schema has none of its own: zod's default ("Too big: expected array to have <=3 items") is
 * written for its programmer. Pass it as `error` to `safeParse`; what a schema says wins.
 */
export const schemaWords = (issue: RawIssue): string | undefined => {
  switch (issue.code) {
    case "invalid_type":
      return typeWords(issue.expected, issue.input);
    case "invalid_value":
      return choiceWords(issue.values);
    case "too_big":
      return mostWords(issue);
    case "too_small":
      return leastWords(issue);
    case "invalid_format":
      return FORMAT_WORDS[issue.format] ?? "is not in the form of this field";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return UNKNOWN_FIELD;
    case "invalid_union":
      return NO_SHAPE;
    case "invalid_key":
    case "invalid_element":
      return "has an entry that is not allowed";
    default:
      return undefined;
  }
};

const KIND_WORDS: Readonly<Record<string, string>> = {
  array: "a list",
  object: "an object",
  record: "an object",
  number: "a number",
  int: "a whole number",
  string: "a text",
  boolean: "true or false",
  null: "null",
};

/** What a value must be, and what programs often send instead. */
function typeWords(expected: string, input: unknown): string {
  const wanted = `must be ${KIND_WORDS[expected] ?? `of type ${expected}`}`;
  if (typeof input === "string" && (expected === "array" || expected === "object")) {
    return `${wanted}: give JSON, not a string`;
  }
  if (typeof input === "string" && (expected === "number" || expected === "int")) {
    return `${wanted}, not a string`;
  }
  return Array.isArray(input) ? `${wanted}, not a list` : wanted;
}

function choiceWords(values: readonly unknown[]): string {
  return values.length === 1 ? `must be ${values.join()}` : `must be one of ${values.map(String).join(", ")}`;
}

type Bound<Code extends RawIssue["code"]> = Extract<RawIssue, { code: Code }>;

function mostWords({ origin, maximum, inclusive }: Bound<"too_big">): string {
  if (isCounted(origin)) return `must have at most ${countWords(maximum, origin)}`;
  return inclusive === false ? `must be below ${maximum}` : `must be at most ${maximum}`;
}

function leastWords({ origin, minimum, inclusive }: Bound<"too_small">): string {
  if (origin === "string" && Number(minimum) === 1) return "must not be empty";
  if (isCounted(origin)) return `must have at least ${countWords(minimum, origin)}`;
  return inclusive === false ? `must be above ${minimum}` : `must be at least ${minimum}`;
}

const isCounted = (origin: string): boolean => ["string", "array", "set", "map", "file"].includes(origin);

function countWords(count: number | bigint, origin: string): string {
  const one = origin === "string" ? "character" : "item";
  return `${count} ${one}${Number(count) === 1 ? "" : "s"}`;
}

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  uuid: "must be a UUID",
  guid: "must be a UUID",
  email: "must be an email address",
  url: "must be an address that begins with https://",
  datetime: "must be an ISO 8601 date-time with a zone",
  date: "must be a date like 2026-11-20",
  time: "must be a time of day like 09:00",
};
