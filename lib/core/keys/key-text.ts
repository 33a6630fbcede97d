import { hash, randomBytes } from "node:crypto";

/**
 * The text of a key: `sluice_` + 32 random base-62 characters (190 bits) + 6 checksum characters. The prefix lets secret
 * scanners find leaked keys; the checksum lets them, and us, reject mistyped ones without a database.
 */
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "sluice_";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const PATTERN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

export function newKeyText(): string {
  let random = "";
  // Rejection sampling: bytes from 248 on would favor the first characters of the alphabet. Ends with probability 1; each
  // round keeps 97 % of its bytes.
  while (random.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      if (byte < 248 && random.length < RANDOM_LENGTH) random += ALPHABET[byte % 62];
    }
  }
  return `${PREFIX}${random}${checksum(random)}`;
}

/** Whether a text has the form of a key. */
export function isKeyText(text: string): boolean {
  if (!PATTERN.test(text)) return false;
  const random = text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH);
  return text.endsWith(checksum(random));
}

/** Stored and looked up instead of the key. */
export function hashKeyText(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** The part that may be shown to distinguish keys. */
export function keyPrefix(text: string): string {
  return text.slice(0, PREFIX.length + 6);
}

function checksum(random: string): string {
  const digest = hash("sha256", `sluice key ${random}`, "buffer");
  return Array.from(digest.subarray(0, CHECKSUM_LENGTH), (byte) => ALPHABET[byte % 62]).join("");
}
