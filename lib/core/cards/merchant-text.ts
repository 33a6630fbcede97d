const MAXIMUM_LENGTH = 200;
/** As `plainText` refuses them. What a network says is real and cannot be refused, so these become visible instead. */
const DECEIVING = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff\p{Surrogate}]/gu;

/** A merchant's name as the network gives it, made fit to be stored and shown on one line. */
export function merchantText(text: string): string {
  return Array.from(text.replace(DECEIVING, "\uFFFD").trim()).slice(0, MAXIMUM_LENGTH).join("");
}
