import { AppError } from "@/lib/contract/error";
import type { RuleExecution } from "@/lib/contract/rules/execution";
import { EXECUTION_SUMMARY_COLUMNS, type ExecutionRow, toExecution } from "@/lib/core/rules/execution-row";
import { findRule } from "@/lib/core/rules/find-rule";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

/**
 * One run of a rule with what became of its transfers; without amounts of accounts that the key may not read.
 * @throws AppError `RULE_NOT_FOUND`, `ACCESS_DENIED`, `RULE_EXECUTION_NOT_FOUND` (also for a run of another rule).
 */
export async function getRuleExecution(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  input: { ruleId: string; executionId: string },
): Promise<RuleExecution> {
  const { rules } = requirePermission(context.actor, "READ_RULES");
  await findRule(services.pool, context, rules, input.ruleId);
  const { rows } = await services.pool.query<ExecutionRow>({
    name: "get_rule_execution",
    // A returned transfer did complete; a cancelled or denied one never will.
    text: `
      select ${EXECUTION_SUMMARY_COLUMNS}, e.trigger_details, e.step_index_matched, e.conditions_not_met,
          e.transfers_attempted, e.error_message, e.next_attempt_at, e.rule_version, e.base, e.facts, e.plan,
          (select v.definition -> 'trigger' from rule_versions v where v.organization_id = e.organization_id
            and v.rule_id = e.rule_id and v.version = e.rule_version) as trigger,
          count(*) filter (where t.status in ('COMPLETE', 'RETURNED'))::int as transfers_completed,
          count(*) filter (where t.status in ('FAILED', 'CANCELLED', 'APPROVAL_DENIED'))::int as transfers_failed,
          count(*) filter (where t.status in ('PROCESSING', 'APPROVAL_PENDING'))::int as transfers_pending,
          coalesce(array_agg(t.id::text order by t.id) filter (where t.id is not null), '{}') as transfer_ids
        from rule_executions e
        left join transfers t on t.organization_id = e.organization_id and t.rule_execution_id = e.id
       where e.organization_id = $1 and e.rule_id = $2 and e.id = $3
       group by e.organization_id, e.id`,
    values: [context.organizationId, input.ruleId, input.executionId],
  });
  if (!rows[0]) {
    throw new AppError(
      "RULE_EXECUTION_NOT_FOUND",
      `The rule ${input.ruleId} has no execution ${input.executionId}.`,
    );
  }
  return toExecution(rows[0], context.actor, services.appUrl);
}
