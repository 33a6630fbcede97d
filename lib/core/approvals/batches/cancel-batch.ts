import type { TransferBatch } from "@/lib/contract/approvals/batch";
import { AppError } from "@/lib/contract/error";
import { getBatch } from "@/lib/core/approvals/batches/read-batch";
import type { CallerActor, Context, SentRequest } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import { DELIVER_EVENTS, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { type WriteResult, writeOnce } from "@/lib/core/shared/write-once";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";

/** What `withdraw_batch` answers. */
type Outcome = "CANCELED" | "ALREADY" | "MISSING" | "OTHERS" | "APPROVED" | "DENIED" | "EXPIRED" | "REVOKED";

/** Null: it is canceled, now or by an earlier call of the same caller. */
const TOO_LATE: Record<Exclude<Outcome, "MISSING" | "OTHERS">, string | null> = {
  CANCELED: null,
  ALREADY: null,
  APPROVED: "It was approved: cancel its transfers one by one, while they have not left.",
  DENIED: "A person has denied it. Nothing moves.",
  EXPIRED: "It expired without a decision. Nothing moves.",
  REVOKED: "It ended with the access of its key. Nothing moves.",
};

/**
 * Takes a batch back as a whole for the caller that requested it, while it waits. Repeating it answers the same.
 * @throws AppError `TRANSFER_NOT_FOUND`, `ACCESS_DENIED` for another's, `TOO_LATE_TO_CANCEL`, `UNAUTHORIZED` if the key was
 * revoked during the request.
 */
export async function cancelTransferBatch(
  services: Services,
  context: Context<CallerActor>,
  { batchId, sent }: { batchId: string; sent: SentRequest },
): Promise<WriteResult> {
  requirePermission(context.actor, "MANUAL_TRANSFER");
  const request = { sent, auditAction: null, status: 200, idempotency: null };
  const result = await writeOnce(services, context, request, async (client): Promise<TransferBatch> => {
    const { rows } = await client.query<{ outcome: Outcome }>({
      name: "withdraw_batch",
      text: "select withdraw_batch($1, $2, $3, $4) as outcome",
      values: [context.organizationId, batchId, context.actor.id, context.now],
    });
    requireCanceled(rows[0]?.outcome ?? "MISSING", batchId);
    return getBatch({ pool: client, appUrl: services.appUrl }, context, batchId);
  });
  incrementCounter("transfers", "WITHDRAWN");
  for (const work of [SEND_NOTICES, DELIVER_EVENTS]) services.wake(work);
  return result;
}

/** @throws AppError */
function requireCanceled(outcome: Outcome, batchId: string): void {
  if (outcome === "MISSING") throw new AppError("TRANSFER_NOT_FOUND", `There is no batch ${batchId}.`);
  if (outcome === "OTHERS") {
    throw new AppError(
      "ACCESS_DENIED",
      "This key did not request this batch. A program cancels only what it requested itself.",
    );
  }
  const why = TOO_LATE[outcome];
  if (why !== null) throw new AppError("TOO_LATE_TO_CANCEL", `This batch was not canceled. ${why}`);
}
