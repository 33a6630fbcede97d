/** U+2212: as wide as a plus sign, and not broken off at a line end as a hyphen is. */
const MINUS = "\u2212";

/**
 * Dollars and cents as people read them: `425000` → `$4,250.00`, `-5` → `−$0.05`.
 * Works on integers throughout, so no amount is ever rounded on its way to the screen.
 * @param amountInCents integer; a number must be a safe integer
 * @throws RangeError for fractions, NaN, infinities and numbers beyond 2^53 − 1 (they have already lost cents)
 */
export function formatCents(amountInCents: number | bigint): string {
  if (typeof amountInCents === "number" && !Number.isSafeInteger(amountInCents)) {
    throw new RangeError(`amountInCents must be a safe integer, not ${amountInCents}`);
  }
  const cents = BigInt(amountInCents);
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, "0");
  const dollars = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${cents < 0n ? MINUS : ""}$${dollars}.${digits.slice(-2)}`;
}
