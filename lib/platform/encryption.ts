import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { derivedOf, type SecretSource, toSecrets } from "@/lib/platform/product-secrets";

/** Encrypts small secrets (access tokens), and pieces of files, for storage in the database. */
export interface Encryption {
  /** @param context whose secret it is; decryption must name the same */
  encrypt(plaintext: string | Uint8Array, context: string): Buffer;
  /** @throws DecryptionFailed if it was altered, moved to another context, or encrypted under another product secret */
  decrypt(encrypted: Buffer, context: string): string;
  /** Decrypts bytes. @throws DecryptionFailed as `decrypt` */
  decryptBytes(encrypted: Buffer, context: string): Buffer;
  /**
   * The same under the current secret; null if it is already.
   * @throws DecryptionFailed as `decrypt`
   */
  renew(encrypted: Buffer, context: string): Buffer | null;
}

export class DecryptionFailed extends Error {
  override readonly name = "DecryptionFailed";
}

/** The first byte names the scheme, so that another one can be added without losing what exists. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * AES-256-GCM under a key for this purpose only (HKDF-SHA-256 of the product's secret). The context is authenticated:
 * bytes copied to another row, to impersonate its owner, do not decrypt there. Layout: version (1 byte), nonce (12),
 * ciphertext, tag (16). While a secret replaces another, what was encrypted with either decrypts.
 */
export function createEncryption(source: SecretSource, purpose: string): Encryption {
  // Never change the label: what is stored could no longer be decrypted.
  const keys = derivedOf(toSecrets(source), (secret) =>
    Buffer.from(hkdfSync("sha256", secret, "", `sluice seal: ${purpose}`, KEY_BYTES)),
  );
  const encrypt = (plaintext: string | Uint8Array, context: string) =>
    encryptWith(keys()[0], plaintext, context);
  const decryptBytes = (encrypted: Buffer, context: string) => {
    assertLayout(encrypted);
    for (const key of keys()) {
      const plaintext = decryptWith(key, encrypted, context);
      if (plaintext !== null) return plaintext;
    }
    throw new DecryptionFailed(
      "Cannot decrypt: altered, of another owner, or encrypted with another SLUICE_SECRET",
    );
  };
  return {
    encrypt,
    decrypt: (encrypted, context) => decryptBytes(encrypted, context).toString("utf8"),
    decryptBytes,
    renew: (encrypted, context) => {
      assertLayout(encrypted);
      if (decryptWith(keys()[0], encrypted, context) !== null) return null;
      return encrypt(decryptBytes(encrypted, context), context);
    },
  };
}

function assertLayout(encrypted: Buffer): void {
  if (encrypted[0] !== VERSION)
    throw new DecryptionFailed(`Encrypted with an unknown version (${encrypted[0] ?? "empty"})`);
  if (encrypted.length < 1 + NONCE_BYTES + TAG_BYTES)
    throw new DecryptionFailed("The ciphertext is truncated");
}

function encryptWith(key: Buffer, plaintext: string | Uint8Array, context: string): Buffer {
  // Random 96-bit nonces are safe for about a billion encryptions under one key.
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(additionalData(context));
  const bytes = typeof plaintext === "string" ? Buffer.from(plaintext, "utf8") : plaintext;
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([Buffer.from([VERSION]), nonce, ciphertext, cipher.getAuthTag()]);
}

/** Null: not encrypted with this key for this context, or altered. */
function decryptWith(key: Buffer, encrypted: Buffer, context: string): Buffer | null {
  const nonce = encrypted.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(additionalData(context))
    .setAuthTag(encrypted.subarray(-TAG_BYTES));
  try {
    const ciphertext = encrypted.subarray(1 + NONCE_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  } catch {
    return null;
  }
}

/** Covers the version too: otherwise an attacker could have the rest read under another version's scheme. */
function additionalData(context: string): Buffer {
  return Buffer.concat([Buffer.from([VERSION]), Buffer.from(context, "utf8")]);
}
