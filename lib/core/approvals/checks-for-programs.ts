import type { ProposalCheck } from "@/lib/contract/approvals/proposal-check";
import type { Transfer } from "@/lib/contract/transfer";
import {
  type ApprovalFacts,
  destinationsOf,
  payeesAmong,
  readApprovalFacts,
} from "@/lib/core/approvals/approval-facts";
import { approvalsOf, readApprovals } from "@/lib/core/approvals/approvals-for-programs";
import { readApprovalsOfLine, readBatchApprovals } from "@/lib/core/approvals/batches/batch-signing";
import { runChecks } from "@/lib/core/approvals/checks";
import type { ProposalFacts } from "@/lib/core/approvals/proposal-facts";
import { readDraftedRun } from "@/lib/core/approvals/run-subject";
import { signingOf } from "@/lib/core/approvals/signing";
import { readSharedDraftSubject } from "@/lib/core/approvals/transfer-subject";
import type { TriedRun } from "@/lib/core/rules/trigger-rule";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import type { HeldBack } from "@/lib/core/transfers/create-transfer";
import { readOutgoingRoom } from "@/lib/core/transfers/outgoing-cap";
import { getTransfer } from "@/lib/core/transfers/read-transfers";
import type { Services } from "@/lib/platform/services";
import { checkForProgram } from "@/lib/words/check-words";

/**
 * What the approver of this transfer would read if it were proposed now, in the words for its program. One statement for
 * all that ask at once; what leaves Sluice, or pays a debt or a payee, reads more by itself.
 */
export async function checkDraft(
  { pool }: Pick<Services, "pool">,
  { organizationId, actor, now }: Context<CallerActor>,
  transfer: Transfer,
  held: HeldBack,
): Promise<ProposalCheck[]> {
  const { id, direction, amountInCents, description, source, destination, externalId, metadata } = transfer;
  if (source.id === null || destination.id === null) throw new Error("A requested transfer has both parties");
  const [subject, outgoing] = await Promise.all([
    readSharedDraftSubject(
      pool,
      organizationId,
      {
        direction,
        amountInCents,
        description,
        sourceAccountId: source.id,
        destinationAccountId: destination.id,
        externalId,
        metadata,
      },
      now,
    ),
    direction === "MONEY_OUT" ? readOutgoingRoom(pool, organizationId, now) : null,
  ]);
  if (!subject) throw new Error("The parties of a decided transfer exist");
  const payees = await payeesAmong({ database: pool, organizationId, subjectId: id, now }, [
    subject.destination,
  ]);
  const proposal = proposalOf(actor, now, { id, reason: transfer.reasonForApproval, ...held });
  return checksOf({ ...proposal, ...subject, outgoing, payees, policy: null });
}

/** What the approver of this run would read if it waited now, in the words for its program. As few as dry runs are. */
export async function checkDryRun(
  { pool }: Pick<Services, "pool">,
  { organizationId, actor, now }: Context<CallerActor>,
  { reason, ...run }: TriedRun,
): Promise<ProposalCheck[]> {
  const { id } = run;
  const subject = await readDraftedRun(pool, organizationId, run, now);
  const payees = await payeesAmong(
    { database: pool, organizationId, subjectId: id, now },
    destinationsOf(subject),
  );
  return checksOf({
    ...proposalOf(actor, now, { id, reason, aboveCap: null, outsideMandate: null }),
    ...subject,
    payees,
    policy: null,
  });
}

const checksOf = (facts: ApprovalFacts) => runChecks(facts).map(checkForProgram);

/** A proposal of this caller, made now; what the checks do not read is empty. */
function proposalOf(
  actor: CallerActor,
  now: Date,
  own: Pick<ProposalFacts, "id" | "reason" | "aboveCap" | "outsideMandate">,
): ProposalFacts {
  return {
    ...own,
    state: "WAITING",
    status: "APPROVAL_PENDING",
    request: null,
    batchId: null,
    requestedAmountInCents: null,
    createdAt: now,
    expiresAt: now,
    proposedBy: { kind: actor.kind, id: actor.id, name: actor.name },
    // Checks say nothing about who must sign.
    policyVersions: { atBirth: null, inForce: null },
    requesterMemberIds: [],
    key: {
      id: actor.id,
      createdAt: now,
      createdByName: "",
      lastUsedAt: now,
      isRevoked: false,
      revokedByName: null,
      permissions: actor.permissions,
      memberRole: actor.kind === "ASSISTANT" ? actor.role : null,
    },
    decision: null,
  };
}

/**
 * `getTransfer`, with the checks of one that waits, as its approver sees them now.
 * @throws AppError as `getTransfer`
 */
export async function getCheckedTransfer(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  transferId: string,
): Promise<Transfer> {
  const transfer = await getTransfer(services, context, transferId);
  const { pool } = services;
  if (transfer.status !== "APPROVAL_PENDING") {
    if (!transfer.decision) return { ...transfer, approvals: null };
    const own = await readApprovals(pool, context, transferId);
    return { ...transfer, approvals: own ?? (await readApprovalsOfLine(pool, context, transferId)) };
  }
  const facts = await readApprovalFacts(pool, context.organizationId, transferId, context.now);
  const approvals =
    facts?.batchId == null
      ? facts && approvalsOf(signingOf(facts), facts.expiresAt)
      : await readBatchApprovals(pool, context, facts.batchId);
  return { ...transfer, approvals, checks: facts && checksOf(facts) };
}
