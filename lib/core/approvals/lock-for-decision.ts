import type { MemberRole } from "@/lib/contract/views/people";
import type { ProposalState } from "@/lib/core/approvals/proposal-facts";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

export type LockedProposal =
  | { kind: "MISSING" }
  | { kind: "MAY_NOT_DECIDE" }
  | {
      kind: "LOCKED";
      state: ProposalState;
      /** It was replaced, and its grace is over; the work that closes its proposals has not run yet. */
      keyHasEnded: boolean;
      expiresAt: Date;
      decidedAt: Date | null;
      decidedByName: string | null;
    };

interface ProposalRow {
  state: ProposalState;
  expires_at: Date;
  decided_at: Date | null;
  decided_by_name: string | null;
}

/**
 * Locks what a decision rests on, in the house's order: key, membership, proposal. Revoking the key, lowering the
 * role and a rival decision each either happened before, and are seen here, or wait until this decision is written.
 */
export async function lockForDecision(
  client: Queryable,
  context: Context<MemberActor>,
  proposalId: string,
): Promise<LockedProposal> {
  const { rows: keys } = await client.query<{ has_ended: boolean }>(
    `select coalesce(ends_at <= $3, false) as has_ended from api_keys where organization_id = $1 and id = (
       select api_key_id from proposals where organization_id = $1 and id = $2) for key share`,
    [context.organizationId, proposalId, context.now],
  );
  const { rows: memberships } = await client.query<{ role: MemberRole }>(
    "select role from memberships where organization_id = $1 and user_id = $2 for share",
    [context.organizationId, context.actor.id],
  );
  const role = memberships[0]?.role;
  if (role !== "OWNER" && role !== "CO_OWNER") return { kind: "MAY_NOT_DECIDE" };
  const { rows } = await client.query<ProposalRow>(
    `select p.state, p.expires_at, p.decided_at,
        (select name from users where id = p.decided_by) as decided_by_name
       from proposals p where p.organization_id = $1 and p.id = $2 for update of p`,
    [context.organizationId, proposalId],
  );
  const row = rows[0];
  if (!row) return { kind: "MISSING" };
  return {
    kind: "LOCKED",
    state: row.state,
    keyHasEnded: keys[0]?.has_ended === true,
    expiresAt: row.expires_at,
    decidedAt: row.decided_at,
    decidedByName: row.decided_by_name,
  };
}
