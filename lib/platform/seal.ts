import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Seals small secrets of others (access tokens) for keeping in the database. */
export interface Sealer {
  /** @param context whom it belongs to; the same must be named to open it */
  seal(plaintext: string, context: string): Buffer;
  /** @throws SealBroken when it was altered, moved to another context, or sealed with another product secret. */
  open(sealed: Buffer, context: string): string;
}

export class SealBroken extends Error {
  override readonly name = "SealBroken";
}

/** The first byte says how the rest was sealed, so that another way can be added without losing what exists. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * AES-256-GCM under a key of this purpose alone (HKDF-SHA-256 of the product's secret). The context is authenticated:
 * bytes copied from one row to another, to act as somebody else's, do not open there.
 * Layout: version (1 byte), nonce (12), ciphertext, tag (16).
 */
export function createSealer(productSecret: string, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync("sha256", productSecret, "", `sluice seal: ${purpose}`, KEY_BYTES));
  return {
    seal(plaintext, context) {
      // Random 96-bit nonces are safe for some thousand million seals under one key.
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(additionalData(context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), nonce, ciphertext, cipher.getAuthTag()]);
    },
    open(sealed, context) {
      if (sealed[0] !== VERSION) throw new SealBroken(`Sealed in an unknown way (${sealed[0] ?? "empty"})`);
      if (sealed.length < 1 + NONCE_BYTES + TAG_BYTES) throw new SealBroken("Sealed bytes are cut short");
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(additionalData(context))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      try {
        const ciphertext = sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES);
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
      } catch {
        throw new SealBroken(
          "Does not open: altered, of another owner, or sealed with another SLUICE_SECRET",
        );
      }
    },
  };
}

/** The version is covered too: else an attacker could have the rest read in another version's way. */
function additionalData(context: string): Buffer {
  return Buffer.concat([Buffer.from([VERSION]), Buffer.from(context, "utf8")]);
}
