import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import type { RuleExecutionStatus, RuleExecutionSummary } from "@/lib/contract/rules/execution";
import {
  EXECUTION_SUMMARY_COLUMNS,
  type ExecutionSummaryRow,
  toExecutionSummary,
} from "@/lib/core/rules/execution-row";
import { findRule } from "@/lib/core/rules/find-rule";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

export interface ListRuleExecutionsInput extends PageRequest {
  ruleId: string;
  executionMode: "ALL" | "LIVE" | "SIMULATION";
  status: RuleExecutionStatus | null;
  /** On `createdAt`, both inclusive. */
  from: Date | null;
  to: Date | null;
}

/**
 * The runs of one rule, newest first; also of one that was deleted since.
 * @throws AppError `RULE_NOT_FOUND`, `ACCESS_DENIED`.
 */
export async function listRuleExecutions(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  input: ListRuleExecutionsInput,
): Promise<Page<RuleExecutionSummary>> {
  const { rules } = requirePermission(context.actor, "READ_RULES");
  await findRule(services.pool, context, rules, input.ruleId);
  // Two texts, for two indexes: one plan over «mode or all» would walk past the other mode's runs.
  const isOfOneMode = input.executionMode !== "ALL";
  const { rows } = await services.pool.query<ExecutionSummaryRow>({
    name: isOfOneMode ? "list_rule_executions_of_mode" : "list_rule_executions",
    text: listExecutions(isOfOneMode),
    values: [
      context.organizationId,
      input.ruleId,
      input.status,
      input.from,
      input.to,
      input.pageSize + 1,
      (input.page - 1) * input.pageSize,
      ...(isOfOneMode ? [input.executionMode] : []),
    ],
  });
  return toPage(rows, input, (row) => toExecutionSummary(row, services.appUrl));
}

/** The offset is counted on the index alone; only the page's own rows are read. */
const listExecutions = (isOfOneMode: boolean) => `
  with page as (
    select id from rule_executions
     where organization_id = $1 and rule_id = $2 ${isOfOneMode ? "and execution_mode = $8" : ""}
       and ($3::text is null or status = $3)
       and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at <= $5)
     order by id desc limit $6 offset $7)
  select ${EXECUTION_SUMMARY_COLUMNS}
    from page join rule_executions e on e.organization_id = $1 and e.id = page.id
   order by e.id desc`;
