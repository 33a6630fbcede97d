import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { ConfirmationMethod } from "@/lib/core/sign-in/confirmation";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

export interface WrittenDecision {
  state: "APPROVED" | "DENIED";
  method: ConfirmationMethod;
  passkeyName: string | null;
  note: string | null;
  /** Null for a denial, which does not depend on what was shown. */
  digest: string | null;
}

/**
 * Records who decided a proposal, when and how, and writes the notice to the other deciders, in the deciding transaction.
 * The caller has locked or created the proposal in this transaction and carries out the decision.
 */
export async function writeDecision(
  client: Queryable,
  context: Context<MemberActor>,
  proposalId: string,
  { state, method, passkeyName, note, digest }: WrittenDecision,
): Promise<void> {
  await client.query(
    `update proposals set state = $3, decided_at = $4, decided_by = $5, decision_method = $6,
        decision_passkey_name = $7, decision_note = $8, decision_digest = $9, remind_at = null
      where organization_id = $1 and id = $2`,
    [
      context.organizationId,
      proposalId,
      state,
      context.now,
      context.actor.id,
      method,
      passkeyName,
      note,
      digest,
    ],
  );
  await client.query(
    `insert into notices (organization_id, id, kind, proposal_id, created_at, due_at)
     values ($1, $2, 'APPROVAL_DECIDED', $3, $4, $4)`,
    [context.organizationId, newId(context.now), proposalId, context.now],
  );
}
