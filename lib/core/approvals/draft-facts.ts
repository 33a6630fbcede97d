import type { BankCapabilities } from "@/lib/contract/bank-capabilities";
import { AppError } from "@/lib/contract/error";
import type { MoveDraft } from "@/lib/contract/move";
import type { TransferDirection } from "@/lib/contract/transfer";
import { payeesAmong, policyOf, type TransferApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { readDraftDocuments } from "@/lib/core/approvals/documents/document-facts";
import { movesOfTransfer } from "@/lib/core/approvals/policy-subject";
import { type DraftedTransfer, readDraftSubject } from "@/lib/core/approvals/transfer-subject";
import { readPolicyInForce } from "@/lib/core/policies/read-policy";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { decideTransfer } from "@/lib/core/transfers/decide-transfer";
import { findParties } from "@/lib/core/transfers/find-parties";
import { readOutgoingRoom } from "@/lib/core/transfers/outgoing-cap";
import type { Queryable } from "@/lib/db/transaction";

/** A draft has no id yet, and everything that waits came before it. */
const LATER_THAN_ALL = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export function draftedTransfer(draft: MoveDraft, direction: TransferDirection): DraftedTransfer {
  return {
    direction,
    amountInCents: draft.amountInCents,
    description: draft.achLabel,
    sourceAccountId: draft.sourceAccountId,
    destinationAccountId: draft.destinationAccountId,
  };
}

/**
 * A draft in the form of a waiting proposal, so that its checks and digest are those of any approval. The deciding
 * transaction reads it under its locks. Null: an account belongs to another organization.
 */
export async function readDraftFacts(
  database: Queryable,
  context: Context<MemberActor>,
  draft: MoveDraft,
  direction: TransferDirection,
): Promise<TransferApprovalFacts | null> {
  const { organizationId, actor, now } = context;
  const documents = await readDraftDocuments(database, organizationId, draft.draftId, actor.id);
  const drafted = draftedTransfer(draft, direction);
  const subject = await readDraftSubject(database, organizationId, drafted, now, documents);
  if (!subject) return null;
  const where = { database, organizationId, subjectId: draft.draftId, now };
  const payees = await payeesAmong(where, [subject.destination]);
  const { version } = await readPolicyInForce(database, organizationId);
  const inForce = version === 0 ? null : version;
  const proposal = {
    id: LATER_THAN_ALL,
    createdAt: now,
    batchId: null,
    proposedBy: { kind: "MEMBER" as const, id: actor.id, name: actor.name },
    policyVersions: { atBirth: inForce, inForce },
    requesterMemberIds: [actor.id],
  };
  const policy = await policyOf(where, proposal, payees, "TRANSFER", movesOfTransfer(subject));
  return {
    ...subject,
    ...proposal,
    id: draft.draftId,
    state: "WAITING",
    status: "APPROVAL_PENDING",
    reason: draft.note,
    request: null,
    expiresAt: now,
    aboveCap: null,
    outsideMandate: null,
    requestedAmountInCents: null,
    key: null,
    decision: null,
    outgoing: direction === "MONEY_OUT" ? await readOutgoingRoom(database, organizationId, now) : null,
    payees,
    policy,
  };
}

/** @throws AppError `ACCESS_DENIED` unless the member is an owner or co-owner. */
export function requireMover(context: Context<MemberActor>): void {
  if (mayDecide(context.actor)) return;
  throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may move money. Nothing moved.");
}

/**
 * The direction of a draft, under the rules of a key's transfers.
 * @throws AppError with a sentence for a person if money cannot take this route.
 */
export async function routeOfDraft(
  services: { pool: Queryable; bankCapabilities: BankCapabilities },
  context: Context<MemberActor>,
  draft: MoveDraft,
): Promise<TransferDirection> {
  if (draft.sourceAccountId === draft.destinationAccountId) {
    throw refused("Money cannot move from an account to itself. Choose another one.");
  }
  const { source, destination } = await findParties(services, context, draft);
  // Another organization's account gets the same answer as an unknown one.
  if (!source || !destination) throw refused(NOT_THERE);
  for (const { name, isClosed } of [source, destination]) {
    if (isClosed) throw refused(`${name} is closed. Reopen it or choose another account.`);
  }
  if (source.externalAccountType === "LIABILITY" || source.externalAccountType === "INVESTMENT") {
    throw refused(`Money cannot be drawn from ${source.name} because of its account type.`);
  }
  if (source.type === "EXTERNAL_ACCOUNT" && destination.type === "EXTERNAL_ACCOUNT") {
    throw refused("Sluice cannot move money between two outside accounts. Choose a pod for one of them.");
  }
  const { push, pull, requiresRegistration } = services.bankCapabilities;
  if (source.type === "EXTERNAL_ACCOUNT" && !pull) {
    throw refused("This bank cannot draw money from outside accounts. Ask the other side to send it.");
  }
  if (destination.type === "EXTERNAL_ACCOUNT" && !push) {
    throw refused("This bank cannot send money to outside accounts.");
  }
  const outside = [source, destination].find(({ type }) => type === "EXTERNAL_ACCOUNT");
  if (outside && requiresRegistration && !outside.isRegistered) {
    throw refused(
      outside.externalAccountType === "DEPOSITORY"
        ? `${outside.name} is not registered at the bank yet. An owner or co-owner can register it on its page.`
        : `This bank sends money only to accounts that are registered with it. Add ${outside.name} as a payee.`,
    );
  }
  const { direction } = decideTransfer({
    source,
    destination,
    amountInCents: draft.amountInCents,
    grant: { maximumAmountInCents: null },
    approvalRequired: true,
    bankCapabilities: services.bankCapabilities,
  });
  return direction;
}

export const NOT_THERE = "This account does not exist. Reload the page.";

export function refused(message: string): AppError {
  return new AppError("INVALID_PARAMETERS", `${message} Nothing moved.`);
}
