import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";

/** `1,000`, `1000.5`, `$25.00`: separators only where thousands are, at most two decimals. */
const PATTERN = /^\$?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/;

/**
 * An amount as people write it, in cents; null for what is none, and for more than a transfer can move. Digits only: no
 * amount passes through a fraction.
 */
export function parseDollars(text: string): number | null {
  const found = PATTERN.exec(text.trim());
  if (!found) return null;
  const [, dollars = "", decimals = ""] = found;
  const digits = `${dollars.replaceAll(",", "")}${decimals.padEnd(2, "0")}`.replace(/^0+(?=\d)/, "");
  if (digits.length > 16) return null;
  const cents = Number(digits);
  return Number.isSafeInteger(cents) && cents <= MAXIMUM_TRANSFER_IN_CENTS ? cents : null;
}
