import type { CardTransaction } from "@/lib/contract/card-transaction";
import { AppError } from "@/lib/contract/error";
import {
  CARD_TRANSACTION_COLUMNS,
  CARD_TRANSACTION_JOINS,
  type CardTransactionRow,
  toCardTransaction,
} from "@/lib/core/cards/card-transaction-row";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { covers, requirePermission } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

/**
 * One card transaction, for a key that may read its account.
 * @throws AppError `CARD_TRANSACTION_NOT_FOUND` (also for another organization's), `ACCESS_DENIED`.
 */
export async function getCardTransaction(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  id: string,
): Promise<CardTransaction> {
  const permission = requirePermission(context.actor, "READ_TRANSFERS");
  const { rows } = await services.pool.query<CardTransactionRow>({
    name: "get_card_transaction",
    text: `select ${CARD_TRANSACTION_COLUMNS} from card_transactions t ${CARD_TRANSACTION_JOINS}
            where t.organization_id = $1 and t.id = $2`,
    values: [context.organizationId, id],
  });
  const row = rows[0];
  if (!row) throw new AppError("CARD_TRANSACTION_NOT_FOUND", `There is no card transaction ${id}.`);
  if (!covers(permission.accounts, row.account_id)) {
    throw new AppError(
      "ACCESS_DENIED",
      "The account of this card transaction is outside the list of this key's READ_TRANSFERS permission.",
    );
  }
  return toCardTransaction(row);
}
