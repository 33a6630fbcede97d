import type { PoolClient } from "pg";
import type { ConfirmationRequest } from "@/lib/contract/views/decision";
import type { RuleActInput, RuleActSubject, RuleChangeResult } from "@/lib/contract/views/rule-change";
import { type LockedRule, lockRule, RuleNotChanged } from "@/lib/core/rules/lock-rule";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { beginConfirmationOf } from "@/lib/core/sign-in/begin-confirmation";
import { type ChallengeScope, memberScope } from "@/lib/core/sign-in/challenge";
import type { ConfirmationMethod } from "@/lib/core/sign-in/confirmation";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { spendConfirmation } from "@/lib/core/sign-in/spend-confirmation";
import { verifyConfirmationOf } from "@/lib/core/sign-in/verify-confirmation";
import { inTransaction } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** A challenge for this act answers for no other: neither rule, nor version, nor what was shown. */
function ruleScope(
  actor: Pick<MemberActor, "id" | "sessionId">,
  { act, ruleId, version, digest }: RuleActSubject,
): ChallengeScope {
  return memberScope("DECIDE", actor, `rule ${act} ${ruleId} ${version} ${digest}`);
}

/** How this member must confirm this act, with the challenge for it. Whether they may is not asked here. */
export function beginRuleAct(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  subject: RuleActSubject,
): Promise<ConfirmationRequest> {
  return beginConfirmationOf(services, actor, ruleScope(actor, subject));
}

/** What is written as the event of an act, for the functions of rules. */
export interface RuleEvent {
  organizationId: string;
  ruleId: string;
  version: number;
  userId: string;
  method: ConfirmationMethod | null;
  digest: string | null;
  eventId: string;
  now: Date;
}

export function ruleEvent(
  context: Context<MemberActor>,
  of: { ruleId: string; version: number; digest?: string },
  method: ConfirmationMethod | null,
): RuleEvent {
  const { organizationId, actor, now } = context;
  const { ruleId, version, digest } = of;
  return {
    organizationId,
    ruleId,
    version,
    userId: actor.id,
    method,
    digest: digest || null,
    eventId: newId(now),
    now,
  };
}

/**
 * Runs one act on a rule: the confirmation is verified before the transaction (hashing is slow, and a wrong password
 * must stay counted), used up inside it, and not used up when `work` throws.
 * @param work with the rule locked; throws RuleNotChanged where there is nothing to do any more
 */
export async function confirmedRuleChange(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log" | "authenticatorSecrets">,
  context: Context<MemberActor>,
  input: RuleActInput,
  work: (client: PoolClient, rule: LockedRule, event: RuleEvent) => Promise<void>,
): Promise<RuleChangeResult> {
  if (!mayDecide(context.actor)) return MAY_NOT;
  try {
    const scope = ruleScope(context.actor, input);
    const verified = await verifyConfirmationOf(services, context.actor, scope, input.confirmation);
    await inTransaction(services.pool, async (client) => {
      const { method } = await spendConfirmation(client, verified);
      const rule = await lockRule(client, context, input.ruleId);
      await work(client, rule, ruleEvent(context, input, method));
    });
    return { kind: "DONE" };
  } catch (error) {
    if (error instanceof NotConfirmed) return { kind: "NOT_CONFIRMED", message: error.message };
    if (error instanceof RuleNotChanged) return error.result;
    throw error;
  }
}

export const MAY_NOT: RuleChangeResult = {
  kind: "REFUSED",
  message: "Only an owner or co-owner may change what rules do. Nothing was changed.",
};
