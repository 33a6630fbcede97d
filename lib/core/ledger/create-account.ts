import type { CreateAccountBody } from "@/lib/contract/account-fields";
import { openAccount } from "@/lib/core/ledger/open-account";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import { OPEN_AT_BANK } from "@/lib/core/shared/work-names";
import { type WriteRequest, type WriteResult, writeOnce } from "@/lib/core/shared/write-once";
import type { Services } from "@/lib/platform/services";

/**
 * Opens a pod or an income source that a key asks for (specification, Part 4, "Accounts"). Account, ledger, idempotent
 * result and audit entry are one transaction. A rival with the same idempotency key waits for it and replays.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` for a beneficiary that is not there; as `writeOnce`.
 */
export async function createAccount(
  services: Pick<Services, "pool" | "wake">,
  context: Context<CallerActor>,
  body: CreateAccountBody,
  request: WriteRequest,
): Promise<WriteResult> {
  requirePermission(context.actor, "CREATE_ACCOUNTS");
  const result = await writeOnce(services, context, request, (client) =>
    openAccount(client, context, {
      type: body.type,
      name: body.name,
      description: body.description ?? null,
      beneficiaryId: body.beneficiaryId ?? null,
      // A floor binds what no person approves; a program does not set it, people did for all new pods.
      floorInCents: "OF_ORGANIZATION",
      savingsTargetInCents: body.savingsTargetInCents ?? null,
    }),
  );
  if (result.kind === "RECORDED" && body.type === "INCOME_SOURCE") services.wake(OPEN_AT_BANK);
  return result;
}
