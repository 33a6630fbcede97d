import type { TransferDirection } from "@/lib/contract/transfer";
import { readPaidPayees } from "@/lib/core/payees/read-paid-payees";
import { type MatchedVersion, matchPolicies, type PolicySubject } from "@/lib/core/policies/match-proposal";
import { readPolicyInForce } from "@/lib/core/policies/read-policy";
import type { Queryable } from "@/lib/db/transaction";

interface ProposedTransfer {
  id: string;
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
  direction: TransferDirection;
}

/**
 * What the policy in force asks for a transfer that is proposed now, among that how long people have to decide; null: there
 * is none.
 * @param where `now` is business time
 */
export async function matchInForce(
  database: Queryable,
  where: { organizationId: string; now: Date },
  requester: Pick<PolicySubject["requester"], "kind" | "id">,
  { id, direction, ...move }: ProposedTransfer,
): Promise<MatchedVersion | null> {
  const { organizationId, now } = where;
  const inForce = await readPolicyInForce(database, organizationId);
  if (inForce.version === 0) return null;
  const payees =
    direction === "MONEY_OUT"
      ? await readPaidPayees(database, organizationId, [move.destinationAccountId], id, now)
      : [];
  const [matched] = await matchPolicies({ database, organizationId }, [inForce], {
    id,
    kind: "TRANSFER",
    createdAt: now,
    requester: { ...requester, memberIds: [] },
    novelties: payees.map(({ novelty }) => novelty),
    moves: [{ ...move, direction }],
    bornUnder: inForce.version,
  });
  return matched ?? null;
}
