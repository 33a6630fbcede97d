import { counted } from "@/lib/api/mcp/describe/text";
import { formatCents } from "@/lib/contract/format-cents";
import type { Page } from "@/lib/contract/page";
import type { ListSummary } from "@/lib/contract/search/list-filters";

/** Of a page's lines together, below what a whole text may have. */
const MAXIMUM_LINES_LENGTH = 7_000;

export interface ListWords {
  one: string;
  many: string;
  /** What no items on the first page mean, and what to try. */
  empty: string;
  /** What to do with the items. */
  next?: string;
}

/** A list, a line per item, and how to get the rest of it. */
export function describePage<Item>(
  page: Page<Item>,
  words: ListWords,
  describeItem: (item: Item) => string,
): string {
  const { items, pagination } = page;
  if (items.length === 0) return pagination.page === 1 ? words.empty : beyond(pagination.page);
  const lines = takeLines(items.map((item) => `- ${describeItem(item)}`));
  return [
    heading(page, words),
    ...lines,
    ...leftOut(items.length - lines.length, lines.length),
    ...nextLines(page, words),
  ].join("\n");
}

/** What all pages come to, before the list. */
export function describeSummary(summary: ListSummary | null): string[] {
  if (summary === null) return [];
  const { count, sumInCents, moneyInInCents, moneyOutInCents } = summary;
  const ways = `${formatCents(moneyInInCents)} in, ${formatCents(moneyOutInCents)} out`;
  return [`All that match, over all pages: ${count}, together ${formatCents(sumInCents)} (${ways}).`];
}

function heading<Item>({ items, pagination }: Page<Item>, words: ListWords): string {
  const count = counted(items.length, words.one, words.many);
  if (pagination.hasNextPage) return `${count} on page ${pagination.page}, and there are more.`;
  return pagination.page === 1
    ? `${count}; there are no more.`
    : `${count} on page ${pagination.page}, which is the last.`;
}

function nextLines<Item>({ pagination }: Page<Item>, words: ListWords): string[] {
  return [
    ...(pagination.hasNextPage ? [`Next: for more, call again with page: ${pagination.page + 1}.`] : []),
    ...(words.next ? [`Next: ${words.next}`] : []),
  ];
}

const beyond = (page: number) =>
  `Page ${page} is beyond the last one, so it is empty.\nNext: call again with page: ${page - 1}.`;

/** As many leading lines as fit; always at least one. */
function takeLines(lines: readonly string[]): string[] {
  let length = 0;
  return lines.filter((line, index) => {
    length += line.length + 1;
    return index === 0 || length <= MAXIMUM_LINES_LENGTH;
  });
}

function leftOut(count: number, shown: number): string[] {
  if (count === 0) return [];
  return [
    `- ${count} more of this page are in the structured content only. To read them here, call again with pageSize: ${shown}.`,
  ];
}
