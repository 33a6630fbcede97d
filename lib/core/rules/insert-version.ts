import type { PoolClient } from "pg";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { sourceAccountIds } from "@/lib/core/rules/check-definition";
import type { RuleRow } from "@/lib/core/rules/rule-row";
import type { Context } from "@/lib/core/shared/context";
import { newId } from "@/lib/platform/ids";

/**
 * Writes a rule with its first version, inactive until a person activates it. `checkDefinition` has passed.
 * @param draftId the member's draft that it is saved from; null for a key
 * @returns its id
 */
export async function insertRule(
  client: PoolClient,
  context: Context,
  definition: RuleDefinition,
  draftId: string | null,
): Promise<string> {
  const ruleId = newId(context.now);
  await client.query({
    name: "insert_rule",
    text: `
      insert into rules (organization_id, id, name, latest_version, source_account_ids, created_at, updated_at)
        values ($1, $2, $3, 1, $4, $5, $5)`,
    values: [context.organizationId, ruleId, definition.name, sourceAccountIds(definition), context.now],
  });
  await insertVersion(client, context, { ruleId, version: 1, definition, draftId });
  return ruleId;
}

/**
 * Makes the next version of a rule the latest; an active one keeps running. `checkDefinition` has passed.
 * @param before the rule's row under its lock (`lockForEdit`)
 * @returns the number of the version
 */
export async function insertNextVersion(
  client: PoolClient,
  context: Context,
  before: Pick<RuleRow, "id" | "versions_made">,
  definition: RuleDefinition,
  draftId: string | null,
): Promise<number> {
  const version = before.versions_made + 1;
  await client.query({
    name: "update_rule",
    text: `
      update rules set name = $3, latest_version = $4, versions_made = $4, source_account_ids = $5, updated_at = $6
       where organization_id = $1 and id = $2`,
    values: [
      context.organizationId,
      before.id,
      definition.name,
      version,
      sourceAccountIds(definition),
      context.now,
    ],
  });
  await insertVersion(client, context, { ruleId: before.id, version, definition, draftId });
  return version;
}

/** Two edits at once would both make the next version. */
export async function lockForEdit(client: PoolClient, context: Context, ruleId: string): Promise<void> {
  await client.query({
    name: "lock_rule",
    text: "select from rules where organization_id = $1 and id = $2 for update",
    values: [context.organizationId, ruleId],
  });
}

interface NewVersion {
  ruleId: string;
  version: number;
  definition: RuleDefinition;
  draftId: string | null;
}

/** A version is written once and never changed. */
async function insertVersion(
  client: PoolClient,
  { organizationId, actor, now, calledReason }: Context,
  { ruleId, version, definition, draftId }: NewVersion,
): Promise<void> {
  await client.query({
    name: "insert_rule_version",
    text: `insert into rule_versions (organization_id, rule_id, version, definition, created_by_kind, created_by_id,
        created_by_name, created_at, reason, draft_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      organizationId,
      ruleId,
      version,
      JSON.stringify(definition),
      // Of assistants too: the tables know callers.
      actor.kind === "MEMBER" ? "MEMBER" : "API_KEY",
      actor.id,
      actor.name,
      now,
      calledReason,
      draftId,
    ],
  });
}
