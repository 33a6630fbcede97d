import { AppError } from "@/lib/contract/error";
import { hashHookSecret, newHookSecret } from "@/lib/core/rules/authenticate-rule-hook";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Lets programs start a rule: makes its hook, or gives it another secret, from which moment the old one counts no
 * longer. A secret outlives the member's session, so it takes the proof that a key takes. A new hook asks for approval;
 * a new secret changes nothing about that.
 * @returns the secret, which is stored nowhere.
 * @throws NotConfirmed without presence; AppError `ACCESS_DENIED` unless an owner or co-owner asks; `RULE_NOT_FOUND`
 */
export async function makeHookSecret(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  ruleId: string,
): Promise<string> {
  const { organizationId, actor, now } = context;
  return inTransaction(services.pool, async (client) => {
    await requirePresence(client, actor, services.clock.now());
    await lockForHook(client, context, ruleId);
    const secret = newHookSecret();
    await client.query(
      `insert into rule_hooks (organization_id, rule_id, secret_hash, secret_last4, created_by, created_at)
         values ($1, $2, $3, $4, $5, $6)
       on conflict (organization_id, rule_id) do update set secret_hash = excluded.secret_hash,
         secret_last4 = excluded.secret_last4, created_by = excluded.created_by, created_at = excluded.created_at,
         last_used_at = null`,
      [organizationId, ruleId, hashHookSecret(secret), secret.slice(-4), actor.id, now],
    );
    await noteHookEvent(client, context, ruleId, "HOOK_MADE");
    return secret;
  });
}

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

type HookEvent = "HOOK_MADE" | "HOOK_REMOVED" | "HOOK_APPROVAL_ON" | "HOOK_APPROVAL_OFF";

/**
 * In the transaction of a change to a rule's hook: the member may, the rule is there and is not deleted before the
 * commit, and no other change of its hook is under way. Membership first, then the rule, then its hook.
 * @throws AppError `ACCESS_DENIED`; `RULE_NOT_FOUND`, also for a deleted rule and another organization's
 */
async function lockForHook(client: Queryable, context: Context<MemberActor>, ruleId: string): Promise<void> {
  await requireDecider(client, context, "decide which program starts a rule");
  const { rowCount } = await client.query(
    "select from rules where organization_id = $1 and id = $2 and deleted_at is null for no key update",
    [context.organizationId, ruleId],
  );
  if (rowCount !== 1) throw new AppError("RULE_NOT_FOUND", "There is no such rule. Nothing was changed.");
}

async function noteHookEvent(
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
