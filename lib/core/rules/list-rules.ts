import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import type { RuleSummary } from "@/lib/contract/rules/rule";
import { RULE_COLUMNS, RULE_JOIN, type RuleRow, toRule, toRuleSummary } from "@/lib/core/rules/rule-row";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

export interface ListRulesInput extends PageRequest {
  /** The trigger's account, or one that an action takes from. */
  sourceAccountId: string | null;
  status: "ACTIVE" | "INACTIVE" | null;
}

/** Summaries of the rules that the key may read and that are not deleted, newest first. */
export async function listRules(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  input: ListRulesInput,
): Promise<Page<RuleSummary>> {
  const { rules } = requirePermission(context.actor, "READ_RULES");
  const { rows } = await services.pool.query<RuleRow>({
    name: "list_rules",
    text: `
      select ${RULE_COLUMNS}
        from rules r ${RULE_JOIN}
       where r.organization_id = $1 and r.deleted_at is null
         and ($2::uuid[] is null or r.id = any ($2))
         and ($3::uuid is null or $3 = any (r.source_account_ids))
         and ($4::text is null or (r.active_version is not null and r.paused_at is null) = ($4 = 'ACTIVE'))
       order by r.id desc
       limit $5 offset $6`,
    values: [
      context.organizationId,
      rules === "ALL" ? null : rules,
      input.sourceAccountId,
      input.status,
      input.pageSize + 1,
      (input.page - 1) * input.pageSize,
    ],
  });
  const page = toPage(rows, input, (row) => toRule(row, services.appUrl));
  // One rule that this version cannot represent must not hide all others; read by its id, it answers INVALID_RULE.
  return { ...page, items: page.items.filter((rule) => rule !== null).map(toRuleSummary) };
}
