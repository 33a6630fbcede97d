import { type RuleWork, ruleWorkSchema } from "@/lib/contract/rules/draft";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

interface DraftRow {
  id: string;
  base_version: number | null;
  definition: unknown;
  updated_at: Date;
}

export interface KeptDraft {
  id: string;
  baseVersion: number | null;
  /** Business time. */
  keptAt: Date;
  /** Null: kept by another version of Sluice, which this one cannot read. */
  work: RuleWork | null;
}

/**
 * A draft that this member keeps; another member's is not there.
 * @param of a new rule's draft by its id, or the one of a rule
 */
export async function readDraft(
  database: Queryable,
  { organizationId, actor }: Context<MemberActor>,
  of: { draftId: string } | { ruleId: string },
): Promise<KeptDraft | null> {
  const { rows } =
    "ruleId" in of
      ? await database.query<DraftRow>({
          name: "read_draft_of_rule",
          text: `select id, base_version, definition, updated_at from rule_drafts
                  where organization_id = $1 and user_id = $2 and rule_id = $3`,
          values: [organizationId, actor.id, of.ruleId],
        })
      : await database.query<DraftRow>({
          name: "read_new_rule_draft",
          text: `select id, base_version, definition, updated_at from rule_drafts
                  where organization_id = $1 and user_id = $2 and id = $3 and rule_id is null`,
          values: [organizationId, actor.id, of.draftId],
        });
  const row = rows[0];
  if (!row) return null;
  return {
    id: row.id,
    baseVersion: row.base_version,
    keptAt: row.updated_at,
    work: ruleWorkSchema.safeParse(row.definition).data ?? null,
  };
}
