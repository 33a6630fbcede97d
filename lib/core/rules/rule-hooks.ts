import { AppError } from "@/lib/contract/error";
import type { CarriedOut, WantedLimit } from "@/lib/contract/policies/asked-change";
import { askForSignatures, endOutdatedChange, needsOthers } from "@/lib/core/policies/asked-changes";
import type { SignedChange } from "@/lib/core/policies/sign-change";
import { hashHookSecret, newHookSecret } from "@/lib/core/rules/authenticate-rule-hook";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Creates the hook of a rule, or replaces its secret, which revokes the old one at once. Requires presence like an API
 * key, because a secret outlives the member's session. A new hook requires approval; a new secret does not change that,
 * except where the policy in force asks for the signatures of others for a key: then each run waits for approval again.
 * @returns the secret, which is not stored.
 * @throws NotConfirmed without presence; AppError `ACCESS_DENIED` unless the actor is an owner or co-owner;
 * `RULE_NOT_FOUND`
 */
export async function makeHookSecret(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  ruleId: string,
): Promise<string> {
  const { organizationId, actor, now } = context;
  return inTransaction(services.pool, async (client) => {
    await requirePresence(client, actor, services.clock.now(), `MAKE_HOOK_SECRET:${ruleId}`);
    await lockForHook(client, context, ruleId);
    const isGuarded = await needsOthers(client, context, hookSecretOf(ruleId, actor.id));
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
    if (isGuarded && (await isApprovalRequired(client, organizationId, ruleId)) === false) {
      await changeApproval(client, context, { ruleId, isRequired: true });
    }
    await endOutdatedChange(client, context, "HOOK_APPROVAL", ruleId);
    return secret;
  });
}

/** A secret that starts a rule, as a key to who must approve. */
function hookSecretOf(ruleId: string, memberId: string): SignedChange {
  return {
    kind: "KEY",
    subjectId: ruleId,
    signed: ["KEY", ruleId],
    payee: null,
    sourceAccountIds: [],
    destinationAccountIds: [],
    requester: { kind: "MEMBER", id: memberId, memberIds: [memberId] },
  };
}

/**
 * Turns approval of a hook's runs on or off. Turning it off requires presence, and waits where the policy in force asks for the
 * signatures of others; turning it on does not, because it only restricts. Runs that already wait are unchanged.
 * @throws NotConfirmed without presence; AppError `ACCESS_DENIED` unless the actor is an owner or co-owner;
 * `RULE_NOT_FOUND`; `INVALID_PARAMETERS` if the rule has no hook.
 */
export async function setHookApproval(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  { ruleId, isRequired }: { ruleId: string; isRequired: boolean },
): Promise<CarriedOut> {
  const result = await inTransaction(services.pool, async (client): Promise<CarriedOut> => {
    const act = `RUN_HOOK_WITHOUT_APPROVAL:${ruleId}` as const;
    const method = isRequired
      ? null
      : await requirePresence(client, context.actor, services.clock.now(), act);
    const name = await lockForHook(client, context, ruleId);
    const wasRequired = await isApprovalRequired(client, context.organizationId, ruleId);
    if (wasRequired === null) {
      throw new AppError("INVALID_PARAMETERS", "This rule has no webhook trigger. Nothing was changed.");
    }
    if (wasRequired === isRequired) return { kind: "DONE" };
    if (method !== null) {
      const wanted = { what: "HOOK_APPROVAL", ruleId } as const;
      const href = await askForSignatures(client, context, { wanted, subject: name }, method);
      if (href !== null) return { kind: "ASKED", href };
    }
    await changeApproval(client, context, { ruleId, isRequired });
    return { kind: "DONE" };
  });
  if (result.kind === "ASKED") services.wake(SEND_NOTICES);
  return result;
}

/**
 * Lets a hook run its rule without approval as was asked for, with the last signature.
 * @returns false if it has a new secret, none, or needs no approval anymore
 */
export async function applyHookApproval(
  client: Queryable,
  context: Context<MemberActor>,
  { ruleId }: Extract<WantedLimit, { what: "HOOK_APPROVAL" }>,
): Promise<boolean> {
  await lockForHook(client, context, ruleId);
  if ((await isApprovalRequired(client, context.organizationId, ruleId)) !== true) return false;
  await changeApproval(client, context, { ruleId, isRequired: false });
  return true;
}

/** Null: the rule has no hook. */
async function isApprovalRequired(
  client: Queryable,
  organizationId: string,
  ruleId: string,
): Promise<boolean | null> {
  const { rows } = await client.query<{ isRequired: boolean }>(
    `select approval_required as "isRequired" from rule_hooks where organization_id = $1 and rule_id = $2`,
    [organizationId, ruleId],
  );
  return rows[0]?.isRequired ?? null;
}

async function changeApproval(
  client: Queryable,
  context: Context<MemberActor>,
  { ruleId, isRequired }: { ruleId: string; isRequired: boolean },
): Promise<void> {
  await client.query(
    "update rule_hooks set approval_required = $3 where organization_id = $1 and rule_id = $2",
    [context.organizationId, ruleId, isRequired],
  );
  await noteHookEvent(client, context, ruleId, isRequired ? "HOOK_APPROVAL_ON" : "HOOK_APPROVAL_OFF");
  await endOutdatedChange(client, context, "HOOK_APPROVAL", ruleId);
}

/**
 * Removes the hook of a rule. No presence, because it only restricts. Started runs continue, and waiting ones can still be
 * decided.
 * @returns whether there was a hook.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner; `RULE_NOT_FOUND`
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
    await endOutdatedChange(client, context, "HOOK_APPROVAL", ruleId);
    return true;
  });
}

type HookEvent = "HOOK_MADE" | "HOOK_REMOVED" | "HOOK_APPROVAL_ON" | "HOOK_APPROVAL_OFF";

/**
 * Locks organization, membership, then the rule, for a change of its hook: the member may decide, the rule is not deleted
 * before the commit, and no other change of the hook is in progress.
 * @returns the rule's name
 * @throws AppError `ACCESS_DENIED`; `RULE_NOT_FOUND`, also for a deleted rule and another organization's
 */
async function lockForHook(
  client: Queryable,
  context: Context<MemberActor>,
  ruleId: string,
): Promise<string> {
  await lockOrganization(client, context.organizationId);
  await requireDecider(client, context, "decide which program starts a rule");
  const { rows } = await client.query<{ name: string }>(
    "select name from rules where organization_id = $1 and id = $2 and deleted_at is null for no key update",
    [context.organizationId, ruleId],
  );
  if (!rows[0]) throw new AppError("RULE_NOT_FOUND", "There is no such rule. Nothing was changed.");
  return rows[0].name;
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
