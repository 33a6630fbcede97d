import type { ActivationCheck } from "@/lib/contract/rules/activation-check";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { activationDigest } from "@/lib/core/rules/activation-digest";
import { nextRun } from "@/lib/core/rules/next-run";
import { parsedDefinition } from "@/lib/core/rules/parsed-definitions";
import { readAccountFacts } from "@/lib/core/rules/read-rule-facts";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { checkActivation } from "@/lib/engine/check-activation";
import type { JoinedRule } from "@/lib/engine/money-cycle";

export interface Activation {
  definition: RuleDefinition;
  accounts: Record<string, AccountFacts>;
  checks: ActivationCheck[];
  /** Of its schedule; null where it has none, or it never comes round again. */
  nextRunAt: Date | null;
  /** Names all of this: `activationDigest`. */
  digest: string;
}

interface Where {
  organizationId: string;
  /** Business time. */
  now: Date;
}

export interface ActivationVersion {
  ruleId: string;
  version: number;
  /** The one that it would take over from; null when none is active. */
  activeVersion: number | null;
  definition: RuleDefinition;
}

/**
 * What a person looks at before they activate a version, as of now. In the activating transaction, under the
 * organization's rules lock, nothing of it can change until the commit.
 */
export async function readActivation(
  database: Queryable,
  where: Where,
  of: ActivationVersion,
): Promise<Activation> {
  const { definition } = of;
  const accounts = await readAccountFacts(database, where, accountsOf(definition));
  const otherActiveRules = await readOtherActiveRules(database, where.organizationId, of.ruleId);
  const nextRunAt = nextRun(definition, where.now);
  const checks = checkActivation({
    ruleId: of.ruleId,
    definition,
    otherActiveRules,
    accounts,
    nowAt: where.now.toISOString(),
    nextRunAt: nextRunAt?.toISOString() ?? null,
  });
  return { definition, accounts, checks, nextRunAt, digest: activationDigest(of, accounts, checks) };
}

/** The version's definition; null when there is none that this version of Sluice can represent. */
export async function readVersionDefinition(
  database: Queryable,
  organizationId: string,
  { ruleId, version }: { ruleId: string; version: number },
): Promise<RuleDefinition | null> {
  const { rows } = await database.query<{ definition: unknown }>({
    name: "read_version_definition",
    text: "select definition from rule_versions where organization_id = $1 and rule_id = $2 and version = $3",
    values: [organizationId, ruleId, version],
  });
  return ruleDefinitionSchema.safeParse(rows[0]?.definition).data ?? null;
}

interface ActiveRow {
  id: string;
  name: string;
  active_trigger_type: JoinedRule["trigger"]["type"];
  active_trigger_account_id: string;
  definition: string;
}

/** Every other active rule of the organization, as far as money joins it to this one. */
export async function readOtherActiveRules(
  database: Queryable,
  organizationId: string,
  ruleId: string,
): Promise<JoinedRule[]> {
  const { rows } = await database.query<ActiveRow>({
    name: "read_other_active_rules",
    text: `
      select r.id, v.definition ->> 'name' as name, r.active_trigger_type, r.active_trigger_account_id,
          v.definition::text as definition
        from rules r join rule_versions v
          on v.organization_id = r.organization_id and v.rule_id = r.id and v.version = r.active_version
       where r.organization_id = $1 and r.active_version is not null and r.id <> $2
       order by r.id`,
    values: [organizationId, ruleId],
  });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    trigger: { type: row.active_trigger_type, accountId: row.active_trigger_account_id },
    // One that this version cannot represent does not run either, so it moves nothing on.
    steps: parsedDefinition(row.definition)?.steps ?? [],
  }));
}
