import { hashHookSecret, newHookSecret } from "@/lib/core/rules/hook-secret";
import { lockForHook, noteHookEvent } from "@/lib/core/rules/lock-hook";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction } from "@/lib/db/transaction";
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
