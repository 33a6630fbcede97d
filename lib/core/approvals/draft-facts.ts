import type { MoveDraft } from "@/lib/contract/move";
import type { TransferDirection } from "@/lib/contract/transfer";
import type { TransferApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { type DraftedTransfer, readDraftSubject } from "@/lib/core/approvals/transfer-subject";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

/** The transfer that a draft would become. */
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
 * A draft as if it were a proposal that waits, so that its checks and its digest are those of any approval. Inside the
 * deciding transaction it reads under that transaction's locks. Null: an account is not the organization's.
 */
export async function readDraftFacts(
  database: Queryable,
  context: Context<MemberActor>,
  draft: MoveDraft,
  direction: TransferDirection,
): Promise<TransferApprovalFacts | null> {
  const { organizationId, actor, now } = context;
  const subject = await readDraftSubject(database, organizationId, draftedTransfer(draft, direction), now);
  if (!subject) return null;
  return {
    ...subject,
    id: draft.draftId,
    state: "WAITING",
    status: "APPROVAL_PENDING",
    reason: draft.note,
    request: null,
    createdAt: now,
    expiresAt: now,
    proposedBy: { kind: "MEMBER", id: actor.id, name: actor.name },
    aboveCap: null,
    key: null,
    decision: null,
  };
}
