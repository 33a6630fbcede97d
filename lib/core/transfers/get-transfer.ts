import { AppError } from "@/lib/contract/error";
import type { Transfer } from "@/lib/contract/transfer";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { covers, permissionOf, requirePermission } from "@/lib/core/shared/permits";
import {
  isRunReadable,
  TRANSFER_COLUMNS,
  TRANSFER_JOINS,
  type TransferRow,
  toTransfer,
} from "@/lib/core/transfers/transfer-row";
import type { Services } from "@/lib/platform/services";

/**
 * One transfer, for a key that may read its source or its destination. Of a rule's dry run only for one that may read
 * every account that the rule names: its amount may follow from any of them.
 * @throws AppError `TRANSFER_NOT_FOUND` (also for another organization's), `ACCESS_DENIED`.
 */
export async function getTransfer(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  transferId: string,
): Promise<Transfer> {
  const permission = requirePermission(context.actor, "READ_TRANSFERS");
  const readable = permissionOf(context.actor, "READ_ACCOUNTS")?.accounts ?? [];
  const { rows } = await services.pool.query<TransferRow & { is_readable: boolean }>({
    name: "get_transfer",
    text: `
      select ${TRANSFER_COLUMNS},
          t.execution_mode = 'LIVE' or t.rule_execution_id is null or $3::uuid[] is null
            or ${isRunReadable("$1", "t.rule_execution_id", "$3")} as is_readable
        from transfers t ${TRANSFER_JOINS} where t.organization_id = $1 and t.id = $2`,
    values: [context.organizationId, transferId, readable === "ALL" ? null : readable],
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
  if (!row.is_readable) {
    throw new AppError(
      "ACCESS_DENIED",
      "This transfer is of a rule's dry run, whose amounts tell of balances that this key may not read: it lacks READ_ACCOUNTS for an account that the rule names.",
    );
  }
  return toTransfer(row, services.appUrl);
}
