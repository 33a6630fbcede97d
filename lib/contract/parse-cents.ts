/**
 * Cents of an amount as a person writes it: `7100`, `7,100`, `$7,100.5`, `7,100.50`.
 * @returns null for what is no amount, negative, finer than a cent, or too large to be exact.
 */
export function parseCents(text: string): number | null {
  const match = /^\$?\s*(\d{1,3}(?:,\d{3})*|\d+)(?:\.(\d{1,2}))?$/.exec(text.trim());
  const dollars = match?.[1];
  if (!dollars) return null;
  const cents = Number(dollars.replaceAll(",", "")) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
  return Number.isSafeInteger(cents) ? cents : null;
}
