import type { CreateTransferBody, Transfer } from "@/lib/contract/transfer";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { createTransfer } from "@/lib/core/transfers/create-transfer";
import type { Services } from "@/lib/platform/services";

/** A transfer as a key asks for it now, without an idempotency key. @throws what the verb throws */
export async function askTransfer(
  services: Services,
  context: Context<CallerActor>,
  body: CreateTransferBody,
): Promise<Transfer> {
  const result = await createTransfer(
    services,
    { ...context, now: services.clock.now() },
    {
      body,
      sent: {
        method: "POST",
        path: "/platform/v1/transfers",
        idempotencyKey: null,
        calledReason: null,
        body,
      },
      auditAction: "CREATE_TRANSFER",
      idempotency: null,
    },
  );
  if (result.kind !== "CREATED") throw new Error("A transfer without an idempotency key was replayed");
  return result.body.data;
}
