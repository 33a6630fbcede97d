import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { Context } from "@/lib/core/context";
import { sourceAccountIds } from "@/lib/core/rules/check-definition";
import { newId } from "@/lib/platform/ids";
import type { TestDatabase } from "@/lib/testing/database";

type Draft = Pick<RuleDefinition, "trigger"> & { name?: string; steps: object[]; limits?: object[] };

export interface WrittenRule {
  id: string;
  /** Writes the next version. */
  edit: (draft: Draft) => Promise<number>;
  /** As a person's confirmation does, without one. */
  activate: (version: number) => Promise<void>;
}

/** A rule as it is stored, written without asking anybody: for tests of what reads rules. */
export async function writeTestRule(
  { ownerPool }: Pick<TestDatabase, "ownerPool">,
  context: Pick<Context, "organizationId" | "actor" | "now">,
  draft: Draft,
): Promise<WrittenRule> {
  const { organizationId, actor, now } = context;
  const id = newId(now);
  let version = 0;
  let latest = parse(draft);
  const edit = async (next: Draft) => {
    latest = parse(next);
    version += 1;
    const sources = sourceAccountIds(latest);
    await ownerPool.query(
      version === 1
        ? `insert into rules (organization_id, id, name, latest_version, versions_made, source_account_ids, created_at,
             updated_at) values ($1, $2, $3, $4, $4, $5, $6, $6)`
        : `update rules set name = $3, latest_version = $4, versions_made = $4, source_account_ids = $5, updated_at = $6
             where organization_id = $1 and id = $2`,
      [organizationId, id, latest.name, version, sources, now],
    );
    await ownerPool.query(
      `insert into rule_versions (organization_id, rule_id, version, definition, created_by_kind, created_by_id,
         created_by_name, created_at) values ($1, $2, $3, $4, 'MEMBER', $5, $6, $7)`,
      [organizationId, id, version, JSON.stringify(latest), actor.id, actor.name, now],
    );
    return version;
  };
  await edit(draft);
  const activate = async (active: number) => {
    const { rows } = await ownerPool.query<{ definition: unknown }>(
      "select definition from rule_versions where organization_id = $1 and rule_id = $2 and version = $3",
      [organizationId, id, active],
    );
    const { trigger } = ruleDefinitionSchema.parse(rows[0]?.definition);
    await ownerPool.query(
      `update rules set active_version = $3, active_trigger_type = $4, active_trigger_account_id = $5,
         active_minimum_in_cents = $6, activated_at = $7, activated_by = $8
        where organization_id = $1 and id = $2`,
      [
        organizationId,
        id,
        active,
        trigger.type,
        trigger.accountId,
        trigger.type === "ON_FUNDS_TRANSFERRED" ? trigger.minimumAmountInCents : null,
        now,
        actor.id,
      ],
    );
  };
  return { id, edit, activate };
}

function parse(draft: Draft): RuleDefinition {
  return ruleDefinitionSchema.parse({ name: "Split client payments", ...draft });
}
