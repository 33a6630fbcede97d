import type { Operation } from "@/lib/api/operations/operation";
import { AppError } from "@/lib/contract/error";
import { MAXIMUM_CALLED_REASON_LENGTH } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";

/** Specification, Part 4, "Common headers and parameters". */
export const IDEMPOTENCY_KEY_PATTERN = /^[A-Za-z0-9._:/|-]{1,36}$/;
const calledReasonSchema = plainText(MAXIMUM_CALLED_REASON_LENGTH);

/** What a caller may add to any call: headers over HTTP, arguments over MCP. */
export interface CallerFields {
  calledReason: string | null;
  idempotencyKey: string | null;
}

/**
 * Checks the two fields that callers choose.
 * @param sent undefined: not sent
 * @param names as the caller knows them
 * @throws AppError `INVALID_PARAMETERS`
 */
export function checkCallerFields(
  sent: Record<keyof CallerFields, unknown>,
  names: Record<keyof CallerFields, string>,
): CallerFields {
  const idempotencyKey = sent.idempotencyKey ?? null;
  if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey)) {
    refuse(names.idempotencyKey, "must be 1 to 36 letters, digits and . _ : / | - (a UUID v4 is best)");
  }
  if (sent.calledReason === undefined) return { calledReason: null, idempotencyKey };
  const calledReason = calledReasonSchema.safeParse(sent.calledReason);
  if (!calledReason.success) {
    refuse(names.calledReason, calledReason.error.issues[0]?.message ?? "is not valid");
  }
  return { calledReason: calledReason.data, idempotencyKey };
}

const isIdempotencyKey = (value: unknown): value is string =>
  typeof value === "string" && IDEMPOTENCY_KEY_PATTERN.test(value);

function refuse(field: string, message: string): never {
  throw new AppError("INVALID_PARAMETERS", `${field}: ${message}.`, [{ field, message }]);
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
