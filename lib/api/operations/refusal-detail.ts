import type { AppError, ErrorDetail } from "@/lib/contract/error";
import { REPLACEMENT, seenText } from "@/lib/contract/plain-text";
import { valueAt } from "@/lib/core/shared/input-paths";

const MAXIMUM_LENGTH = 300;
const MAXIMUM_VALUE_LENGTH = 40;
/** Of the problems of one request. */
const SHOWN_PROBLEMS = 3;

/**
 * Why a request was refused, for the people who read the audit log: each wrong field with the value that was sent,
 * `amountInCents 5: must be at least 100`. It cannot contain what PostgreSQL or a reader would trip over.
 * @param fields the request's input; null if it was not read
 * @returns null for an unexpected error, whose message says nothing about the request
 */
export function refusalDetail(
  refusal: AppError,
  fields: Readonly<Record<string, unknown>> | null,
): string | null {
  const { code, message, details } = refusal;
  if (code === "UNEXPECTED_ERROR") return null;
  const problems = details.slice(0, SHOWN_PROBLEMS).map((detail) => problemWords(detail, fields));
  const more = details.length - problems.length;
  const text =
    problems.length === 0 ? message : `${problems.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
  return shorten(seenText(text, REPLACEMENT), MAXIMUM_LENGTH);
}

function problemWords(
  { field, message }: ErrorDetail,
  fields: Readonly<Record<string, unknown>> | null,
): string {
  const value = valueWords(valueAt(fields, field.split(".")));
  return [value === null ? field : `${field} ${value}`, message].filter(Boolean).join(": ");
}

/** Null for what is missing, and for lists and objects, which would not fit. */
function valueWords(value: unknown): string | null {
  if (typeof value === "string") return JSON.stringify(shorten(value, MAXIMUM_VALUE_LENGTH));
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  return null;
}

function shorten(text: string, maximumLength: number): string {
  return text.length <= maximumLength ? text : `${text.slice(0, maximumLength - 1)}…`;
}
