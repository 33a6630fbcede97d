import type { Queryable } from "@/lib/db/transaction";

/** Whether the organization has a rule with this id, deleted ones included. */
export async function hasRule(database: Queryable, organizationId: string, ruleId: string): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "has_rule",
    text: "select from rules where organization_id = $1 and id = $2",
    values: [organizationId, ruleId],
  });
  return rowCount === 1;
}
