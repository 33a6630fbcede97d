import type { DenialReason } from "@/lib/contract/approvals/denial";
import { bankingDayAt } from "@/lib/contract/banking-days";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { ConfirmationMethod } from "@/lib/core/sign-in/confirmation";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

export interface WrittenReason extends DenialReason {
  askAgainAfter: Date | null;
}

export interface WrittenDecision {
  state: "APPROVED" | "DENIED";
  /** `TEST_PERSON`: a program, in a sandbox. */
  method: ConfirmationMethod | "TEST_PERSON";
  passkeyName: string | null;
  note: string | null;
  /** Of a denial, for the program; null: none. */
  reason: WrittenReason | null;
  /** Null for a denial, which does not depend on what was shown. */
  digest: string | null;
  /** Whose requirements are met, of an approval under a policy; unset: one decider decides. */
  policyVersions: readonly number[] | undefined;
}

/**
 * Records who decided a proposal, when and how, and writes the notice to the other deciders, in the deciding transaction;
 * then accepts an approved transfer, or ends what was denied. An approved run is accepted with its plan by the caller, who
 * has locked or created the proposal, and for a transfer its ledgers.
 * @returns null, or the code with which the approved transfer will fail
 */
export async function writeDecision(
  client: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  proposalId: string,
  { state, method, passkeyName, note, reason, digest, policyVersions }: WrittenDecision,
): Promise<string | null> {
  const { rows } = await client.query<{ errorCode: string | null }>({
    name: "write_decision",
    text: `select write_decision($1) as "errorCode"`,
    values: [
      JSON.stringify({
        organizationId,
        proposalId,
        state,
        userId: actor.id,
        method,
        passkeyName,
        note,
        reason,
        digest,
        ...(policyVersions && { policyVersions }),
        noticeId: newId(now),
        expectedCompletionDate: bankingDayAt(now),
        now,
      }),
    ],
  });
  return rows[0]?.errorCode ?? null;
}
