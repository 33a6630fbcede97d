import type { Account } from "@/lib/contract/account";
import { AppError } from "@/lib/contract/error";
import { findAccount } from "@/lib/core/ledger/find-account";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { covers, requirePermission } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

/**
 * One account with masked numbers and balance.
 * @throws AppError `ACCOUNT_NOT_FOUND` (also for another organization's), `ACCESS_DENIED` when the key's list leaves it out.
 */
export async function getAccount(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  accountId: string,
): Promise<Account> {
  const permission = requirePermission(context.actor, "READ_ACCOUNTS");
  const account = await findAccount(services.pool, context, accountId);
  if (!account) throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${accountId}.`);
  if (!covers(permission.accounts, accountId)) {
    throw new AppError(
      "ACCESS_DENIED",
      "This account is outside the list of this key's READ_ACCOUNTS permission.",
    );
  }
  return account;
}
