import type { ApprovalStatus } from "@/lib/contract/approvals/approval";
import { movesOfRun, movesOfTransfer, policySubject } from "@/lib/core/approvals/policy-subject";
import {
  PROPOSAL,
  type ProposalFacts,
  type ProposalRow,
  type SubjectStatus,
  toProposalFacts,
} from "@/lib/core/approvals/proposal-facts";
import { type ProposalPolicy, readProposalPolicy } from "@/lib/core/approvals/proposal-policy";
import { type RunSubject, readRunSubject } from "@/lib/core/approvals/run-subject";
import {
  completeTransferSubject,
  type PartyFacts,
  subjectSince,
  TRANSFER_SUBJECT,
  type TransferSubject,
  type TransferSubjectRow,
} from "@/lib/core/approvals/transfer-subject";
import { type PaidPayee, readPaidPayees } from "@/lib/core/payees/read-paid-payees";
import type { PolicySubject } from "@/lib/core/policies/match-proposal";
import { type OutgoingRoom, readOutgoingRoom } from "@/lib/core/transfers/outgoing-cap";
import type { Queryable } from "@/lib/db/transaction";

/** The payees and registered accounts among its destinations. */
interface PaysPayees {
  payees: readonly PaidPayee[];
}

/** What may leave Sluice within 24 hours, for a waiting payment out where that is capped; null otherwise. */
interface LeavesSluice {
  outgoing: OutgoingRoom | null;
}

/** Who must sign, by the policy; null where none was ever published, so one decider decides, and of a line of a batch. */
interface NeedsSignatures {
  policy: ProposalPolicy | null;
}

export type TransferApprovalFacts = ProposalFacts &
  TransferSubject &
  PaysPayees &
  LeavesSluice &
  NeedsSignatures;
export type RunApprovalFacts = ProposalFacts & RunSubject & PaysPayees & NeedsSignatures;

/** Everything about a proposal that its checks and its digest depend on. */
export type ApprovalFacts = TransferApprovalFacts | RunApprovalFacts;

/**
 * The facts of one proposal, or null if the organization has none with this id. The deciding transaction reads them under
 * its locks, so that what is checked is what is decided.
 * @param now business time.
 * @param lowerTo cents that a member considers to approve of a waiting transfer; ignored unless less than its amount
 */
export async function readApprovalFacts(
  database: Queryable,
  organizationId: string,
  proposalId: string,
  now: Date,
  lowerTo: number | null = null,
): Promise<ApprovalFacts | null> {
  const { rows } = await database.query<ProposalRow & TransferSubjectRow>({
    name: "read_approval_facts",
    text: `select f.*, s.* from (${PROPOSAL}) f left join lateral (${TRANSFER_SUBJECT}) s on true`,
    values: [organizationId, proposalId, ...subjectSince(now, lowerTo)],
  });
  const row = rows[0];
  if (!row) return null;
  const proposal = toProposalFacts(row);
  const where = { database, organizationId, subjectId: proposalId, now };
  if (row.kind === "TRANSFER") {
    const subject = await completeTransferSubject(database, organizationId, row);
    const payees = await payeesAmong(where, [subject.destination]);
    const isLowered = row.amountInCents < row.wholeAmountInCents;
    return {
      ...proposal,
      ...subject,
      requestedAmountInCents: proposal.requestedAmountInCents ?? (isLowered ? row.wholeAmountInCents : null),
      payees,
      policy: await policyOf(where, proposal, payees, "TRANSFER", movesOfTransfer(subject)),
      outgoing:
        proposal.state === "WAITING" && subject.direction === "MONEY_OUT"
          ? await readOutgoingRoom(database, organizationId, now)
          : null,
    };
  }
  const subject = await readRunSubject(database, organizationId, proposalId, now);
  const payees = await payeesAmong(where, destinationsOf(subject));
  const policy = await policyOf(where, proposal, payees, "RUN", movesOfRun(subject));
  return { ...proposal, ...subject, payees, policy };
}

/** The accounts that a run pays, by its plan. */
export function destinationsOf({ plan, accounts }: Pick<RunSubject, "plan" | "accounts">): PartyFacts[] {
  const ids = new Set(plan?.moves.map(({ destinationAccountId }) => destinationAccountId));
  return [...ids].flatMap((id) => {
    const account = accounts[id];
    return account ? [{ id, ...account }] : [];
  });
}

/** Without a policy at its birth or now, nothing is read; nor of a line of a batch, which is signed with the others. */
export async function policyOf(
  where: PaidWhere,
  proposal: Pick<
    ProposalFacts,
    "id" | "createdAt" | "batchId" | "proposedBy" | "policyVersions" | "requesterMemberIds"
  >,
  payees: readonly PaidPayee[],
  kind: PolicySubject["kind"],
  moves: PolicySubject["moves"],
): Promise<ProposalPolicy | null> {
  const { atBirth, inForce } = proposal.policyVersions;
  if (proposal.batchId !== null || (atBirth === null && inForce === null)) return null;
  return readProposalPolicy(where, policySubject(proposal, payees, kind, moves));
}

interface PaidWhere {
  database: Queryable;
  organizationId: string;
  /** The transfer or run that pays. */
  subjectId: string;
  /** Business time. */
  now: Date;
}

/** Between accounts of Sluice, as usual, it asks nothing. */
export async function payeesAmong(
  { database, organizationId, subjectId, now }: PaidWhere,
  destinations: readonly PartyFacts[],
): Promise<PaidPayee[]> {
  // Only payees are outside and of no kind of outside account; only deposit accounts are registered.
  const ids = destinations.flatMap(({ id, type, externalAccountType }) =>
    type === "EXTERNAL_ACCOUNT" && (externalAccountType === null || externalAccountType === "DEPOSITORY")
      ? [id]
      : [],
  );
  return ids.length === 0 ? [] : readPaidPayees(database, organizationId, ids, subjectId, now);
}

/** A proposal past its expiry is expired for every reader, even before the worker has recorded it. */
export function approvalStatus(
  facts: Pick<ProposalFacts, "state" | "status" | "expiresAt">,
  now: Date,
): ApprovalStatus {
  if (facts.state === "WAITING") return facts.expiresAt <= now ? "EXPIRED" : "WAITING";
  if (facts.state === "EXPIRED") return "EXPIRED";
  if (facts.state !== "APPROVED") return facts.state;
  return statusOfAccepted(facts.status);
}

export function statusOfAccepted(status: SubjectStatus): ApprovalStatus {
  switch (status) {
    case "COMPLETE":
    case "EXECUTED":
      return "SETTLED";
    case "FAILED":
    case "CANCELLED":
    case "RETURNED":
    case "PARTIAL":
      return status;
    default:
      return "ON_ITS_WAY";
  }
}
