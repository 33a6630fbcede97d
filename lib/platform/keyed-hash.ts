import { createHmac, hkdfSync } from "node:crypto";

/** Tells whether two values are equal without keeping them; without the product's secret nobody can try values. */
export type KeyedHash = (...parts: readonly string[]) => Buffer;

const KEY_BYTES = 32;

/** HMAC-SHA-256 under a key for this purpose only (HKDF-SHA-256 of the product's secret), of parts without line breaks. */
export function createKeyedHash(productSecret: string, purpose: string): KeyedHash {
  return keyedHashOf(deriveHashKey(productSecret, purpose));
}

export function deriveHashKey(productSecret: string, purpose: string): Buffer {
  // Never change the label: what is stored could no longer be compared.
  return Buffer.from(hkdfSync("sha256", productSecret, "", `sluice hash: ${purpose}`, KEY_BYTES));
}

export function keyedHashOf(key: Buffer): KeyedHash {
  return (...parts) => createHmac("sha256", key).update(parts.join("\n"), "utf8").digest();
}
