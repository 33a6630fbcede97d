import type { ListSum } from "@/components/layout/table";
import { BORDER_WORDS } from "@/components/money/border-words";
import { type SluiceState, sluiceState } from "@/components/sluice/row-sluice";
import { formatAfterWord, formatDate } from "@/components/time/format-instant";
import { whoseDays } from "@/components/time/whose-days";
import { formatCents } from "@/lib/contract/format-cents";
import type { MovementSearch, MovementTab } from "@/lib/contract/search/movement-search";
import type { TimeContext } from "@/lib/contract/time-context";
import type { MovementListView } from "@/lib/views/movements/list-member-movements";
import type { MovementStatus } from "@/lib/views/movements/movement-rows";
import type { BoundedCount } from "@/lib/views/movements/read-movement-page";

export const TAB_WORDS: Record<MovementTab, string> = {
  TRANSFERS: "Transfers",
  CARDS: "Card transactions",
  OUTSIDE: "Outside transactions",
};

/** `1,204`, or `10,000+` beyond the counting limit. */
export function countWords({ count, isMore }: BoundedCount): string {
  return `${count.toLocaleString("en-US")}${isMore ? "+" : ""}`;
}

/** The list's totals, as a sentence. */
export function listTitle(
  view: Pick<MovementListView, "tab" | "totals" | "count" | "search" | "time">,
): string {
  const { tab, totals, count } = view;
  if (tab === "OUTSIDE") return outsideTitle(count);
  if (count.count === 0 && !count.isMore) {
    return tab === "CARDS" ? "Your cards spent nothing" : "Nothing moved";
  }
  // If nothing has settled, the requested amount is more useful than two zeros.
  if (totals === null || (totals.inInCents === 0 && totals.outInCents === 0)) return countTitle(tab, count);
  if (tab === "CARDS") return cardsTitle(totals.outInCents, inWindow(view));
  return `${formatCents(totals.inInCents)} came in, ${formatCents(totals.outInCents)} went out`;
}

/** Purchases less refunds, which can exceed them. */
function cardsTitle(spentInCents: number, window: string): string {
  return spentInCents < 0
    ? `Your cards got back ${formatCents(-spentInCents)} more than they spent${window}`
    : `Your cards spent ${formatCents(spentInCents)}${window}`;
}

function countTitle(tab: MovementTab, count: BoundedCount): string {
  const words = TAB_WORDS[tab].toLowerCase();
  if (count.count === 0) return `No match among the newest ${words}`;
  return `${countWords(count)} ${count.count === 1 && !count.isMore ? words.replace(/s$/, "") : words}`;
}

function outsideTitle(count: BoundedCount): string {
  if (count.count === 0 && !count.isMore) return "No transactions outside Sluice";
  return `${countWords(count)} ${count.count === 1 && !count.isMore ? "transaction" : "transactions"} outside Sluice`;
}

function inWindow({ search: { days, from, to } }: Pick<MovementListView, "search">): string {
  return from === null && to === null && days !== "all" ? ` in ${days} days` : "";
}

/** What a narrowed list comes to on all of its pages; empty without filters, or if there is too much to sum up. */
export function listSums({ tab, sum, totals }: Pick<MovementListView, "tab" | "sum" | "totals">): ListSum[] {
  if (sum === null) return [];
  if (tab === "TRANSFERS")
    return [{ label: `Sum of ${transferWords(sum.summedCount)}`, cents: sum.sumInCents }];
  if (totals === null) return [];
  const isIn = { label: tab === "CARDS" ? "Paid out to you" : "Came in", cents: totals.inInCents };
  const isOut = { label: tab === "CARDS" ? "Spent, less refunds" : "Went out", cents: totals.outInCents };
  return tab === "CARDS" && isIn.cents === 0 ? [isOut] : [isIn, isOut];
}

/** `1 transfer`, `1,204 transfers`. */
function transferWords(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "transfer" : "transfers"}`;
}

/** The line below the title: what is listed, and what is not. */
export function listLede(view: MovementListView): string {
  const { tab, search, time, isNarrowed, refreshedAt } = view;
  if (tab === "CARDS") {
    return "Settled purchases, refunds and payouts. Spent is purchases less refunds. Holds and declines are not listed.";
  }
  if (tab === "OUTSIDE") {
    const refreshed = refreshedAt === null ? "" : `, last refreshed ${formatAfterWord(refreshedAt, time)}`;
    return `Reported by your banks${refreshed}. Sluice can’t change them.`;
  }
  const window = windowWords(search, time);
  if (isNarrowed)
    return `Settled matches in ${window} are added up. The link to this page keeps your filters.`;
  if (view.totals === null) return `All movements in ${window}.`;
  const isPreset = search.from === null && search.to === null && search.days !== "all";
  return `${sentenceOf(window)}${isPreset ? ", today included" : ""}${whoseDays(time)}. ${BORDER_WORDS}`;
}

function sentenceOf(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `the last 30 days`, `all time`, `1 Nov to 5 Nov`. */
export function windowWords({ days, from, to }: MovementSearch, time: TimeContext): string {
  if (from !== null && to !== null) {
    return from === to ? formatDate(from, time) : `${formatDate(from, time)} to ${formatDate(to, time)}`;
  }
  if (from !== null) return `the time since ${formatDate(from, time)}`;
  if (to !== null) return `the time until ${formatDate(to, time)}`;
  return days === "all" ? "all time" : `the last ${days} days`;
}

/** `1 to 25 of 186`. */
export function positionWords({
  rows,
  firstPosition,
  count,
}: Pick<MovementListView, "firstPosition" | "count"> & { rows: readonly unknown[] }): string {
  if (rows.length === 0) return "";
  if (firstPosition === null) return `${rows.length} more, of ${countWords(count)}`;
  const last = firstPosition + rows.length - 1;
  return `${firstPosition.toLocaleString("en-US")} to ${last.toLocaleString("en-US")} of ${countWords(count)}`;
}

/** Id of the link that opens a movement: the focus returns to it. */
export function rowLinkId(id: string): string {
  return `movement-${id}`;
}

/** Dry runs are drawn dashed, without water. */
export function movementSluice(status: MovementStatus): SluiceState {
  if (status === "DRY_RUN") return "sim";
  return status === "PENDING" ? "open" : sluiceState(status);
}
