import { isBankAmount } from "@/lib/ports/bank/keepable";

/** What a decimal number of JSON looks like. */
const NUMBER = /^(-?)(0|[1-9][0-9]{0,30})(?:\.([0-9]{1,30}))?(?:[eE]([+-]?[0-9]{1,2}))?$/;
/** Strings, which are left alone, or numbers; valid JSON has digits nowhere else. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*/g;

/**
 * Parses JSON with every number as its text. A double holds 0.29 or 12345678901.23 only approximately, and once parsed,
 * nobody can tell what the bank wrote.
 * @throws SyntaxError if it is not JSON
 */
export function parseWithNumbersAsText(json: string): unknown {
  JSON.parse(json);
  return JSON.parse(json.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

/**
 * Dollars as JSON writes them, in cents, without a float in between.
 * @returns null for what is not a whole number of cents, or more than a bank may report (`isBankAmount`)
 */
export function centsOf(dollars: string): number | null {
  const [, sign, whole = "", fraction = "", exponent = "0"] = NUMBER.exec(dollars) ?? [];
  if (sign === undefined) return null;
  const places = 2 + Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  const scale = 10n ** BigInt(Math.abs(places));
  if (places < 0 && digits % scale !== 0n) return null;
  const cents = Number(places < 0 ? digits / scale : digits * scale);
  if (!isBankAmount(cents)) return null;
  // No negative zero.
  return sign === "-" && cents !== 0 ? -cents : cents;
}

/** Cents as dollars with two decimals, as text for a request. @param cents a safe integer, not negative */
export function dollarsOf(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 0) throw new RangeError(`not an amount: ${cents}`);
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
