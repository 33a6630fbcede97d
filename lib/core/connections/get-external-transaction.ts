import { AppError } from "@/lib/contract/error";
import type { ExternalTransaction } from "@/lib/contract/external-transaction";
import {
  EXTERNAL_TRANSACTION_COLUMNS,
  type ExternalTransactionRow,
  toExternalTransaction,
} from "@/lib/core/connections/external-transaction-row";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { covers, requirePermission } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

/**
 * One movement on a connected account, however old.
 * @throws AppError `EXTERNAL_TRANSACTION_NOT_FOUND` (also for another organization's, and for one that the institution
 * took back), `ACCESS_DENIED` when its account is outside the key's list.
 */
export async function getExternalTransaction(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  id: string,
): Promise<ExternalTransaction> {
  const permission = requirePermission(context.actor, "READ_TRANSFERS");
  const { rows } = await services.pool.query<ExternalTransactionRow>({
    name: "get_external_transaction",
    text: `select ${EXTERNAL_TRANSACTION_COLUMNS} from external_transactions x
            where x.organization_id = $1 and x.id = $2 and x.vanished_at is null`,
    values: [context.organizationId, id],
  });
  const row = rows[0];
  if (!row) {
    throw new AppError("EXTERNAL_TRANSACTION_NOT_FOUND", `There is no external transaction ${id}.`);
  }
  if (!covers(permission.accounts, row.account_id)) {
    throw new AppError(
      "ACCESS_DENIED",
      "The account of this transaction is outside the list of this key's READ_TRANSFERS permission.",
    );
  }
  return toExternalTransaction(row);
}
