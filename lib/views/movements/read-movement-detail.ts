import { accountHref } from "@/lib/contract/hrefs";
import { type CardKind, type MovementTab, movementHref } from "@/lib/contract/search/movement-search";
import type { TimeContext } from "@/lib/contract/time-context";
import type { SpendingCategory } from "@/lib/contract/transactions";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";
import {
  cardPartyNames,
  outsidePartyNames,
  readCardRows,
  readOutsideRows,
  shortId,
} from "@/lib/views/movements/movement-rows";
import {
  type CommonDetailView,
  readBooks,
  readTransferDetail,
  type TransferDetailView,
} from "@/lib/views/movements/read-transfer-detail";

export interface CardDetailView extends CommonDetailView {
  kind: "CARD";
  subtype: Uppercase<CardKind>;
  card: { name: string; numberEnding: string };
  category: SpendingCategory | null;
  networkReference: string;
  completedAt: string;
}

export interface OutsideDetailView extends CommonDetailView {
  kind: "OUTSIDE";
  description: string;
  merchantName: string | null;
  category: SpendingCategory | null;
  isIncome: boolean;
  /** Our transfer whose other side this is. */
  transferHref: string | null;
  seenAt: string;
}

/** One movement, as its drawer and its page show it. */
export type MovementDetailView = TransferDetailView | CardDetailView | OutsideDetailView;

/** One movement as its drawer and page show it, for any member; null if the organization has none with this ID. */
export async function readMovementDetail(
  services: Pick<Services, "pool" | "bankCapabilities">,
  context: Context<MemberActor>,
  tab: MovementTab,
  id: string,
  time: TimeContext,
): Promise<MovementDetailView | null> {
  const read = { TRANSFERS: readTransferDetail, CARDS: readCardDetail, OUTSIDE: readOutsideDetail }[tab];
  return read(services, context, id, time);
}

/** One transaction on a connected account; null if the organization has none with this ID or it was withdrawn. */
async function readOutsideDetail(
  services: Pick<Services, "pool" | "bankCapabilities">,
  context: Context<MemberActor>,
  id: string,
  time: TimeContext,
): Promise<OutsideDetailView | null> {
  const [row] = await readOutsideRows(services.pool, context.organizationId, [id]);
  if (!row) return null;
  const { fromName, toName } = outsidePartyNames(row);
  const href = accountHref(row.account_id);
  const isIncome = row.direction === "MONEY_IN";
  return {
    kind: "OUTSIDE",
    id: row.id,
    shortId: shortId(row.id),
    from: { name: fromName, href: isIncome ? null : href },
    to: { name: toName, href: isIncome ? href : null },
    amountInCents: row.amount_in_cents,
    status: row.status === "PENDING" ? "PENDING" : "SETTLED",
    isAssistant: false,
    statusAt: row.transaction_date.toISOString(),
    createdAt: row.transaction_date.toISOString(),
    seenAt: row.created_at.toISOString(),
    books: [],
    description: row.description,
    merchantName: row.merchant_name,
    category: row.category,
    isIncome,
    transferHref: row.transfer_id === null ? null : movementHref("TRANSFERS", row.transfer_id),
    pageHref: movementHref("OUTSIDE", row.id),
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

/** One card transaction; null if the organization has none with this ID. */
async function readCardDetail(
  services: Pick<Services, "pool" | "bankCapabilities">,
  context: Context<MemberActor>,
  id: string,
  time: TimeContext,
): Promise<CardDetailView | null> {
  const { organizationId, actor } = context;
  const [[row], books] = await Promise.all([
    readCardRows(services.pool, organizationId, [id]),
    readBooks(services.pool, organizationId, { cardTransactionId: id }),
  ]);
  if (!row) return null;
  const { fromName, toName } = cardPartyNames(row);
  const href = accountHref(row.account_id);
  const isOut = row.subtype === "PURCHASE";
  return {
    kind: "CARD",
    id: row.id,
    shortId: shortId(row.id),
    from: { name: fromName, href: isOut ? href : null },
    to: { name: toName, href: isOut ? null : href },
    amountInCents: row.amount_in_cents,
    status: "SETTLED",
    isAssistant: false,
    statusAt: row.completed_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at.toISOString(),
    books,
    subtype: row.subtype,
    card: { name: row.card_name, numberEnding: row.number_last4 },
    category: row.category,
    networkReference: row.network_reference,
    pageHref: movementHref("CARDS", row.id),
    viewer: { canDecide: mayDecide(actor) },
    time,
  };
}
