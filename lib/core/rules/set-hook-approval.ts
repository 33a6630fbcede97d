import { AppError } from "@/lib/contract/error";
import { lockForHook, noteHookEvent } from "@/lib/core/rules/lock-hook";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Whether a person is asked before a run that a program starts. Switching it off takes a proof; switching it on takes
 * none, for it only stops. What waits already stays as it was asked.
 * @throws NotConfirmed without presence; AppError `ACCESS_DENIED` unless an owner or co-owner asks; `RULE_NOT_FOUND`;
 * `INVALID_PARAMETERS` when the rule has no hook.
 */
export async function setHookApproval(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  { ruleId, isRequired }: { ruleId: string; isRequired: boolean },
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    if (!isRequired) await requirePresence(client, context.actor, services.clock.now());
    await lockForHook(client, context, ruleId);
    const { rows } = await client.query<{ was_required: boolean }>(
      `update rule_hooks h set approval_required = $3 from rule_hooks old
        where h.organization_id = $1 and h.rule_id = $2 and old.organization_id = $1 and old.rule_id = $2
        returning old.approval_required as was_required`,
      [context.organizationId, ruleId, isRequired],
    );
    const [hook] = rows;
    if (!hook) {
      throw new AppError("INVALID_PARAMETERS", "No program may start this rule. Nothing was changed.");
    }
    if (hook.was_required === isRequired) return;
    await noteHookEvent(client, context, ruleId, isRequired ? "HOOK_APPROVAL_ON" : "HOOK_APPROVAL_OFF");
  });
}
