import type { Operation } from "@/lib/api/operations/operation";
import { parseSent } from "@/lib/api/operations/parse-sent";
import { AppError, type ErrorDetail } from "@/lib/contract/error";
import { MAXIMUM_CALLED_REASON_LENGTH, MAXIMUM_IDEMPOTENCY_KEY_LENGTH } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";
import { MAXIMUM_PROBLEMS } from "@/lib/core/shared/parse-input";

/** Specification, Part 4, "Common headers and parameters". */
const IDEMPOTENCY_KEY_PATTERN = new RegExp(`^[A-Za-z0-9._:/|-]{1,${MAXIMUM_IDEMPOTENCY_KEY_LENGTH}}$`);
const calledReasonSchema = plainText(MAXIMUM_CALLED_REASON_LENGTH);

/** What a caller may add to any call: headers over HTTP, arguments over MCP. */
export interface CallerFields {
  calledReason: string | null;
  idempotencyKey: string | null;
}

/** The two fields as far as they are valid, and what is wrong with the others. */
export interface ReadCallerFields extends CallerFields {
  problems: ErrorDetail[];
}

/**
 * Reads the two fields that callers choose. Null counts as absent: a strict function schema cannot leave a field out.
 * @param names as the caller knows them
 */
export function readCallerFields(
  sent: Record<keyof CallerFields, unknown>,
  names: Record<keyof CallerFields, string>,
): ReadCallerFields {
  const read: ReadCallerFields = { idempotencyKey: null, calledReason: null, problems: [] };
  const { idempotencyKey } = sent;
  if (isIdempotencyKey(idempotencyKey)) read.idempotencyKey = idempotencyKey;
  else if (idempotencyKey !== undefined && idempotencyKey !== null) {
    const message = "must be 1 to 36 letters, digits and . _ : / | - (a UUID v4 is best)";
    read.problems.push({ field: names.idempotencyKey, message });
  }
  if (sent.calledReason === undefined || sent.calledReason === null) return read;
  const calledReason = parseSent(calledReasonSchema, sent.calledReason);
  if ("data" in calledReason) read.calledReason = calledReason.data;
  else {
    const message = calledReason.problems[0]?.message ?? "is not valid";
    read.problems.push({ field: names.calledReason, message });
  }
  return read;
}

const isIdempotencyKey = (value: unknown): value is string =>
  typeof value === "string" && IDEMPOTENCY_KEY_PATTERN.test(value);

/**
 * One refusal for everything that is wrong with a request; its message names the first. It lists so many at most, because
 * a body has room for thousands.
 */
export function refusalOf(problems: readonly ErrorDetail[]): AppError {
  const first = problems[0];
  const message = first ? [first.field, first.message].filter(Boolean).join(": ") : "Invalid request";
  const more =
    problems.length > MAXIMUM_PROBLEMS ? ` There are more than the ${MAXIMUM_PROBLEMS} problems listed.` : "";
  return new AppError("INVALID_PARAMETERS", `${message}.${more}`, problems.slice(0, MAXIMUM_PROBLEMS));
}

/** A list as it arrives in a query: repeated, or separated with commas. */
export function splitList(values: readonly unknown[]): unknown[] {
  return values.flatMap((value): unknown[] => (typeof value === "string" ? value.split(",") : [value]));
}

/**
 * The ids in an operation's path.
 * @throws AppError the operation's own 404 for a malformed one
 */
export function readPathFields(
  operation: Operation,
  values: Record<string, unknown>,
): Record<string, unknown> {
  if (!operation.pathParameters) return {};
  const { schema, notFound } = operation.pathParameters;
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path[0];
  const code = typeof notFound === "string" ? notFound : notFound[String(field)];
  if (!code) throw new Error(`${operation.operationId} has no error for its path parameter ${String(field)}`);
  throw new AppError(code, "There is nothing with this id: ids are UUIDs.");
}
