import type { RuleExecutionStatus } from "@/lib/contract/rules/execution";
import type { ExecutionMode } from "@/lib/contract/transfer";
import type { RuleRunView } from "@/lib/contract/views/rule-view";
import { runHref } from "@/lib/core/rules/rule-hrefs";
import type { Queryable } from "@/lib/platform/db/transaction";

const RECENT_RUNS = 10;

interface Row {
  id: string;
  rule_version: number;
  status: RuleExecutionStatus;
  execution_mode: ExecutionMode;
  trigger: RuleRunView["trigger"];
  moved_in_cents: number;
  created_at: Date;
}

/** The latest runs of a rule, dry runs too, newest first, with what they move together. */
export async function listRecentRuns(
  database: Queryable,
  organizationId: string,
  ruleId: string,
): Promise<RuleRunView[]> {
  const { rows } = await database.query<Row>({
    name: "list_recent_rule_runs",
    text: `
      select e.id, e.rule_version, e.status, e.execution_mode, e.trigger_details ->> 'type' as trigger, e.created_at,
          coalesce(moved.in_cents, 0)::bigint as moved_in_cents
        from (select * from rule_executions where organization_id = $1 and rule_id = $2
               order by id desc limit $3) e
        cross join lateral (
          select sum(t.amount_in_cents) as in_cents from transfers t
           where t.organization_id = $1 and t.rule_execution_id = e.id
             and t.status in ('PROCESSING', 'COMPLETE')) moved
       order by e.id desc`,
    values: [organizationId, ruleId, RECENT_RUNS],
  });
  return rows.map((row) => ({
    id: row.id,
    version: row.rule_version,
    status: row.status,
    mode: row.execution_mode,
    trigger: row.trigger,
    movedInCents: row.moved_in_cents,
    at: row.created_at.toISOString(),
    href: runHref(ruleId, row.id),
  }));
}
