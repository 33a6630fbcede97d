import type { CreateTransferBody } from "@/lib/contract/transfer";
import { checkDraft } from "@/lib/core/approvals/checks-for-programs";
import { idempotentCall } from "@/lib/core/demo/act-as";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { type CreateTransferInput, createTransfer } from "@/lib/core/transfers/create-transfer";
import type { Services } from "@/lib/platform/services";

export const TRANSFERS_PATH = "/platform/v1/transfers";

const unread: CreateTransferInput["check"] = () => Promise.resolve([]);

/**
 * Requests a transfer as a program does.
 * @returns its id
 */
export async function askTransfer(
  services: Services,
  context: Context<CallerActor>,
  body: CreateTransferBody,
  idempotencyKey: string | null,
): Promise<string> {
  const { calledReason } = context;
  const result = await createTransfer(services, context, {
    body,
    sent: { method: "POST", path: TRANSFERS_PATH, idempotencyKey, calledReason, body },
    auditAction: "CREATE_TRANSFER",
    idempotency: idempotentCall({ operation: "createTransfer", path: TRANSFERS_PATH }, idempotencyKey, body),
    // Only a stored answer is ever read: the checks of the others are most of what a first start would spend on them.
    check: idempotencyKey === null ? unread : checkDraft,
  });
  if (result.kind !== "CREATED") throw new Error("A demo transfer was requested twice");
  return result.body.data.id;
}
