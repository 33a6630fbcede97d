import type { PoolClient } from "pg";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

/**
 * A member's drafts change one after the other: two tabs never make the twenty-first, nothing is kept of a draft after
 * it was saved as a version, and one draft sent twice makes one version. Taken after the membership, before the rule.
 */
export async function lockDrafts(client: PoolClient, context: Context<MemberActor>): Promise<void> {
  // Bounded by the connection's lock timeout.
  await client.query({
    name: "lock_rule_drafts",
    text: "select pg_advisory_xact_lock(hashtextextended(concat_ws('|', 'rule drafts', $1::text, $2::text), 0))",
    values: [context.organizationId, context.actor.id],
  });
}

export interface SavedVersion {
  ruleId: string;
  version: number;
}

/** The version that this draft became; null while it is a draft. */
export async function findVersionOfDraft(
  client: Queryable,
  context: Context<MemberActor>,
  draftId: string,
): Promise<SavedVersion | null> {
  const { rows } = await client.query<{ rule_id: string; version: number }>({
    name: "find_version_of_draft",
    text: `select rule_id, version from rule_versions
            where organization_id = $1 and created_by_id = $3 and draft_id = $2`,
    values: [context.organizationId, draftId, context.actor.id],
  });
  const row = rows[0];
  return row ? { ruleId: row.rule_id, version: row.version } : null;
}
