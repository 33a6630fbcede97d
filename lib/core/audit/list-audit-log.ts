import type { AuditAction, AuditLogEntry, AuditOutcome } from "@/lib/contract/audit-log";
import { type DateWindow, type Page, toPage, toWindow, type WindowedRequest } from "@/lib/contract/page";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import { firstIdAt, lastIdAt } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

interface AuditLogFilter {
  apiKeyId?: string | undefined;
  action?: AuditAction | undefined;
  outcome?: AuditOutcome | undefined;
  errorCode?: string | undefined;
  requestId?: string | undefined;
}

interface AuditLogRequest extends WindowedRequest {
  filter: AuditLogFilter;
}

interface AuditLogPage extends Page<AuditLogEntry> {
  window: ReturnType<typeof toWindow>;
}

interface EntryRow extends Omit<AuditLogEntry, "createdAt"> {
  createdAt: Date;
}

/**
 * The organization's audit log, newest first.
 * @throws AppError `ACCESS_DENIED` for a key without `READ_AUDIT_LOGS`.
 */
export async function listAuditLog(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  request: AuditLogRequest,
): Promise<AuditLogPage> {
  requirePermission(context.actor, "READ_AUDIT_LOGS");
  const { rows } = await services.pool.query<EntryRow>(listQuery(context.organizationId, request));
  return { ...toPage(rows, request, toEntry), window: toWindow(request.window) };
}

/**
 * Skipped pages are counted in an index alone, so the thousandth page costs little more than the first. Unnamed, so that
 * PostgreSQL plans for these filters: a generic plan would have to suit a key with one entry and one with millions.
 * `offset 0` keeps the lookup per row, where a join might read the whole log.
 */
function listQuery(organizationId: string, { filter, window, page, pageSize }: AuditLogRequest) {
  const values: unknown[] = [organizationId, ...idRange(window), pageSize + 1, (page - 1) * pageSize];
  const conditions = [
    ["api_key_id", filter.apiKeyId],
    ["action", filter.action],
    ["outcome", filter.outcome],
    ["error_code", filter.errorCode],
    ["request_id", filter.requestId],
  ]
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => `and ${column} = $${values.push(value)}`);
  const text = `
    with page as materialized (
      select id from audit_entries
       where organization_id = $1 and id between $2 and $3 ${conditions.join(" ")}
       order by id desc limit $4 offset $5)
    select entry.*
      from page
      cross join lateral (
        select e.id, e.created_at as "createdAt", e.api_key_id as "apiKeyId", e.api_key_name as "apiKeyName", e.path,
               e.action, e.reason, e.request_id as "requestId", e.outcome, e.error_code as "errorCode"
          from audit_entries e where e.organization_id = $1 and e.id = page.id offset 0) entry
     order by entry.id desc`;
  return { text, values };
}

/** An entry's id begins with the millisecond of its `createdAt`: the window is a range of ids. */
const idRange = ({ from, to }: DateWindow): [string, string] => [firstIdAt(from), lastIdAt(to)];

const toEntry = (row: EntryRow): AuditLogEntry => ({ ...row, createdAt: row.createdAt.toISOString() });
