import type { AuditAction, AuditOutcome } from "@/lib/contract/audit-log";
import type { ErrorCode } from "@/lib/contract/error";

/** URL state of the log; undefined filters nothing. Dates are calendar days in the organization's zone. */
export interface AuditSearch {
  caller?: string | undefined;
  action?: AuditAction | undefined;
  outcome?: AuditOutcome | undefined;
  error?: ErrorCode | undefined;
  request?: string | undefined;
  /** Part of a reason, the caller's or that of the refusal. */
  q?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The position in the list, and which entry is open. */
export interface AuditPlace {
  entry?: string | undefined;
  before?: string | undefined;
  after?: string | undefined;
}

/** The address of the log with this search and position. */
export function auditHref(search: AuditSearch, place: AuditPlace = {}, base = "/audit"): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...search, ...place })) {
    if (value !== undefined) parameters.set(name, value);
  }
  return parameters.size === 0 ? base : `${base}?${parameters}`;
}
