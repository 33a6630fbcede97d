import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/require-decider";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

export type HookEvent = "HOOK_MADE" | "HOOK_REMOVED" | "HOOK_APPROVAL_ON" | "HOOK_APPROVAL_OFF";

/**
 * In the transaction of a change to a rule's hook: the member may, the rule is there and is not deleted before the
 * commit, and no other change of its hook is under way. Membership first, then the rule, then its hook.
 * @throws AppError `ACCESS_DENIED`; `RULE_NOT_FOUND`, also for a deleted rule and another organization's
 */
export async function lockForHook(
  client: Queryable,
  context: Context<MemberActor>,
  ruleId: string,
): Promise<void> {
  await requireDecider(client, context, "decide which program starts a rule");
  const { rowCount } = await client.query(
    "select from rules where organization_id = $1 and id = $2 and deleted_at is null for no key update",
    [context.organizationId, ruleId],
  );
  if (rowCount !== 1) throw new AppError("RULE_NOT_FOUND", "There is no such rule. Nothing was changed.");
}

export async function noteHookEvent(
  client: Queryable,
  context: Context<MemberActor>,
  ruleId: string,
  kind: HookEvent,
): Promise<void> {
  const { organizationId, actor, now } = context;
  await client.query("select note_hook_event($1, $2, $3, $4, $5, $6)", [
    organizationId,
    newId(now),
    ruleId,
    kind,
    actor.id,
    now,
  ]);
}
