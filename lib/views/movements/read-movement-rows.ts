import {
  type MovementSearch,
  type MovementTab,
  movementHref,
  movementsHref,
} from "@/lib/contract/movement-search";
import type { MovementRowView } from "@/lib/contract/views/movements-view";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import { type CardMovementRow, cardPartyNames, readCardRows } from "@/lib/views/movements/card-movement-row";
import {
  type OutsideMovementRow,
  outsidePartyNames,
  readOutsideRows,
} from "@/lib/views/movements/outside-movement-row";
import {
  aboutTransfer,
  isCancellable,
  partyNames,
  readTransferRows,
  type TransferMovementRow,
  transferStatus,
} from "@/lib/views/movements/transfer-movement-row";

/** How the list stands around the rows: what their links keep. */
export interface RowSetting {
  search: MovementSearch;
  before: string | null;
  after: string | null;
  openId: string | null;
}

/** The movements with these ids as rows of their list, newest first. */
export async function readMovementRows(
  database: Queryable,
  context: Context<MemberActor>,
  tab: MovementTab,
  ids: readonly string[],
  setting: RowSetting,
): Promise<MovementRowView[]> {
  if (ids.length === 0) return [];
  const { organizationId } = context;
  if (tab === "TRANSFERS") {
    const rows = await readTransferRows(database, organizationId, ids);
    return rows.map((row) => toTransferRow(row, context, setting));
  }
  if (tab === "CARDS") {
    return (await readCardRows(database, organizationId, ids)).map((row) => toCardRow(row, setting));
  }
  return (await readOutsideRows(database, organizationId, ids)).map((row) => toOutsideRow(row, setting));
}

function toTransferRow(
  row: TransferMovementRow,
  context: Context<MemberActor>,
  setting: RowSetting,
): MovementRowView {
  const status = transferStatus(row, context.now);
  return {
    ...linksOf("TRANSFERS", row.id, setting),
    ...partyNames(row),
    at: row.created_at.toISOString(),
    status,
    amountInCents: row.amount_in_cents,
    flow: flowOf(row, status, setting.search),
    about: aboutTransfer(row, status),
    isAssistant: row.asker_kind === "ASSISTANT",
    canCancel: isCancellable(row) && mayDecide(context.actor),
  };
}

/** Seen from the accounts that the list is about, where it names any. */
function flowOf(
  row: TransferMovementRow,
  status: MovementRowView["status"],
  { account }: MovementSearch,
): MovementRowView["flow"] {
  if (status === "DRY_RUN") return "QUIET";
  if (status !== "SETTLED") return "PLAIN";
  if (account.length === 0) return row.direction === "MONEY_IN" ? "IN" : "PLAIN";
  const isOf = (id: string | null) => id !== null && account.includes(id);
  return isOf(row.destination_account_id) && !isOf(row.source_account_id) ? "IN" : "PLAIN";
}

function toCardRow(row: CardMovementRow, setting: RowSetting): MovementRowView {
  return {
    ...linksOf("CARDS", row.id, setting),
    ...cardPartyNames(row),
    at: row.created_at.toISOString(),
    status: "SETTLED",
    amountInCents: row.amount_in_cents,
    flow: row.subtype === "PURCHASE" ? "PLAIN" : "IN",
    about: { kind: "CARD", subtype: row.subtype, cardName: row.card_name, numberEnding: row.number_last4 },
    isAssistant: false,
    canCancel: false,
  };
}

function toOutsideRow(row: OutsideMovementRow, setting: RowSetting): MovementRowView {
  const isOwnTransfer = row.transfer_id !== null;
  const isIn = row.direction === "MONEY_IN";
  return {
    ...linksOf("OUTSIDE", row.id, setting),
    ...outsidePartyNames(row),
    at: row.transaction_date.toISOString(),
    status: row.status === "PENDING" ? "PENDING" : "SETTLED",
    amountInCents: row.amount_in_cents,
    flow: isOwnTransfer ? "QUIET" : isIn ? "IN" : "PLAIN",
    about: { kind: "OUTSIDE", category: row.category, isOwnTransfer, isIncome: isIn },
    isAssistant: false,
    canCancel: false,
  };
}

function linksOf(tab: MovementTab, id: string, { search, before, after, openId }: RowSetting) {
  return {
    id,
    openHref: movementsHref(tab, search, { before, after, open: id }),
    pageHref: movementHref(tab, id),
    isOpen: id === openId,
  };
}
