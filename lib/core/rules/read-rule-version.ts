import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { Queryable } from "@/lib/db/transaction";

/** Versions are written once, so what was read of one stays true; the bound is for the memory. */
const MAXIMUM_KEPT = 1_000;
const kept = new Map<string, RuleDefinition | null>();

export interface RuleVersionKey {
  organizationId: string;
  ruleId: string;
  version: number;
}

/**
 * The definitions of rule versions, in the order asked for; null for one that this version of Sluice cannot represent
 * (`INVALID_RULE`). Asks the database only for those that this process has not read before.
 * @throws Error for a version that does not exist: a fault of ours.
 */
export async function readRuleVersions(
  database: Queryable,
  keys: readonly RuleVersionKey[],
): Promise<(RuleDefinition | null)[]> {
  const missing = keys.filter((key) => !kept.has(nameOf(key)));
  const found = missing.length > 0 ? await readMissing(database, missing) : kept;
  return keys.map((key) => {
    const name = nameOf(key);
    // Not `??`: null is what is known of a version that cannot be represented, and no reason to take it for missing.
    const definition = kept.has(name) ? kept.get(name) : found.get(name);
    if (definition === undefined) throw new Error(`There is no version ${key.version} of rule ${key.ruleId}`);
    return definition;
  });
}

async function readMissing(database: Queryable, keys: readonly RuleVersionKey[]) {
  const { rows } = await database.query<{
    organization_id: string;
    rule_id: string;
    version: number;
    definition: unknown;
  }>({
    name: "read_rule_versions",
    text: `
      select v.organization_id, v.rule_id, v.version, v.definition
        from unnest($1::uuid[], $2::uuid[], $3::integer[]) as asked (organization_id, rule_id, version)
        join rule_versions v using (organization_id, rule_id, version)`,
    values: [
      keys.map((key) => key.organizationId),
      keys.map((key) => key.ruleId),
      keys.map((key) => key.version),
    ],
  });
  const found = new Map<string, RuleDefinition | null>();
  for (const row of rows) {
    const key = { organizationId: row.organization_id, ruleId: row.rule_id, version: row.version };
    const parsed = ruleDefinitionSchema.safeParse(row.definition);
    found.set(nameOf(key), parsed.success ? parsed.data : null);
  }
  keep(found);
  return found;
}

/** Only committed versions come here: a transaction that writes one does not read it back through this. */
function keep(found: ReadonlyMap<string, RuleDefinition | null>): void {
  for (const [name, definition] of found) {
    if (kept.size >= MAXIMUM_KEPT) kept.delete(kept.keys().next().value ?? "");
    kept.set(name, definition);
  }
}

const nameOf = ({ organizationId, ruleId, version }: RuleVersionKey) =>
  `${organizationId} ${ruleId} ${version}`;
