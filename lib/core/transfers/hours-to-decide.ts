import { APPROVAL_EXPIRY_HOURS } from "@/lib/contract/limits";
import type { TransferDirection } from "@/lib/contract/transfer";
import { readPaidPayees } from "@/lib/core/payees/read-paid-payees";
import { matchPolicies, type PolicySubject } from "@/lib/core/policies/match-proposal";
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
 * How long the policy in force leaves people to decide a transfer that is proposed now.
 * @param where `now` is business time
 */
export async function hoursToDecide(
  database: Queryable,
  where: { organizationId: string; now: Date },
  requester: Pick<PolicySubject["requester"], "kind" | "id">,
  { id, direction, ...move }: ProposedTransfer,
): Promise<number> {
  const { organizationId, now } = where;
  const inForce = await readPolicyInForce(database, organizationId);
  if (inForce.version === 0) return APPROVAL_EXPIRY_HOURS;
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
  return matched?.requirement.expiresAfterHours ?? APPROVAL_EXPIRY_HOURS;
}
