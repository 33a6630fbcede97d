/** As in `plain-text.ts`: what forges lines, or turns the direction of reading. */
const UNFIT = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff\p{Surrogate}]+/gu;

/** An institution's words on one line, without what deceives a reader, at most `maximumLength` characters. */
export function providerText(text: string, maximumLength: number): string {
  return [...text.replace(UNFIT, " ").trim()].slice(0, maximumLength).join("");
}
