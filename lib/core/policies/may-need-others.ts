import type { Requirement } from "@/lib/contract/policies/policy";
import { readPolicyInForce } from "@/lib/core/policies/read-policy";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { progressOf } from "@/lib/engine/policies/progress-of";

/** After the last day of any deputy: standing in for someone is no reason to act alone. */
const AFTER_ALL_DEPUTIES = "9999-12-31";

/**
 * Whether the policy in force may ask for the signatures of others before a run that this member starts. What a run moves is
 * computed when it runs, so conditions on amounts and accounts count as met.
 */
export async function mayNeedOthers(
  database: Queryable,
  { organizationId, actor }: Context<MemberActor>,
): Promise<boolean> {
  const { version, policy } = await readPolicyInForce(database, organizationId);
  if (version === 0) return false;
  const possible = policy.rules.filter(
    ({ when: { kinds, requesters } }) =>
      (kinds?.includes("RUN") ?? true) &&
      (requesters?.kinds?.includes("MEMBER") ?? true) &&
      (requesters?.ids?.includes(actor.id) ?? true),
  );
  return [...possible, policy.otherwise].some((requirement) => !isMetBy(actor, requirement));
}

function isMetBy({ id, role }: MemberActor, requirement: Requirement): boolean {
  return progressOf([requirement], {
    signatures: [{ memberId: id, on: AFTER_ALL_DEPUTIES }],
    people: [{ id, role, isActive: true }],
    requesterMemberIds: [id],
    today: AFTER_ALL_DEPUTIES,
  }).isComplete;
}
