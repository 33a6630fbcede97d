import { NEW_RULE_HREF } from "@/lib/contract/rule-hrefs";
import { MAXIMUM_NEW_RULE_DRAFTS } from "@/lib/contract/rules/draft";
import type { NewDraftView } from "@/lib/contract/views/rule-editor-view";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** The drafts of new rules that this member keeps, the latest first. */
export async function listNewDrafts(
  services: Pick<Services, "pool">,
  { organizationId, actor }: Context<MemberActor>,
): Promise<NewDraftView[]> {
  const { rows } = await services.pool.query<{ id: string; name: string | null; updated_at: Date }>({
    name: "list_new_rule_drafts",
    text: `select id, definition -> 'draft' ->> 'name' as name, updated_at from rule_drafts
            where organization_id = $1 and user_id = $2 and rule_id is null
            order by updated_at desc, id limit ${MAXIMUM_NEW_RULE_DRAFTS}`,
    values: [organizationId, actor.id],
  });
  return rows.map((row) => ({
    id: row.id,
    name: row.name?.trim() || null,
    keptAt: row.updated_at.toISOString(),
    href: `${NEW_RULE_HREF}/edit?draft=${row.id}`,
  }));
}
