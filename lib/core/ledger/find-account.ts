import type { Account } from "@/lib/contract/account";
import {
  type AccountDetailRow,
  DETAIL_COLUMNS,
  DETAIL_JOINS,
  toAccount,
} from "@/lib/core/ledger/account-row";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

/** One account with masked numbers, balance and the liability linked to it; null when the organization has none such. */
export async function findAccount(
  database: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  accountId: string,
): Promise<Account | null> {
  const { rows } = await database.query<AccountDetailRow>({
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
  if (!row) return null;
  const linked = rows.find((candidate) => candidate.id === row.linked_account_id) ?? null;
  return toAccount(row, linked, context.now);
}
