import type { Actor, Context } from "@/lib/core/shared/context";
import { newId } from "@/lib/platform/ids";

/** One line of the audit log: an authenticated request (specification, Part 2, "Audit log entry"). */
export interface AuditEntry {
  organizationId: string;
  id: string;
  createdAt: string;
  apiKeyId: string;
  apiKeyName: string;
  method: string;
  path: string;
  action: string | null;
  reason: string | null;
  requestId: string;
  outcome: "SUCCESS" | "FAILURE";
  errorCode: string | null;
  /** The wrong fields and values of a refused request. */
  errorDetail: string | null;
}

/** @param context also for a caller that is not an `Actor`, such as a hook */
export function auditEntry(
  context: Pick<Context, "organizationId" | "now" | "requestId" | "calledReason"> & {
    actor: Pick<Actor, "id" | "name">;
  },
  request: { method: string; path: string; action: string | null },
  errorCode: string | null,
  errorDetail: string | null = null,
): AuditEntry {
  return {
    organizationId: context.organizationId,
    id: newId(context.now),
    createdAt: context.now.toISOString(),
    apiKeyId: context.actor.id,
    apiKeyName: context.actor.name,
    method: request.method,
    path: request.path,
    action: request.action,
    reason: context.calledReason,
    requestId: context.requestId,
    outcome: errorCode === null ? "SUCCESS" : "FAILURE",
    errorCode,
    errorDetail,
  };
}
