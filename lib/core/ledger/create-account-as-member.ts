import type { NewAccountInput } from "@/lib/contract/account-fields";
import { openAccount } from "@/lib/core/ledger/open-account";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { OPEN_AT_BANK } from "@/lib/core/shared/work-names";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Opens a pod or an income source that a member asks for in the dashboard.
 * @returns its id.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS` for a beneficiary that is not there.
 */
export async function createAccountAsMember(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  input: NewAccountInput,
): Promise<string> {
  const account = await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "open an account");
    return openAccount(client, context, {
      type: input.type,
      name: input.name,
      description: input.description ?? null,
      beneficiaryId: input.beneficiaryId ?? null,
      floorInCents: input.floorInCents,
      savingsTargetInCents: input.savingsTargetInCents ?? null,
    });
  });
  if (input.type === "INCOME_SOURCE") services.wake(OPEN_AT_BANK);
  return account.id;
}
