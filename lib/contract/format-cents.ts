/** An amount taken apart, so that its cents can be set more quietly than its dollars. */
export interface MoneyParts {
  /** U+2212, a plus only when asked for, or nothing. */
  sign: "−" | "+" | "";
  /** With dollar sign and separators: `$4,250`. */
  dollars: string;
  /** With the point: `.00`. */
  cents: string;
}

/** Where a plus belongs: only in columns of changes and where money came in (design, section 4). */
export type PlusSign = "never" | "whenPositive";

/**
 * Takes apart an amount in cents. Integer arithmetic only: no amount passes through a fraction.
 * @throws {RangeError} when `amountInCents` is not a safe integer, rather than show a rounded amount of money.
 */
export function splitCents(amountInCents: number, plus: PlusSign = "never"): MoneyParts {
  if (!Number.isSafeInteger(amountInCents)) {
    throw new RangeError(`amountInCents must be a safe integer, not ${amountInCents}`);
  }
  const digits = String(Math.abs(amountInCents)).padStart(3, "0");
  const dollars = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return { sign: signOf(amountInCents, plus), dollars: `$${dollars}`, cents: `.${digits.slice(-2)}` };
}

/** Writes an amount in cents in full: `−$4,250.00`. @throws {RangeError} see `splitCents`. */
export function formatCents(amountInCents: number, plus: PlusSign = "never"): string {
  const { sign, dollars, cents } = splitCents(amountInCents, plus);
  return `${sign}${dollars}${cents}`;
}

function signOf(amountInCents: number, plus: PlusSign): MoneyParts["sign"] {
  if (amountInCents < 0) return "−";
  return plus === "whenPositive" && amountInCents > 0 ? "+" : "";
}
