import { accountHref } from "@/lib/contract/hrefs";
import { type MovementTab, movementHref } from "@/lib/contract/search/movement-search";
import { mayDecide } from "@/lib/core/shared/permits";
import {
  cardPartyNames,
  outsidePartyNames,
  readCardRows,
  readOutsideRows,
  shortId,
} from "@/lib/views/movements/movement-rows";
import {
  readBooks,
  readTransferDetail,
  type TransferDetailView,
} from "@/lib/views/movements/read-transfer-detail";
import type { TimedReading } from "@/lib/views/reading";

/** One movement, as its drawer and its page show it. */
export type MovementDetailView = TransferDetailView | CardDetailView | OutsideDetailView;

/** One movement as its drawer and page show it, for any member; null if the organization has none with this ID. */
export async function readMovementDetail(
  reading: TimedReading<"pool" | "bankCapabilities">,
  tab: MovementTab,
  id: string,
): Promise<MovementDetailView | null> {
  const read = { TRANSFERS: readTransferDetail, CARDS: readCardDetail, OUTSIDE: readOutsideDetail }[tab];
  return read(reading, id);
}

/** One transaction on a connected account; null if the organization has none with this ID or it was withdrawn. */
async function readOutsideDetail({ services, context, time }: TimedReading, id: string) {
  const [row] = await readOutsideRows(services.pool, context.organizationId, [id]);
  if (!row) return null;
  const { fromName, toName } = outsidePartyNames(row);
  const href = accountHref(row.accountId);
  const isIncome = row.direction === "MONEY_IN";
  return {
    kind: "OUTSIDE" as const,
    id: row.id,
    shortId: shortId(row.id),
    from: { name: fromName, href: isIncome ? null : href },
    to: { name: toName, href: isIncome ? href : null },
    amountInCents: row.amountInCents,
    status: row.status === "PENDING" ? ("PENDING" as const) : ("SETTLED" as const),
    isAssistant: false,
    statusAt: row.transactionDate.toISOString(),
    createdAt: row.transactionDate.toISOString(),
    seenAt: row.createdAt.toISOString(),
    books: [],
    description: row.description,
    merchantName: row.merchantName,
    category: row.category,
    isIncome,
    /** Our transfer whose other side this is. */
    transferHref: row.transferId === null ? null : movementHref("TRANSFERS", row.transferId),
    pageHref: movementHref("OUTSIDE", row.id),
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

export type OutsideDetailView = NonNullable<Awaited<ReturnType<typeof readOutsideDetail>>>;

/** One card transaction; null if the organization has none with this ID. */
async function readCardDetail({ services, context, time }: TimedReading, id: string) {
  const { organizationId, actor } = context;
  const [[row], books] = await Promise.all([
    readCardRows(services.pool, organizationId, [id]),
    readBooks(services.pool, organizationId, { cardTransactionId: id }),
  ]);
  if (!row) return null;
  const { fromName, toName } = cardPartyNames(row);
  const href = accountHref(row.accountId);
  const isOut = row.subtype === "PURCHASE";
  return {
    kind: "CARD" as const,
    id: row.id,
    shortId: shortId(row.id),
    from: { name: fromName, href: isOut ? href : null },
    to: { name: toName, href: isOut ? null : href },
    amountInCents: row.amountInCents,
    status: "SETTLED" as const,
    isAssistant: false,
    statusAt: row.completedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt.toISOString(),
    books,
    subtype: row.subtype,
    card: { name: row.cardName, numberEnding: row.numberLast4 },
    category: row.category,
    networkReference: row.networkReference,
    pageHref: movementHref("CARDS", row.id),
    viewer: { canDecide: mayDecide(actor) },
    time,
  };
}

export type CardDetailView = NonNullable<Awaited<ReturnType<typeof readCardDetail>>>;
