import type { Proposal } from "@/lib/contract/approvals/proposal";
import { AppError } from "@/lib/contract/error";
import { APPROVAL_EXPIRY_MS } from "@/lib/contract/limits";
import type { Refused } from "@/lib/contract/refused";
import { getProposal } from "@/lib/core/approvals/read-proposals";
import { findRule } from "@/lib/core/rules/read-rules";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import { requirePermission, tooManyWaiting } from "@/lib/core/shared/permits";
import { requireDecider } from "@/lib/core/shared/roles";
import { DELIVER_EVENTS, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { type WriteRequest, type WriteResult, writeOnce } from "@/lib/core/shared/write-once";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

type Outcome = "PROPOSED" | "ALREADY" | "INACTIVE" | "MISSING" | "TOO_MANY";

/**
 * Proposes that a rule stops, for a person to do so with one tap (docs/behavior/rules.md). While an earlier proposal of the
 * caller for this rule waits, answers with that one.
 * @throws AppError `ACCESS_DENIED` unless the key may edit this rule; `RULE_NOT_FOUND`; `INVALID_RULE` for a deleted one; `RULE_DEACTIVATED` if no version
 * runs; `RATE_LIMIT_EXCEEDED` while too many of this caller wait; as `writeOnce`.
 */
export async function proposeRuleDeactivation(
  services: Services,
  context: Context<CallerActor>,
  { ruleId, reason }: { ruleId: string; reason: string | null },
  request: WriteRequest,
): Promise<WriteResult> {
  const { rules } = requirePermission(context.actor, "CREATE_AND_EDIT_RULES");
  const result = await writeOnce(services, context, request, async (client): Promise<Proposal> => {
    await findRule(client, context, rules, ruleId);
    const { outcome, id } = await propose(client, context, ruleId, reason);
    if (outcome === "MISSING") throw new AppError("INVALID_RULE", `The rule ${ruleId} was deleted.`);
    if (outcome === "INACTIVE") {
      throw new AppError("RULE_DEACTIVATED", "This rule is not active already. Nothing was proposed.");
    }
    if (outcome === "TOO_MANY" || id === null) throw tooManyWaiting(context.actor);
    if (outcome === "PROPOSED") {
      const { organizationId, actor, now } = context;
      const kind = "RULE_DEACTIVATION_PROPOSED";
      await writeNotice(client, {
        organizationId,
        kind,
        subjectId: id,
        userId: null,
        digestKey: actor.id,
        now,
      });
    }
    return getProposal({ pool: client, appUrl: services.appUrl }, context, id);
  });
  if (result.kind === "RECORDED") {
    services.wake(SEND_NOTICES);
    services.wake(DELIVER_EVENTS);
  }
  return result;
}

async function propose(
  client: Queryable,
  { organizationId, actor, now }: Context<CallerActor>,
  ruleId: string,
  reason: string | null,
): Promise<{ outcome: Outcome; id: string | null }> {
  const expiresAt = new Date(now.getTime() + APPROVAL_EXPIRY_MS);
  const proposal = {
    organizationId,
    ruleId,
    id: newId(now),
    keyId: actor.id,
    keyName: actor.name,
    reason,
    now,
    expiresAt,
  };
  const { rows } = await client.query<{ outcome: Outcome; id: string | null }>({
    name: "propose_rule_deactivation",
    text: "select outcome, id from propose_rule_deactivation($1)",
    values: [JSON.stringify(proposal)],
  });
  if (!rows[0]) throw new Error("propose_rule_deactivation answered nothing");
  return rows[0];
}

type KeepRuleResult = { kind: "KEPT" } | Refused;

/**
 * Denies a program's proposal that a rule stops: the rule keeps running.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner; `INVALID_PARAMETERS` for an unknown proposal
 */
export async function keepRuleActive(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  proposalId: string,
): Promise<KeepRuleResult> {
  const outcome = await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "decide about rules");
    const { organizationId, actor, now } = context;
    const { rows } = await client.query<{ outcome: "DENIED" | "ENDED" | "MISSING" }>({
      name: "keep_rule_active",
      text: "select keep_rule_active($1, $2, $3, $4) as outcome",
      values: [organizationId, proposalId, actor.id, now],
    });
    if (rows[0]?.outcome === "MISSING") {
      throw new AppError("INVALID_PARAMETERS", "There is no such proposal. Nothing was changed.");
    }
    return rows[0]?.outcome;
  });
  if (outcome === "ENDED") return { kind: "REFUSED", message: "It was decided or has expired already." };
  services.wake(DELIVER_EVENTS);
  return { kind: "KEPT" };
}
