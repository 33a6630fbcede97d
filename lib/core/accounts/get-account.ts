import type { Account } from "@/lib/contract/account";
import { AppError } from "@/lib/contract/error";
import {
  type AccountDetailRow,
  DETAIL_COLUMNS,
  DETAIL_JOINS,
  toAccount,
} from "@/lib/core/accounts/account-row";
import type { ApiKeyActor, Context } from "@/lib/core/context";
import { covers, requirePermission } from "@/lib/core/keys/permits";
import type { Services } from "@/lib/platform/services";

/**
 * One account with masked numbers and balance.
 * @throws AppError `ACCOUNT_NOT_FOUND` (also for another organization's), `ACCESS_DENIED` when the key's list leaves it out.
 */
export async function getAccount(
  services: Pick<Services, "pool">,
  context: Context<ApiKeyActor>,
  accountId: string,
): Promise<Account> {
  const permission = requirePermission(context.actor, "READ_ACCOUNTS");
  const { rows } = await services.pool.query<AccountDetailRow>({
    name: "get_account",
    // The account and, where there is one, the liability linked to it.
    text: `
      select ${DETAIL_COLUMNS}
        from accounts a ${DETAIL_JOINS}
       where a.organization_id = $1
         and a.id in ($2, (select linked_account_id from accounts where organization_id = $1 and id = $2))`,
    values: [context.organizationId, accountId],
  });
  const row = rows.find((candidate) => candidate.id === accountId);
  if (!row) throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${accountId}.`);
  if (!covers(permission.accounts, accountId)) {
    throw new AppError(
      "ACCESS_DENIED",
      "This account is outside the list of this key's READ_ACCOUNTS permission.",
    );
  }
  const linked = rows.find((candidate) => candidate.id === row.linked_account_id) ?? null;
  return toAccount(row, linked, context.now);
}
