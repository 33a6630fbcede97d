import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import type {
  AccountRole,
  ExecutionMode,
  Transfer,
  TransferDirection,
  TransferStatus,
} from "@/lib/contract/transfer";
import { requireReadableAccounts } from "@/lib/core/keys/require-readable-accounts";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { permissionOf } from "@/lib/core/shared/permits";
import {
  isRunReadable,
  TRANSFER_COLUMNS,
  TRANSFER_JOINS,
  type TransferRow,
  toTransfer,
} from "@/lib/core/transfers/transfer-row";
import type { Services } from "@/lib/platform/services";

export interface ListTransfersInput extends PageRequest {
  /** At least one; transfers in or out of any of them. */
  accountIds: readonly string[];
  /** On which side of the transfer the accounts are. */
  accountRole: AccountRole;
  executionMode: ExecutionMode;
  status: TransferStatus | null;
  direction: TransferDirection | null;
  ruleExecutionId: string | null;
  /** On `createdAt`, both inclusive. */
  from: Date | null;
  to: Date | null;
}

/**
 * Transfers in or out of the given accounts, newest first; of dry runs of rules only those whose amounts the key may know
 * (`isRunReadable`).
 * @throws AppError `ACCOUNT_NOT_FOUND` for an account that is not the organization's, `ACCESS_DENIED` for one outside
 * the key's list.
 */
export async function listTransfers(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  input: ListTransfersInput,
): Promise<Page<Transfer>> {
  await requireReadableAccounts(services, context, input.accountIds);
  const readable = permissionOf(context.actor, "READ_ACCOUNTS")?.accounts ?? [];
  const isBounded = input.executionMode === "SIMULATION" && readable !== "ALL";
  const { rows } = await services.pool.query<TransferRow>({
    name: isBounded ? "list_readable_dry_runs" : "list_transfers",
    text: isBounded ? LIST_READABLE_DRY_RUNS : LIST_TRANSFERS,
    values: [
      context.organizationId,
      input.accountIds,
      input.executionMode,
      input.status,
      input.direction,
      input.ruleExecutionId,
      input.from,
      input.to,
      input.pageSize + 1,
      (input.page - 1) * input.pageSize,
      input.accountRole,
      ...(isBounded ? [readable] : []),
    ],
  });
  return toPage(rows, input, (row) => toTransfer(row, services.appUrl));
}

/**
 * Each account and side is read down its own index (newest first, no further than the page needs) and the few rows
 * are merged, so that a page costs the same however many transfers there are. A transfer between two of the accounts
 * is met twice and counted once. A side that is not asked for is not read: its condition on $11 names no column, so that
 * the database decides it once, before the scan.
 */
const listTransfersWhere = (condition: string) => `
  with page as (
    select id from (
      select distinct id from (
        select side.id from unnest($2::uuid[]) as account(id)
        cross join lateral (
          (select id from transfers
            where $11 <> 'destination' and organization_id = $1 and source_account_id = account.id and execution_mode = $3
              and ($4::text is null or status = $4) and ($5::text is null or direction = $5)
              and ($6::uuid is null or rule_execution_id = $6)
              and ($7::timestamptz is null or created_at >= $7) and ($8::timestamptz is null or created_at <= $8)
              ${condition}
            order by id desc limit $9::int + $10::int)
          union all
          (select id from transfers
            where $11 <> 'source' and organization_id = $1 and destination_account_id = account.id and execution_mode = $3
              and ($4::text is null or status = $4) and ($5::text is null or direction = $5)
              and ($6::uuid is null or rule_execution_id = $6)
              and ($7::timestamptz is null or created_at >= $7) and ($8::timestamptz is null or created_at <= $8)
              ${condition}
            order by id desc limit $9::int + $10::int)) as side
      ) as met
    ) as once
    order by id desc limit $9::int offset $10::int)
  select ${TRANSFER_COLUMNS}
    from page join transfers t on t.organization_id = $1 and t.id = page.id ${TRANSFER_JOINS}
   order by t.id desc`;

const LIST_TRANSFERS = listTransfersWhere("");
/** An amount of a rule's dry run may follow from the balance of any account that the rule names. */
const LIST_READABLE_DRY_RUNS = listTransfersWhere(
  `and (rule_execution_id is null or ${isRunReadable("$1", "rule_execution_id", "$12")})`,
);
