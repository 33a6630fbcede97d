import { AppError } from "@/lib/contract/error";
import { MAXIMUM_CALLED_REASON_LENGTH } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";
import type { IncomingRequest } from "@/lib/doors/http/pipeline";

/** Specification, Part 4, "Common headers and parameters". */
const IDEMPOTENCY_KEY = /^[A-Za-z0-9._:/|-]{1,36}$/;
const calledReasonSchema = plainText(MAXIMUM_CALLED_REASON_LENGTH);

/**
 * The two headers that callers choose. `idempotency-key` is looked at on operations that change state only.
 * @throws AppError `INVALID_PARAMETERS`
 */
export function readHeaders(
  request: Pick<IncomingRequest, "header">,
  isIdempotent: boolean,
): { calledReason: string | null; idempotencyKey: string | null } {
  const idempotencyKey = isIdempotent ? (request.header("idempotency-key") ?? null) : null;
  if (idempotencyKey !== null && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    refuse("idempotency-key", "must be 1 to 36 letters, digits and . _ : / | - (a UUID v4 is best)");
  }
  const sentReason = request.header("x-called-reason");
  if (sentReason === undefined) return { calledReason: null, idempotencyKey };
  const calledReason = calledReasonSchema.safeParse(decodeHeader(sentReason));
  if (!calledReason.success) {
    refuse("x-called-reason", calledReason.error.issues[0]?.message ?? "is not valid");
  }
  return { calledReason: calledReason.data, idempotencyKey };
}

/** HTTP gives header bytes as Latin-1; callers write UTF-8. */
function decodeHeader(value: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    // Not UTF-8, so it was Latin-1 that the caller meant.
    return value;
  }
}

function refuse(field: string, message: string): never {
  throw new AppError("INVALID_PARAMETERS", `${field}: ${message}.`, [{ field, message }]);
}
