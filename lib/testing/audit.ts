import type { AuditEntry } from "@/lib/core/shared/audit-entry";
import { newId, newRequestId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** An entry as a request of some key leaves it, for tests of what becomes of entries. */
export function testEntry(
  services: Pick<Services, "clock">,
  organizationId: string,
  fields: Partial<AuditEntry> = {},
): AuditEntry {
  const now = services.clock.now();
  return {
    organizationId,
    id: newId(now),
    createdAt: now.toISOString(),
    apiKeyId: newId(now),
    apiKeyName: "claude-taxes",
    method: "GET",
    path: "/platform/v1/accounts",
    action: "LIST_ACCOUNTS",
    reason: null,
    requestId: newRequestId(),
    outcome: "SUCCESS",
    errorCode: null,
    ...fields,
  };
}

/** Writes entries in one statement, as the product does. */
export async function writeEntries(
  database: Pick<Services["pool"], "query">,
  entries: readonly AuditEntry[],
): Promise<void> {
  await database.query("select write_audit_entries($1)", [JSON.stringify(entries)]);
}
