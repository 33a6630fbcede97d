import type { RuleEventKind } from "@/lib/contract/rules/rule-event";
import type { Queryable } from "@/lib/db/transaction";
import type { Stored } from "@/lib/views/stored";

/** What people, or a bank's return, did to it. */
export interface RuleEventView {
  id: string;
  kind: RuleEventKind;
  version: number | null;
  /** Null: caused by a returned transfer. */
  byName: string | null;
  at: string;
}

const MAXIMUM_EVENTS = 10;

/** The latest changes to a rule, newest first. */
export async function listRuleEvents(
  database: Queryable,
  organizationId: string,
  ruleId: string,
): Promise<RuleEventView[]> {
  const { rows } = await database.query<Stored<RuleEventView, "at">>({
    name: "list_rule_events",
    text: `
      select e.id, e.kind, e.version, e.at, (select name from users where id = e.by_user_id) as "byName"
        from rule_events e where e.organization_id = $1 and e.rule_id = $2 order by e.id desc limit $3`,
    values: [organizationId, ruleId, MAXIMUM_EVENTS],
  });
  return rows.map(({ at, ...event }) => ({ ...event, at: at.toISOString() }));
}
