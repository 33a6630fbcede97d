import type { MoneyFormat } from "@/lib/contract/money-format";
import { moneyFormatOfReader } from "@/lib/contract/reader";

const NO_BREAK_SPACE = "\u00a0";

/**
 * Cents of an amount as a person writes it: `7100`, `7,100`, `$7,100.5`, `7,100.50`, and where its reader writes money
 * otherwise, `7.100,50 $`. What one of them reads, none of the others reads as another amount: thousands are three
 * digits, cents at most two, so `7.100` is seven thousand one hundred or nothing.
 * @returns null for what is no amount, negative, finer than a cent, or too large to be exact.
 */
export function parseCents(text: string): number | null {
  return parseCentsIn(moneyFormatOfReader(), text);
}

/** The same for a format that is known. */
export function parseCentsIn(format: MoneyFormat, text: string): number | null {
  const [whole = "", fraction, ...more] = withoutSign(text).split(format.decimal);
  if (more.length > 0 || (fraction !== undefined && !/^\d{1,2}$/.test(fraction))) return null;
  const dollars = joinGroups(whole, format.group);
  if (dollars === null) return null;
  const cents = Number(dollars) * 100 + Number((fraction ?? "").padEnd(2, "0"));
  return Number.isSafeInteger(cents) ? cents : null;
}

/** Without the dollar sign, which may stand on either side, and with one kind of space and apostrophe. */
function withoutSign(text: string): string {
  const written = text
    .trim()
    .replace(/[\s\u202f]/g, NO_BREAK_SPACE)
    .replaceAll("'", "’");
  const match = /^\$?\u00a0*(.*?)\u00a0*\$?$/.exec(written);
  return /\$.*\$/.test(written) ? "" : (match?.[1] ?? "");
}

function joinGroups(whole: string, group: string): string | null {
  if (/^\d+$/.test(whole)) return whole;
  const [first = "", ...rest] = whole.split(group);
  if (!/^\d{1,3}$/.test(first) || rest.length === 0) return null;
  return rest.every((digits) => /^\d{3}$/.test(digits)) ? `${first}${rest.join("")}` : null;
}
