import { createHmac, hkdfSync } from "node:crypto";

/** Tells whether two values are equal without keeping them; without the product's secret nobody can try values. */
export type KeyedHash = (...parts: readonly string[]) => Buffer;

const KEY_BYTES = 32;

/** HMAC-SHA-256 under a key for this purpose only (HKDF-SHA-256 of the product's secret), of parts without line breaks. */
export function createKeyedHash(productSecret: string, purpose: string): KeyedHash {
  // Never change the label: what is stored could no longer be compared.
  const key = Buffer.from(hkdfSync("sha256", productSecret, "", `sluice hash: ${purpose}`, KEY_BYTES));
  return (...parts) => createHmac("sha256", key).update(parts.join("\n"), "utf8").digest();
}
