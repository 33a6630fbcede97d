import { lockForHook, noteHookEvent } from "@/lib/core/rules/lock-hook";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * No program may start this rule any more. It takes no proof, for it only stops; what runs already goes on, and what
 * waits for approval can still be decided.
 * @returns whether there was a hook.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `RULE_NOT_FOUND`
 */
export async function removeHook(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  ruleId: string,
): Promise<boolean> {
  return inTransaction(services.pool, async (client) => {
    await lockForHook(client, context, ruleId);
    const { rowCount } = await client.query(
      "delete from rule_hooks where organization_id = $1 and rule_id = $2",
      [context.organizationId, ruleId],
    );
    if (rowCount !== 1) return false;
    await noteHookEvent(client, context, ruleId, "HOOK_REMOVED");
    return true;
  });
}
