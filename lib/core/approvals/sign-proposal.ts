import type { Refused } from "@/lib/contract/refused";
import { versionsOf } from "@/lib/core/approvals/proposal-policy";
import type { Signing } from "@/lib/core/approvals/signing";
import { auditEntry } from "@/lib/core/shared/audit-entry";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { ConfirmationMethod } from "@/lib/core/sign-in/confirmation";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** A confirmed signature before it is written. */
export interface GivenNow {
  digest: string;
  method: ConfirmationMethod;
  passkeyName: string | null;
  /** It completes what is missing, and the decision follows in this transaction: nobody else is asked. */
  decides: boolean;
}

/**
 * Records a member's signature in the deciding transaction, in place of an earlier one of theirs, with its entry in the
 * audit log. The caller has locked the proposal and checked that it would count.
 */
export async function signProposal(
  client: Queryable,
  context: Context<MemberActor>,
  proposalId: string,
  { policy, subjectHash }: Pick<Signing, "policy" | "subjectHash">,
  { decides, ...given }: GivenNow,
): Promise<void> {
  const { organizationId, actor, now } = context;
  await client.query({
    name: "sign_proposal",
    text: "select sign_proposal($1)",
    values: [
      JSON.stringify({
        organizationId,
        proposalId,
        id: newId(now),
        userId: actor.id,
        policyVersions: versionsOf(policy),
        subjectHash,
        ...given,
        noticeId: decides ? null : newId(now),
        audit: signatureEntry(context, proposalId, "POST"),
        now,
      }),
    ],
  });
}

/** Members sign in the dashboard; the log names it as the operation that it would be. */
function signatureEntry(context: Context<MemberActor>, proposalId: string, method: "POST" | "DELETE") {
  const path = `/proposals/${proposalId}/signatures`;
  return auditEntry(context, { method, path, action: null }, null);
}

export type WithdrawResult = { kind: "WITHDRAWN" } | Refused;

const NOT_WITHDRAWN: Record<"NONE" | "ENDED" | "MISSING", string> = {
  NONE: "You have no signature on it to withdraw.",
  ENDED: "It no longer waits, so your signature can no longer be withdrawn.",
  MISSING: "There is no such proposal in this organization.",
};

/**
 * Withdraws the member's own signature while the proposal waits. It only takes away, so it needs no confirmation and no
 * role: someone who lost theirs may still withdraw.
 */
export async function withdrawSignature(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  proposalId: string,
): Promise<WithdrawResult> {
  const { organizationId, actor, now } = context;
  const { rows } = await services.pool.query<{ outcome: "WITHDRAWN" | keyof typeof NOT_WITHDRAWN }>({
    name: "withdraw_signature",
    text: "select withdraw_signature($1, $2, $3, $4, $5) as outcome",
    values: [
      organizationId,
      proposalId,
      actor.id,
      JSON.stringify(signatureEntry(context, proposalId, "DELETE")),
      now,
    ],
  });
  const outcome = rows[0]?.outcome ?? "MISSING";
  return outcome === "WITHDRAWN"
    ? { kind: "WITHDRAWN" }
    : { kind: "REFUSED", message: NOT_WITHDRAWN[outcome] };
}
