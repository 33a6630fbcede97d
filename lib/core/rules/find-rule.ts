import { AppError } from "@/lib/contract/error";
import type { ResourceList } from "@/lib/contract/permissions";
import type { Rule } from "@/lib/contract/rules/rule";
import { RULE_COLUMNS, RULE_JOIN, type RuleRow, toRule } from "@/lib/core/rules/rule-row";
import type { Context } from "@/lib/core/shared/context";
import { covers } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";

/**
 * One rule's row, as far as the caller's permission reaches.
 * @throws AppError `RULE_NOT_FOUND` (also for another organization's), `ACCESS_DENIED` outside the list.
 */
export async function findRule(
  database: Queryable,
  context: Context,
  rules: ResourceList,
  ruleId: string,
): Promise<RuleRow> {
  const { rows } = await database.query<RuleRow>({
    name: "find_rule",
    text: `select ${RULE_COLUMNS} from rules r ${RULE_JOIN} where r.organization_id = $1 and r.id = $2`,
    values: [context.organizationId, ruleId],
  });
  const row = rows[0];
  if (!row) throw new AppError("RULE_NOT_FOUND", `There is no rule ${ruleId}.`);
  if (!covers(rules, ruleId)) {
    throw new AppError("ACCESS_DENIED", "This rule is outside the list of this key's permission.");
  }
  return row;
}

/** @throws AppError `INVALID_RULE` for a deleted rule, and for one that this version cannot represent. */
export function requireReadable(row: RuleRow, appUrl: string): Rule {
  if (row.deleted_at) throw new AppError("INVALID_RULE", `The rule ${row.id} was deleted.`);
  const rule = toRule(row, appUrl);
  if (!rule) {
    throw new AppError("INVALID_RULE", `This version of Sluice cannot represent the rule ${row.id}.`);
  }
  return rule;
}
