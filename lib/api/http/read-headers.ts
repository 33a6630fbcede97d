import type { IncomingRequest } from "@/lib/api/http/pipeline";
import { type CallerFields, checkCallerFields } from "@/lib/api/operations/caller-fields";

const NAMES = { idempotencyKey: "idempotency-key", calledReason: "x-called-reason" };

/**
 * The two headers that callers choose. `idempotency-key` is looked at on operations that change state only.
 * @throws AppError `INVALID_PARAMETERS`
 */
export function readHeaders(request: Pick<IncomingRequest, "header">, isIdempotent: boolean): CallerFields {
  const calledReason = request.header(NAMES.calledReason);
  return checkCallerFields(
    {
      idempotencyKey: isIdempotent ? request.header(NAMES.idempotencyKey) : undefined,
      calledReason: calledReason === undefined ? undefined : decodeHeader(calledReason),
    },
    NAMES,
  );
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
