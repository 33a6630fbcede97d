import { REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import type { TimeContext } from "@/lib/contract/time-context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import { listWaitingChangesOf, type WaitingChangeView } from "@/lib/views/policies/list-waiting-changes-of";
import type { TimedReading } from "@/lib/views/reading";

/** Data of a hook. Its secret is not stored. */
export interface HookFactsView {
  /** The last four characters of its secret. */
  secretLast4: string;
  approvalRequired: boolean;
  createdByName: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** The page that lets a program start a rule. */
export interface RuleHookView {
  rule: { id: string; name: string; href: string; state: "ACTIVE" | "PAUSED" | "INACTIVE" };
  /** The hook's address; it contains no secret. */
  url: string;
  /** Null: no program may start this rule. */
  hook: HookFactsView | null;
  /** Running it without approval, while that waits for signatures. */
  waiting: WaitingChangeView[];
  requestsPerMinute: number;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

interface HookPageRow {
  name: string;
  isActive: boolean;
  isPaused: boolean;
  secretLast4: string | null;
  approvalRequired: boolean | null;
  createdByName: string | null;
  createdAt: Date | null;
  lastUsedAt: Date | null;
}

/** What the page of a rule's webhook shows; null if the organization has no such rule. Any member may read it. */
export async function readHookPage(
  { services, context, time }: TimedReading<"pool" | "appUrl">,
  ruleId: string,
): Promise<RuleHookView | null> {
  const { rows } = await services.pool.query<HookPageRow>({
    name: "read_hook_page",
    text: `
      select r.name, r.active_version is not null as "isActive", r.paused_at is not null as "isPaused",
          h.secret_last4 as "secretLast4", h.approval_required as "approvalRequired", u.name as "createdByName",
          h.created_at as "createdAt", h.last_used_at as "lastUsedAt"
        from rules r
        left join rule_hooks h on h.organization_id = r.organization_id and h.rule_id = r.id
        left join users u on u.id = h.created_by
       where r.organization_id = $1 and r.id = $2 and r.deleted_at is null`,
    values: [context.organizationId, ruleId],
  });
  const row = rows[0];
  if (!row) return null;
  const state = row.isPaused ? "PAUSED" : row.isActive ? "ACTIVE" : "INACTIVE";
  return {
    rule: { id: ruleId, name: row.name, href: `/rules/${ruleId}`, state },
    url: `${services.appUrl}/hooks/rules/${ruleId}`,
    hook: toFacts(row),
    waiting: await listWaitingChangesOf({ services, context }, ["HOOK_APPROVAL"], ruleId),
    requestsPerMinute: REQUESTS_PER_MINUTE,
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

function toFacts(row: HookPageRow) {
  if (row.secretLast4 === null || row.approvalRequired === null || row.createdAt === null) return null;
  return {
    secretLast4: row.secretLast4,
    approvalRequired: row.approvalRequired,
    createdByName: row.createdByName ?? "",
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}

/** Whether the organization has a rule with this ID, including deleted ones. */
export async function hasRule(database: Queryable, organizationId: string, ruleId: string): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "has_rule",
    text: "select from rules where organization_id = $1 and id = $2",
    values: [organizationId, ruleId],
  });
  return rowCount === 1;
}
