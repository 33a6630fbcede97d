import type { RuleEventView } from "@/lib/contract/views/rule-view";
import type { Queryable } from "@/lib/db/transaction";

const MAXIMUM_EVENTS = 10;

interface Row {
  id: string;
  kind: RuleEventView["kind"];
  version: number | null;
  by_name: string | null;
  at: Date;
}

/** The latest changes to a rule, newest first. */
export async function listRuleEvents(
  database: Queryable,
  organizationId: string,
  ruleId: string,
): Promise<RuleEventView[]> {
  const { rows } = await database.query<Row>({
    name: "list_rule_events",
    text: `
      select e.id, e.kind, e.version, e.at, (select name from users where id = e.by_user_id) as by_name
        from rule_events e where e.organization_id = $1 and e.rule_id = $2 order by e.id desc limit $3`,
    values: [organizationId, ruleId, MAXIMUM_EVENTS],
  });
  return rows.map(({ by_name: byName, at, ...event }) => ({ ...event, byName, at: at.toISOString() }));
}
