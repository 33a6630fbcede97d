import { MAXIMUM_BANK_WORDS } from "@/lib/ports/bank/bank-port";

/** Longer than any amount in a sentence: numbers of accounts. */
const LONG_NUMBER = /[0-9](?:[ -]?[0-9]){6,}/g;

/**
 * What a bank says, as it may be kept and shown: on one line, bounded, and without account numbers, which banks repeat in
 * their errors.
 * @param parts joined as sentences; others than text are left out
 * @returns null if nothing remains
 */
export function bankWords(...parts: unknown[]): string | null {
  const sentences = parts
    .filter((part) => typeof part === "string")
    .map((part) => plain(part.slice(0, 4 * MAXIMUM_BANK_WORDS)))
    .filter((part, index, all) => part !== "" && all.indexOf(part) === index);
  const text = sentences.reduce(
    (all, next) => (all === "" ? next : `${all.replace(/[.:;]$/, "")}. ${next}`),
    "",
  );
  const bounded = Array.from(text).slice(0, MAXIMUM_BANK_WORDS).join("").trim();
  return bounded === "" ? null : bounded;
}

function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(LONG_NUMBER, (digits) => `…${digits.slice(-4)}`)
    .trim();
}
