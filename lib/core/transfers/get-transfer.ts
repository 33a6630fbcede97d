import { AppError } from "@/lib/contract/error";
import type { Transfer } from "@/lib/contract/transfer";
import type { CallerActor, Context } from "@/lib/core/context";
import { covers, requirePermission } from "@/lib/core/keys/permits";
import {
  TRANSFER_COLUMNS,
  TRANSFER_JOINS,
  type TransferRow,
  toTransfer,
} from "@/lib/core/transfers/transfer-row";
import type { Services } from "@/lib/platform/services";

/**
 * One transfer, for a key that may read its source or its destination.
 * @throws AppError `TRANSFER_NOT_FOUND` (also for another organization's), `ACCESS_DENIED`.
 */
export async function getTransfer(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  transferId: string,
): Promise<Transfer> {
  const permission = requirePermission(context.actor, "READ_TRANSFERS");
  const { rows } = await services.pool.query<TransferRow>({
    name: "get_transfer",
    text: `select ${TRANSFER_COLUMNS} from transfers t ${TRANSFER_JOINS} where t.organization_id = $1 and t.id = $2`,
    values: [context.organizationId, transferId],
  });
  const row = rows[0];
  if (!row) throw new AppError("TRANSFER_NOT_FOUND", `There is no transfer ${transferId}.`);
  const parties = [row.source_account_id, row.destination_account_id];
  if (!parties.some((id) => id !== null && covers(permission.accounts, id))) {
    throw new AppError(
      "ACCESS_DENIED",
      "Neither account of this transfer is in the list of this key's READ_TRANSFERS permission.",
    );
  }
  return toTransfer(row, services.appUrl);
}
