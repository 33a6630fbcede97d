import {
  isNarrowed,
  MOVEMENT_TABS,
  type MovementPlace,
  type MovementSearch,
  type MovementTab,
  movementHref,
  movementsExportHref,
  movementsHref,
  onlyWindow,
} from "@/lib/contract/search/movement-search";
import { downloadHref } from "@/lib/contract/shown";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide, mayExport } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import type { MovementLook } from "@/lib/views/movements/list-scans";
import { movementWindow, readMovementOptions } from "@/lib/views/movements/movement-query";
import {
  aboutTransfer,
  type CardMovementRow,
  cardPartyNames,
  isCancellable,
  type MovementAbout,
  type MovementStatus,
  type OutsideMovementRow,
  outsidePartyNames,
  partyNames,
  readCardRows,
  readOutsideRows,
  readTransferRows,
  type TransferMovementRow,
  transferStatus,
} from "@/lib/views/movements/movement-rows";
import { readMovementDetail } from "@/lib/views/movements/read-movement-detail";
import {
  type BoundedCount,
  countMovements,
  listedSum,
  MAXIMUM_TAB_COUNT,
  type MovementCount,
  type MovementIds,
  readMovementPage,
  sumBorderFlows,
} from "@/lib/views/movements/read-movement-page";
import type { TimedReading } from "@/lib/views/reading";

/** One row of a list of movements, whatever kind it is. */
export interface MovementRowView {
  id: string;
  at: string;
  fromName: string;
  toName: string;
  status: MovementStatus;
  amountInCents: number;
  /** `QUIET`: it moved nothing, or is shown elsewhere. */
  flow: "IN" | "PLAIN" | "QUIET";
  about: MovementAbout;
  isAssistant: boolean;
  /** The list with this one's drawer open. */
  openHref: string;
  pageHref: string;
  isOpen: boolean;
  /** It can still be canceled by the viewer. */
  canCancel: boolean;
}

const ROWS_PER_PAGE = 25;

/**
 * One page of a list of movements with its filters, counts, and open drawer, for any member. Every read is bounded, so
 * that it costs the same with a thousand movements and with ten million.
 */
