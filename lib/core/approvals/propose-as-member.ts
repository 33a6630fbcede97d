import { APPROVAL_EXPIRY_MS, REMINDER_BEFORE_EXPIRY_MS } from "@/lib/contract/limits";
import type { DraftedTransfer } from "@/lib/core/approvals/transfer-subject";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

/**
 * Writes a transfer that a member asks for, with its proposal; what a member asks for always waits for a confirmed
 * approval, be it one in this same transaction.
 */
export async function proposeAsMember(
  client: Queryable,
  context: Context<MemberActor>,
  id: string,
  transfer: DraftedTransfer,
  reason: string | null,
): Promise<void> {
  const expiresAt = new Date(context.now.getTime() + APPROVAL_EXPIRY_MS);
  const item = {
    organizationId: context.organizationId,
    apiKeyId: null,
    proposedBy: { kind: "MEMBER", id: context.actor.id, name: context.actor.name },
    now: context.now,
    transfer: {
      ...transfer,
      id,
      status: "APPROVAL_PENDING",
      executionMode: "LIVE",
      origin: "USER",
      reasonForApproval: reason,
      expectedCompletionDate: null,
    },
    request: null,
    noticeId: newId(context.now),
    expiresAt,
    remindAt: new Date(expiresAt.getTime() - REMINDER_BEFORE_EXPIRY_MS),
    idempotency: null,
  };
  await client.query("select * from create_transfers($1)", [JSON.stringify([item])]);
}
