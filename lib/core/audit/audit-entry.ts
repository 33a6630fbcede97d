import type { Context } from "@/lib/core/context";
import { newId } from "@/lib/platform/ids";

/** One line of the audit log: a request that got past authentication (specification, Part 2, "Audit log entry"). */
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
}

export function auditEntry(
  context: Context,
  request: { method: string; path: string; action: string | null },
  errorCode: string | null,
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
  };
}
