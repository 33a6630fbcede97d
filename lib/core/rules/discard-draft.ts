import { lockDrafts } from "@/lib/core/rules/lock-drafts";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Throws a member's own draft away; one that is not there is gone already. The rule and its versions stay as they are.
 * @param draft of a rule: whatever id it has by now
 */
export async function discardDraft(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { draftId, ruleId }: { draftId: string; ruleId: string | null },
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await lockDrafts(client, context);
    await client.query({
      name: "discard_rule_draft",
      text: `delete from rule_drafts where organization_id = $1 and user_id = $2
              and (id = $3 or rule_id = $4)`,
      values: [context.organizationId, context.actor.id, draftId, ruleId],
    });
  });
}