export async function listMemberMovements(
  { services, context, time }: TimedReading<"pool" | "bankCapabilities">,
  tab: MovementTab,
  search: MovementSearch,
  place: MovementPlace,
) {
  const { pool } = services;
  const look: MovementLook = {
    organizationId: context.organizationId,
    now: context.now,
    search,
    window: movementWindow(search, context.now, time.timeZone),
  };
  const [page, counts, totals, options, open, refreshedAt] = await Promise.all([
    readMovementPage(pool, tab, look, beginningOf(place), ROWS_PER_PAGE),
    countTabs(pool, tab, look),
    isNarrowed(tab, search) || tab !== "TRANSFERS" ? null : sumBorderFlows(pool, look),
    readMovementOptions(pool, context.organizationId),
    place.open ? readMovementDetail({ services, context, time }, tab, place.open) : null,
    tab === "OUTSIDE" ? readLastRefresh(pool, context.organizationId) : null,
  ]);
  const [rows, firstPosition] = await Promise.all([
    readMovementRows(pool, context, tab, page.ids, { ...place, search, openId: place.open }),
    readPosition(pool, tab, look, page),
  ]);
  return {
    tab,
    search,
    isNarrowed: isNarrowed(tab, search),
    tabs: MOVEMENT_TABS.map((each) => ({
      tab: each,
      href: movementsHref(each, each === tab ? search : onlyWindow(search)),
      count: toBounded(counts.tabs[each]),
    })),
    /** What settled in the list. Null: too many to sum up. */
    totals: totals ?? totalsOf(tab, search, counts.list),
    count: toBounded(counts.list),
    /** Null: not narrowed, or too many to sum up. */
    sum: isNarrowed(tab, search) ? listedSum(counts.list) : null,
    rows,
    /** 1-based; null: beyond the counted range. */
    firstPosition,
    // From an empty page, where the read limit was reached, the way back is the first page.
    newerHref:
      page.newerThan && movementsHref(tab, search, page.ids.length > 0 ? { after: page.newerThan } : {}),
    olderHref: page.olderThan && movementsHref(tab, search, { before: page.olderThan }),
    /** The page is short because too many non-matching rows were skipped. */
    isCutShort: page.isCutShort,
    /** Those of the organization, for the filters. */
    accounts:
      tab === "OUTSIDE"
        ? options.outside
        : [...options.managed, ...(tab === "TRANSFERS" ? options.outside : [])],
    requesters: options.requesters,
    cards: options.cards,
    /** When the youngest outside balance was refreshed; null: none, or another list. */
    refreshedAt,
    exportHref: downloadHref(movementsExportHref(tab, search), context),
    /** The same, with a line for each account that a movement changed, with a sign. */
    exportByAccountHref: downloadHref(movementsExportHref(tab, search, "ACCOUNTS"), context),
    mayExport: mayExport(context.actor),
    /** The list with its drawer closed. */
    closeHref: movementsHref(tab, search, { ...place, open: null }),
    open,
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

/** A list of movements with its filters, a page of it, and the drawer if one is open. */
export type MovementListView = Awaited<ReturnType<typeof listMemberMovements>>;

function beginningOf({ before, after }: MovementPlace) {
  if (after !== null) return { side: "NEWER" as const, beyond: after };
  return before === null ? null : { side: "OLDER" as const, beyond: before };
}

/** Each list's count in the window, and this list's with its filters. */
async function countTabs(
  database: Queryable,
  tab: MovementTab,
  look: MovementLook,
): Promise<{ tabs: Record<MovementTab, BoundedCount>; list: MovementCount }> {
  const plain = { ...look, search: onlyWindow(look.search) };
  const whole = { maximum: MAXIMUM_TAB_COUNT };
  const [transfers, cards, outside, narrowed] = await Promise.all([
    countMovements(database, "TRANSFERS", plain, whole),
    countMovements(database, "CARDS", plain, whole),
    countMovements(database, "OUTSIDE", plain, whole),
    isNarrowed(tab, look.search) ? countMovements(database, tab, look) : null,
  ]);
  const tabs = { TRANSFERS: transfers, CARDS: cards, OUTSIDE: outside };
  return { tabs, list: narrowed ?? tabs[tab] };
}

function toBounded({ count, isMore }: BoundedCount) {
  return { count, isMore };
}

/** Sums of the counted rows; without filters, the account border gives a better figure. */
function totalsOf(tab: MovementTab, search: MovementSearch, count: MovementCount) {
  if (count.isMore || (tab === "TRANSFERS" && !isNarrowed(tab, search))) return null;
  return { inInCents: count.inInCents, outInCents: count.outInCents };
}

async function readPosition(
  database: Queryable,
  tab: MovementTab,
  look: MovementLook,
  { ids, newerThan }: MovementIds,
): Promise<number | null> {
  const first = ids[0];
  if (first === undefined || newerThan === null) return 1;
  const newer = await countMovements(database, tab, look, { newerThan: first });
  return newer.isMore ? null : newer.count + 1;
}

/** When a connected account last reported its balance. */
async function readLastRefresh(database: Queryable, organizationId: string): Promise<string | null> {
  const { rows } = await database.query<{ at: Date | null }>({
    name: "last_outside_refresh",
    text: "select max(refreshed_at) as at from provider_balances where organization_id = $1",
    values: [organizationId],
  });
  return rows[0]?.at?.toISOString() ?? null;
}

/** The state that row links preserve. */
interface RowSetting {
  search: MovementSearch;
  before: string | null;
  after: string | null;
  openId: string | null;
}

/** The movements with these IDs as rows of their list, newest first. */
async function readMovementRows(
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
    at: row.createdAt.toISOString(),
    status,
    amountInCents: row.amountInCents,
    flow: flowOf(row, status, setting.search),
    about: aboutTransfer(row, status),
    isAssistant: row.requesterKind === "ASSISTANT",
    canCancel: isCancellable(row) && mayDecide(context.actor),
  };
}

/** Seen from the list's accounts, if it is filtered by any. */
function flowOf(
  row: TransferMovementRow,
  status: MovementRowView["status"],
  { account }: MovementSearch,
): MovementRowView["flow"] {
  if (status === "DRY_RUN") return "QUIET";
  if (status !== "SETTLED") return "PLAIN";
  if (account.length === 0) return row.direction === "MONEY_IN" ? "IN" : "PLAIN";
  const isOf = (id: string | null) => id !== null && account.includes(id);
  return isOf(row.destinationAccountId) && !isOf(row.sourceAccountId) ? "IN" : "PLAIN";
}

function toCardRow(row: CardMovementRow, setting: RowSetting): MovementRowView {
  return {
    ...linksOf("CARDS", row.id, setting),
    ...cardPartyNames(row),
    at: row.createdAt.toISOString(),
    status: "SETTLED",
    amountInCents: row.amountInCents,
    flow: row.subtype === "PURCHASE" ? "PLAIN" : "IN",
    about: { kind: "CARD", subtype: row.subtype, cardName: row.cardName, numberEnding: row.numberLast4 },
    isAssistant: false,
    canCancel: false,
  };
}

function toOutsideRow(row: OutsideMovementRow, setting: RowSetting): MovementRowView {
  const isOwnTransfer = row.transferId !== null;
  const isIn = row.direction === "MONEY_IN";
  return {
    ...linksOf("OUTSIDE", row.id, setting),
    ...outsidePartyNames(row),
    at: row.transactionDate.toISOString(),
    status: row.status === "PENDING" ? "PENDING" : "SETTLED",
    amountInCents: row.amountInCents,
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
