import { createHash, randomBytes } from "node:crypto";

/** Crockford's base 32: no letter that a person mistakes for another character. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const GROUPS = 4;
const GROUP_LENGTH = 6;
const LENGTH = GROUPS * GROUP_LENGTH;

/** A secret that a person can write down, e.g. `7fq2k4-m81xzp-k03d9v-w6gthr`: 120 random bits. */
export function newReadableSecret(): string {
  const characters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return Array.from({ length: GROUPS }, (_, group) =>
    characters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH),
  ).join("-");
}

/**
 * What is stored of a readable secret, and looked up when somebody types it: upper case, missing hyphens and the usual
 * mistakes (O for 0, I and L for 1) do not matter.
 */
export function hashReadableSecret(typed: string): Buffer {
  const canonical = typed
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1");
  return createHash("sha256").update(`sluice recovery code ${canonical}`).digest();
}
