import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import { decodeBech32, encodeBech32 } from "@/lib/platform/age/bech32";

/** Whom a file is encrypted to: the holder of a private key, or everyone who knows a passphrase. */
export type AgeRecipient = { publicKey: Buffer } | { passphrase: string };

/** What opens a file. */
export type AgeIdentity = { privateKey: Buffer } | { passphrase: string };

const KEY_BYTES = 32;
const RECIPIENT_PREFIX = "age";
const IDENTITY_PREFIX = "age-secret-key-";
/** PKCS #8 prefix of an X25519 key (RFC 8410, 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b656e04220420", "hex");

/** @returns null unless the text is an X25519 recipient, `age1…` */
export function parseRecipient(text: string): { publicKey: Buffer } | null {
  const publicKey = decodeBech32(RECIPIENT_PREFIX, text);
  return publicKey?.length === KEY_BYTES ? { publicKey } : null;
}

/** As `age-keygen` prints it. */
export function writeRecipient({ publicKey }: { publicKey: Buffer }): string {
  return encodeBech32(RECIPIENT_PREFIX, publicKey);
}

/**
 * Reads a file of identities, as `age-keygen` writes it: one `AGE-SECRET-KEY-1…` a line, comments begin with #.
 * @returns null if a line is anything else, or there is no key
 */
export function parseIdentities(text: string): { privateKey: Buffer }[] | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== "" && !line.startsWith("#"));
  const parsed = keys.map((line) => decodeBech32(IDENTITY_PREFIX, line));
  const whole = parsed.filter((key) => key?.length === KEY_BYTES).flatMap((key) => (key ? [key] : []));
  return whole.length === keys.length && keys.length > 0 ? whole.map((privateKey) => ({ privateKey })) : null;
}

export function writeIdentity({ privateKey }: { privateKey: Buffer }): string {
  return encodeBech32(IDENTITY_PREFIX, privateKey).toUpperCase();
}

/** A new key pair. */
export function createIdentity(): { privateKey: Buffer; publicKey: Buffer } {
  const pair = generateKeyPairSync("x25519");
  const { d = "", x = "" } = pair.privateKey.export({ format: "jwk" });
  return { privateKey: Buffer.from(d, "base64url"), publicKey: Buffer.from(x, "base64url") };
}

export function publicKeyOf(privateKey: Buffer): Buffer {
  const { x = "" } = createPublicKey(toPrivateKey(privateKey)).export({ format: "jwk" });
  return Buffer.from(x, "base64url");
}

/** @throws Error for a public key of low order, with which no secret is shared */
export function agree(privateKey: Buffer, publicKey: Buffer): Buffer {
  return diffieHellman({ privateKey: toPrivateKey(privateKey), publicKey: toPublicKey(publicKey) });
}

function toPrivateKey(privateKey: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, privateKey]), format: "der", type: "pkcs8" });
}

function toPublicKey(publicKey: Buffer): KeyObject {
  return createPublicKey({
    key: { kty: "OKP", crv: "X25519", x: publicKey.toString("base64url") },
    format: "jwk",
  });
}
