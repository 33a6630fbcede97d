import type { WaitingMovementView } from "@/lib/contract/views/account-page-view";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { listWaitingSubjects, type WaitingSubject } from "@/lib/views/approvals/list-waiting-subjects";

const MAXIMUM_WAITING = 20;

/**
 * Proposals that name the account, soonest to close first: transfers into or out of it, and runs of rules that move
 * something of it, look at it, or might.
 */
export async function listWaitingMovements(
  database: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  accountId: string,
): Promise<WaitingMovementView[]> {
  const waiting = await listWaitingSubjects(database, context);
  return waiting
    .filter((subject) => subject.accountIds.includes(accountId))
    .slice(0, MAXIMUM_WAITING)
    .map((subject) => ({
      id: subject.id,
      href: proposalHref(subject.id),
      subject: subject.view,
      changeInCents: changeOf(subject, accountId),
      expiresAt: subject.expiresAt.toISOString(),
      destinationAccountIds: [...new Set(subject.moves.map((move) => move.destinationAccountId))],
    }));
}

function changeOf({ view, moves }: WaitingSubject, accountId: string): number | null {
  if (view.amountInCents === null) return null;
  return moves.reduce((change, move) => {
    const given = move.destinationAccountId === accountId ? move.amountInCents : 0;
    const taken = move.sourceAccountId === accountId ? move.amountInCents : 0;
    return change + given - taken;
  }, 0);
}
