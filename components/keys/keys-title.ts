import { movesAlone } from "@/lib/contract/api-key";
import { formatCents } from "@/lib/contract/format-cents";
import type { KeyRowView } from "@/lib/contract/views/keys-view";
import { findPermission } from "@/lib/engine/words/key-powers";
import { countingRoutes } from "@/lib/engine/words/key-sentence";

const NUMBERS = [
  "No",
  "One",
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
  "Eleven",
  "Twelve",
];

/** `Six keys can act for you` */
export function keysTitle(working: readonly KeyRowView[]): string {
  const number = NUMBERS[working.length] ?? String(working.length);
  return `${number} ${working.length === 1 ? "key" : "keys"} can act for you`;
}

/** Who moves money without asking, which is what most needs to be known. */
export function aloneWords(working: readonly KeyRowView[]): {
  before: string;
  name: string | null;
  after: string;
} {
  const alone = working.filter(({ permissions }) => movesAlone(permissions));
  const [first] = alone;
  if (!first) {
    const before =
      working.length === 0
        ? "A key lets a program read, and propose what you approve."
        : "None of them moves money without asking.";
    return { before, name: null, after: "" };
  }
  if (alone.length > 1) {
    const number = NUMBERS[alone.length] ?? String(alone.length);
    return { before: `${number} move money without asking.`, name: null, after: "" };
  }
  return { before: "One moves money without asking: ", name: first.name, after: `${limitWords(first)}.` };
}

function limitWords({ permissions }: KeyRowView): string {
  const transfers = findPermission(permissions, "MANUAL_TRANSFER");
  if (!transfers || transfers.approval.required) return ", by running rules";
  const routes = countingRoutes(transfers);
  const limits = routes.flatMap(({ max_amount: limit }) => limit ?? []);
  if (limits.length === 0) return ", any amount";
  const unlimited = routes.length - limits.length;
  return unlimited === 0
    ? `, up to ${formatCents(Math.max(...limits))} at a time`
    : `, any amount on ${unlimited} of ${routes.length} routes`;
}
