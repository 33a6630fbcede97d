import type { KeyRuleView } from "@/lib/contract/keys/key-facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { readDefinitions } from "@/lib/core/shared/read-definitions";
import type { Queryable } from "@/lib/db/transaction";

/** More rules than anyone picks from. */
const MAXIMUM_RULES = 1_000;
/** Further active rules are not followed. */
const MAXIMUM_ACTIVE = 500;

/** The rules that permissions can name, ordered by name. */
export async function readKeyRules(database: Queryable, organizationId: string): Promise<KeyRuleView[]> {
  const { rows } = await database.query<{
    id: string;
    name: string;
    isActive: boolean;
    sendsOutside: boolean;
  }>({
    name: "read_key_rules",
    text: `
      select r.id, r.name, r.active_version is not null as "isActive", exists (
          select from (
            select jsonb_path_query(v.definition, '$.steps[*].actions[*].destinationAccountId') #>> '{}' as id
            union all
            select jsonb_path_query(v.definition, '$.steps[*].actions[*].destinationAccountIds[*]') #>> '{}') sent
            join accounts a on a.organization_id = $1 and a.id = sent.id::uuid and a.type = 'EXTERNAL_ACCOUNT'
        ) as "sendsOutside"
        from rules r
        left join rule_versions v on v.organization_id = r.organization_id and v.rule_id = r.id
         and v.version = r.active_version
       where r.organization_id = $1 and r.deleted_at is null
       order by lower(r.name), r.id limit ${MAXIMUM_RULES}`,
    values: [organizationId],
  });
  return rows.map(({ id, name, isActive, sendsOutside }) => ({
    id,
    name,
    isActive,
    sendsOutside,
  }));
}

/** A rule as it would run now. */
export interface LiveRule {
  id: string;
  name: string;
  definition: RuleDefinition;
}

/** The live rules: active and not paused. One that this version of Sluice cannot represent runs nothing. */
export async function readLiveRules(database: Queryable, organizationId: string): Promise<LiveRule[]> {
  const { rows } = await database.query<{ id: string; name: string; definition: unknown }>({
    name: "read_live_rules_of_keys",
    text: `
      select r.id, r.name, v.definition
        from rules r
        join rule_versions v on v.organization_id = r.organization_id and v.rule_id = r.id
         and v.version = r.active_version
       where r.organization_id = $1 and r.deleted_at is null and r.paused_at is null
       order by r.id limit ${MAXIMUM_ACTIVE}`,
    values: [organizationId],
  });
  const definitions = await readDefinitions(rows.map(({ definition }) => definition));
  return rows.flatMap(({ id, name }, index) => {
    const definition = definitions[index];
    return definition ? [{ id, name, definition }] : [];
  });
}
