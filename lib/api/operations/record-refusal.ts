import { AppError } from "@/lib/contract/error";
import type { AuditWriter } from "@/lib/core/audit/audit-writer";
import { auditEntry } from "@/lib/core/shared/audit-entry";
import type { Services } from "@/lib/platform/services";

/** Who asked for what, as far as it was known when it was refused. */
export interface RefusedRequest {
  requestId: string;
  /** For the log. */
  operationId: string;
  /** Null where nobody was recognized: such requests are not in the audit log. */
  caller: Omit<Parameters<typeof auditEntry>[0], "requestId"> | null;
  method: string;
  path: string;
  auditAction: string | null;
  /** It is above the rate limit: the first of a minute is written, the rest are counted. */
  isAboveLimit: boolean;
}

/**
 * Writes a refused request into the audit log (decisions page: "a refused request's entry is written by itself").
 * @returns what to answer: the refusal, or a fault of ours told without its insides.
 */
export async function recordRefusal(
  services: Pick<Services, "log"> & { audit: AuditWriter },
  request: RefusedRequest,
  error: unknown,
): Promise<AppError> {
  const refusal = toRefusal(services, request, error);
  const { caller, requestId, method, path, auditAction } = request;
  if (!caller) return refusal;
  const entry = auditEntry({ ...caller, requestId }, { method, path, action: auditAction }, refusal.code);
  try {
    await (request.isAboveLimit ? services.audit.writeAboveLimit(entry) : services.audit.write(entry));
    return refusal;
  } catch (auditError) {
    return toRefusal(services, request, auditError);
  }
}

/** A fault of ours is logged whole and told without its insides. */
function toRefusal(
  services: Pick<Services, "log">,
  { requestId, operationId }: RefusedRequest,
  error: unknown,
): AppError {
  if (error instanceof AppError) return error;
  services.log.error({ err: error, requestId, operation: operationId }, "unexpected error");
  return new AppError(
    "UNEXPECTED_ERROR",
    `Something broke on our side. We do not know whether the request took effect: look it up, or retry with the same idempotency-key. Quote request ${requestId}.`,
  );
}
