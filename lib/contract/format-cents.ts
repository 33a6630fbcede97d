import { type MoneyFormat, moneyFormatOfReader, PLAIN_MONEY } from "@/lib/contract/reader";

/** An amount in parts, so that its cents can be set less prominently than its dollars. */
interface MoneyParts {
  /** U+2212, a plus on request, or nothing. */
  sign: "−" | "+" | "";
  /** With separators, and the dollar sign where it comes first: `$4,250`. */
  dollars: string;
  /** With the point: `.00`. */
  cents: string;
  /** The dollar sign with its space where it comes last: ` $`. */
  after: string;
}

/** Where a plus belongs: only in columns of changes and where money came in (design, section 4). */
export type PlusSign = "never" | "whenPositive";

const NO_BREAK_SPACE = "\u00a0";
const SIGN_BEFORE: Record<MoneyFormat["sign"], string> = {
  BEFORE: "$",
  BEFORE_AND_SPACE: `$${NO_BREAK_SPACE}`,
  AFTER: "",
};

/**
 * Splits an amount in cents. Integer arithmetic only: no amount passes through a fraction.
 * @param format the reader's by default
 * @throws {RangeError} when `amountInCents` is not a safe integer, rather than show a rounded amount
 */
export function splitCents(
  amountInCents: number,
  plus: PlusSign = "never",
  format: MoneyFormat = moneyFormatOfReader(),
): MoneyParts {
  if (!Number.isSafeInteger(amountInCents)) {
    throw new RangeError(`amountInCents must be a safe integer, not ${amountInCents}`);
  }
  const digits = String(Math.abs(amountInCents)).padStart(3, "0");
  const dollars = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, format.group);
  return {
    sign: signOf(amountInCents, plus),
    dollars: `${SIGN_BEFORE[format.sign]}${dollars}`,
    cents: `${format.decimal}${digits.slice(-2)}`,
    after: format.sign === "AFTER" ? `${NO_BREAK_SPACE}$` : "",
  };
}

/** Writes an amount in cents in full, as its reader writes it: `−$4,250.00`. @throws {RangeError} see `splitCents`. */
export function formatCents(
  amountInCents: number,
  plus: PlusSign = "never",
  format: MoneyFormat = moneyFormatOfReader(),
): string {
  const { sign, dollars, cents, after } = splitCents(amountInCents, plus, format);
  return `${sign}${dollars}${cents}${after}`;
}

/**
 * Always `$4,250.00`: for what is stored, sent to others or compared, regardless of the reader.
 * @throws {RangeError} see `splitCents`
 */
export function writeCents(amountInCents: number): string {
  return formatCents(amountInCents, "never", PLAIN_MONEY);
}

function signOf(amountInCents: number, plus: PlusSign): MoneyParts["sign"] {
  if (amountInCents < 0) return "−";
  return plus === "whenPositive" && amountInCents > 0 ? "+" : "";
}

/**
 * Cents of an amount as people write it: `7100`, `7,100`, `$7,100.5`, `7,100.50`, and in other reader formats
 * `7.100,50 $`. No text means two amounts in two formats: thousands are three digits, cents at most two, so `7.100`
 * is seven thousand one hundred or nothing.
 * @returns null for what is not an amount, negative, finer than a cent, or too large to be exact
 */
export function parseCents(text: string): number | null {
  return parseCentsIn(moneyFormatOfReader(), text);
}

/** The same for a known format. */
export function parseCentsIn(format: MoneyFormat, text: string): number | null {
  const [whole = "", fraction, ...more] = withoutSign(text).split(format.decimal);
  if (more.length > 0 || (fraction !== undefined && !/^\d{1,2}$/.test(fraction))) return null;
  const dollars = joinGroups(whole, format.group);
  if (dollars === null) return null;
  const cents = Number(dollars) * 100 + Number((fraction ?? "").padEnd(2, "0"));
  return Number.isSafeInteger(cents) ? cents : null;
}

/** Drops the dollar sign, on either side, and unifies spaces and apostrophes. */
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
