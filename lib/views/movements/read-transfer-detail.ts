import { type AccountType, canBeSource, type ExternalAccountType } from "@/lib/contract/account";
import { accountHref } from "@/lib/contract/account-hrefs";
import { movementHref } from "@/lib/contract/movement-search";
import { ruleHref, runHref } from "@/lib/contract/rule-hrefs";
import type { MovementPartyView, TransferDetailView } from "@/lib/contract/views/movements-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import { buildLife, type LifeFacts } from "@/lib/views/movements/build-life";
import { readBooks } from "@/lib/views/movements/read-books";
import { shortId } from "@/lib/views/movements/short-id";
import {
  isCancellable,
  partyNames,
  readTransferRows,
  type TransferMovementRow,
  transferStatus,
} from "@/lib/views/movements/transfer-movement-row";

/** One transfer with its life and its entries; null when the organization has none with this id. */
export async function readTransferDetail(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  id: string,
  time: TimeContext,
): Promise<TransferDetailView | null> {
  const { pool } = services;
  const { organizationId, actor, now } = context;
  const [[row], extra, books] = await Promise.all([
    readTransferRows(pool, organizationId, [id]),
    readExtra(pool, organizationId, id),
    readBooks(pool, organizationId, { transferId: id }),
  ]);
  if (!row || !extra) return null;
  const status = transferStatus(row, now);
  const { fromName, toName } = partyNames(row);
  const facts: LifeFacts = {
    row,
    status,
    viewerId: actor.id,
    updatedAt: extra.updated_at,
    returnedAt: extra.returned_at,
    cancelledByName: extra.cancelled_by_name,
    runHref: runHrefOf(row),
    now,
  };
  return {
    kind: "TRANSFER",
    id: row.id,
    shortId: shortId(row.id),
    from: partyOf(fromName, row.source_account_id),
    to: partyOf(toName, row.destination_account_id),
    amountInCents: row.amount_in_cents,
    status,
    isAssistant: row.asker_kind === "ASSISTANT",
    statusAt: statusAt(row, status, extra).toISOString(),
    createdAt: row.created_at.toISOString(),
    life: buildLife(facts),
    books,
    reason: row.reason_for_approval,
    label: row.description,
    rule:
      row.rule_id !== null && row.rule_name !== null
        ? { name: row.rule_name, href: ruleHref(row.rule_id), runHref: runHrefOf(row) }
        : null,
    approvalHref: row.proposal_state === null ? null : proposalHref(row.id),
    bankReferences: extra.references,
    canCancel: isCancellable(row) && mayDecide(actor),
    moveBackHref: mayMoveBack(row, status, extra, actor) ? `/transfers/${row.id}/move-back` : null,
    receiptHref: RECEIPTED.has(status) ? `${movementHref("TRANSFERS", row.id)}/receipt` : null,
    pageHref: movementHref("TRANSFERS", row.id),
    viewer: { canDecide: mayDecide(actor) },
    time,
  };
}

/** What moved, also where the bank has sent it back since: a receipt says both. */
const RECEIPTED: ReadonlySet<TransferDetailView["status"]> = new Set(["SETTLED", "RETURNED"]);

interface ExtraRow {
  updated_at: Date;
  returned_at: Date | null;
  cancelled_by_name: string | null;
  references: string[];
  source_is_closed: boolean | null;
  destination_is_closed: boolean | null;
  destination_type: AccountType | null;
  destination_external_type: ExternalAccountType | null;
}

/** What only the page of one transfer needs. */
async function readExtra(
  database: Queryable,
  organizationId: string,
  id: string,
): Promise<ExtraRow | undefined> {
  const { rows } = await database.query<ExtraRow>({
    name: "read_transfer_detail",
    text: `
      select t.updated_at, (select name from users where id = t.cancelled_by) as cancelled_by_name,
          (select max(n.occurred_at) from bank_notices n
            where n.organization_id = $1 and n.transfer_id = t.id and n.kind = 'RETURNED') as returned_at,
          array(select distinct reference from (
            select t.bank_reference as reference
            union all
            (select n.reference from bank_notices n where n.organization_id = $1 and n.transfer_id = t.id limit 10)) named
            where reference is not null order by reference) as references,
          s.deleted_at is not null as source_is_closed, d.deleted_at is not null as destination_is_closed,
          d.type as destination_type, d.external_account_type as destination_external_type
        from transfers t
        left join accounts s on s.organization_id = $1 and s.id = t.source_account_id
        left join accounts d on d.organization_id = $1 and d.id = t.destination_account_id
       where t.organization_id = $1 and t.id = $2`,
    values: [organizationId, id],
  });
  return rows[0];
}

function partyOf(name: string, accountId: string | null): MovementPartyView {
  return { name, href: accountId === null ? null : accountHref(accountId) };
}

function runHrefOf({ rule_id, rule_execution_id }: TransferMovementRow): string | null {
  return rule_id !== null && rule_execution_id !== null ? runHref(rule_id, rule_execution_id) : null;
}

/** When it came to where it stands. */
function statusAt(row: TransferMovementRow, status: TransferDetailView["status"], extra: ExtraRow): Date {
  switch (status) {
    case "DRY_RUN":
    case "WAITING":
      return row.created_at;
    case "DENIED":
    case "REVOKED":
    case "EXPIRED":
      return row.decided_at ?? row.proposal_expires_at ?? extra.updated_at;
    case "RETURNED":
      return extra.returned_at ?? extra.updated_at;
    case "ON_ITS_WAY":
      return extra.updated_at;
    default:
      return row.completed_at ?? extra.updated_at;
  }
}

/** Settled between two open accounts of the organization, the other of which can give. */
function mayMoveBack(
  row: TransferMovementRow,
  status: TransferDetailView["status"],
  extra: ExtraRow,
  actor: MemberActor,
): boolean {
  if (status !== "SETTLED" || !mayDecide(actor)) return false;
  if (row.source_account_id === null || extra.destination_type === null) return false;
  if (extra.source_is_closed || extra.destination_is_closed) return false;
  return canBeSource(extra.destination_type, extra.destination_external_type);
}
