import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from "node:crypto";
import {
  type AgeIdentity,
  type AgeRecipient,
  agree,
  createIdentity,
  publicKeyOf,
} from "@/lib/platform/age/age-keys";

/**
 * The header of an age file (C2SP, age-encryption.org/v1): the file's key, wrapped for each recipient, and an HMAC under
 * it over these lines.
 */
export const AGE_INTRODUCTION = "age-encryption.org/v1";

/** None of the given keys or passphrases opens the file. */
export class WrongKey extends Error {
  override readonly name = "WrongKey";
}

/** The file is not one that age wrote, or it was altered or cut off. */
export class DamagedAgeFile extends Error {
  override readonly name = "DamagedAgeFile";
}

const FILE_KEY_BYTES = 16;
const TAG_BYTES = 16;
const SALT_BYTES = 16;
const X25519_LABEL = "age-encryption.org/v1/X25519";
const SCRYPT_LABEL = "age-encryption.org/v1/scrypt";
/** 2^16 rounds take 64 MB and about 0.2 s. */
const SCRYPT_LOG_ROUNDS = 16;
/** As `age` does: a file must not make its reader take gigabytes. 2^20 rounds take 1 GB. */
const MAXIMUM_SCRYPT_LOG_ROUNDS = 20;
const SCRYPT_BLOCK = 8;
const MAXIMUM_HEADER_BYTES = 64 * 1024;
const BASE64 = /^[A-Za-z0-9+/]*$/;
const COLUMNS = 64;

interface Stanza {
  arguments: readonly string[];
  body: Buffer;
}

/** @returns the header's bytes, and the key under which the payload's key is derived */
export async function writeHeader(
  recipients: readonly AgeRecipient[],
): Promise<{ header: Buffer; fileKey: Buffer }> {
  if (recipients.length === 0) throw new Error("A file must be encrypted to someone.");
  if (recipients.length > 1 && recipients.some((one) => "passphrase" in one))
    throw new Error("age encrypts to one passphrase, or to public keys.");
  const fileKey = randomBytes(FILE_KEY_BYTES);
  const lines = [AGE_INTRODUCTION];
  for (const recipient of recipients) {
    const stanza =
      "passphrase" in recipient
        ? await wrapForPassphrase(fileKey, recipient.passphrase)
        : wrapForKey(fileKey, recipient.publicKey);
    lines.push(`-> ${stanza.arguments.join(" ")}`, ...wrapColumns(encode(stanza.body)));
  }
  const authenticated = `${lines.join("\n")}\n---`;
  return {
    header: Buffer.from(`${authenticated} ${encode(headerMac(fileKey, authenticated))}\n`, "latin1"),
    fileKey,
  };
}

/** Where the header ends; null: not within `bytes`, more are needed. @throws DamagedAgeFile if it never will */
export function findHeaderEnd(bytes: Buffer): number | null {
  const introduction = Buffer.from(`${AGE_INTRODUCTION}\n`, "latin1");
  if (!bytes.subarray(0, introduction.length).equals(introduction.subarray(0, bytes.length)))
    throw new DamagedAgeFile("This is not a file that age encrypted.");
  const last = bytes.indexOf("\n--- ", 0, "latin1");
  const end = last === -1 ? -1 : bytes.indexOf("\n", last + 1, "latin1");
  if (end !== -1) return end + 1;
  if (bytes.length > MAXIMUM_HEADER_BYTES)
    throw new DamagedAgeFile("The header of the encrypted file does not end.");
  return null;
}

/**
 * @param header as `findHeaderEnd` delimits it
 * @returns the file's key
 * @throws WrongKey if no identity opens it; DamagedAgeFile if the header was altered
 */
export async function readHeader(header: Buffer, identities: readonly AgeIdentity[]): Promise<Buffer> {
  const text = header.toString("latin1");
  const stanzas = parseStanzas(text);
  // A second stanza beside a passphrase would let someone else claim to know it.
  if (stanzas.length > 1 && stanzas.some(isForPassphrase))
    throw new DamagedAgeFile("The header of the encrypted file is not valid.");
  for (const identity of identities)
    for (const stanza of stanzas) {
      const fileKey = await unwrap(stanza, identity);
      if (!fileKey) continue;
      const authenticated = text.slice(0, text.lastIndexOf("---") + 3);
      const mac = decode(text.slice(authenticated.length + 1, -1));
      const expected = headerMac(fileKey, authenticated);
      if (mac?.length !== expected.length || !timingSafeEqual(mac, expected))
        throw new DamagedAgeFile("The header of the encrypted file was altered.");
      return fileKey;
    }
  throw new WrongKey(describeMiss(stanzas, identities));
}

function describeMiss(stanzas: readonly Stanza[], identities: readonly AgeIdentity[]): string {
  const needsPassphrase = stanzas.some(isForPassphrase);
  const needed = needsPassphrase ? "a passphrase" : "a private key (identity)";
  const given = identities.some((one) => needsPassphrase === "passphrase" in one);
  if (!given)
    return `It is encrypted with ${needsPassphrase ? "a passphrase" : "a public key"}, and ${needed} was not given.`;
  return needsPassphrase
    ? "The passphrase is wrong: it was encrypted with another one."
    : "The private key (identity) is wrong: it was encrypted to another public key.";
}

const isForPassphrase = ({ arguments: [kind] }: Stanza) => kind === "scrypt";

/** @throws DamagedAgeFile unless the lines are as the specification has them */
function parseStanzas(text: string): Stanza[] {
  const lines = text.split("\n").slice(1, -2);
  const stanzas: Stanza[] = [];
  for (let at = 0; at < lines.length; ) {
    const head = lines[at++] ?? "";
    if (!/^-> [\x21-\x7e]+( [\x21-\x7e]+)*$/.test(head))
      throw new DamagedAgeFile("The header of the encrypted file is not valid.");
    let body = "";
    // The last line of a body is shorter than the others, and may be empty.
    for (;;) {
      const line = lines[at++];
      if (line === undefined || line.length > COLUMNS)
        throw new DamagedAgeFile("The header of the encrypted file is not valid.");
      body += line;
      if (line.length < COLUMNS) break;
    }
    const bytes = decode(body);
    if (!bytes) throw new DamagedAgeFile("The header of the encrypted file is not valid.");
    stanzas.push({ arguments: head.slice(3).split(" "), body: bytes });
  }
  return stanzas;
}

function wrapForKey(fileKey: Buffer, publicKey: Buffer): Stanza {
  const ephemeral = createIdentity();
  const shared = agree(ephemeral.privateKey, publicKey);
  const key = derive(shared, Buffer.concat([ephemeral.publicKey, publicKey]), X25519_LABEL);
  return { arguments: ["X25519", encode(ephemeral.publicKey)], body: seal(key, fileKey) };
}

async function wrapForPassphrase(fileKey: Buffer, passphrase: string): Promise<Stanza> {
  const salt = randomBytes(SALT_BYTES);
  const key = await stretch(passphrase, salt, SCRYPT_LOG_ROUNDS);
  return { arguments: ["scrypt", encode(salt), String(SCRYPT_LOG_ROUNDS)], body: seal(key, fileKey) };
}

/** @returns null if the stanza is not for this identity */
async function unwrap(
  { arguments: [kind, first = "", second = "", ...more], body }: Stanza,
  identity: AgeIdentity,
): Promise<Buffer | null> {
  if (kind === "X25519" && "privateKey" in identity) {
    const share = decode(first);
    if (share?.length !== 32 || second !== "" || body.length !== FILE_KEY_BYTES + TAG_BYTES)
      throw new DamagedAgeFile("The header of the encrypted file is not valid.");
    const salt = Buffer.concat([share, publicKeyOf(identity.privateKey)]);
    return open(derive(agreeOrRefuse(identity.privateKey, share), salt, X25519_LABEL), body);
  }
  if (kind === "scrypt" && "passphrase" in identity) {
    const salt = decode(first);
    const isValid = salt?.length === SALT_BYTES && /^[1-9]\d?$/.test(second) && more.length === 0;
    if (!isValid || body.length !== FILE_KEY_BYTES + TAG_BYTES)
      throw new DamagedAgeFile("The header of the encrypted file is not valid.");
    if (Number(second) > MAXIMUM_SCRYPT_LOG_ROUNDS)
      throw new DamagedAgeFile(
        `Opening the encrypted file would take more memory than is allowed (2^${second} rounds).`,
      );
    return open(await stretch(identity.passphrase, salt, Number(second)), body);
  }
  return null;
}

function agreeOrRefuse(privateKey: Buffer, share: Buffer): Buffer {
  try {
    return agree(privateKey, share);
  } catch (error) {
    throw new DamagedAgeFile("The header of the encrypted file is not valid.", { cause: error });
  }
}

/** The nonce may be zero: each of these keys encrypts once. */
const ZERO_NONCE = Buffer.alloc(12);

function seal(key: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv("chacha20-poly1305", key, ZERO_NONCE, { authTagLength: TAG_BYTES });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, sealed: Buffer): Buffer | null {
  const decipher = createDecipheriv("chacha20-poly1305", key, ZERO_NONCE, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

function stretch(passphrase: string, salt: Buffer, logRounds: number): Promise<Buffer> {
  const rounds = 2 ** logRounds;
  const maxmem = 256 * SCRYPT_BLOCK * rounds;
  return new Promise((resolve, reject) => {
    scrypt(
      passphrase,
      Buffer.concat([Buffer.from(SCRYPT_LABEL), salt]),
      32,
      { N: rounds, r: SCRYPT_BLOCK, p: 1, maxmem },
      (error, key) => (error ? reject(error) : resolve(key)),
    );
  });
}

/** HKDF-SHA-256. */
export function derive(key: Buffer, salt: Buffer, label: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, label, 32));
}

function headerMac(fileKey: Buffer, authenticated: string): Buffer {
  return createHmac("sha256", derive(fileKey, Buffer.alloc(0), "header"))
    .update(authenticated, "latin1")
    .digest();
}

function encode(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

/** Base64 without padding, in its one canonical form; null otherwise. */
function decode(text: string): Buffer | null {
  if (!BASE64.test(text)) return null;
  const bytes = Buffer.from(text, "base64");
  return encode(bytes) === text ? bytes : null;
}

function wrapColumns(text: string): string[] {
  const lines = text.match(new RegExp(`.{1,${COLUMNS}}`, "g")) ?? [];
  return (lines.at(-1)?.length ?? COLUMNS) === COLUMNS ? [...lines, ""] : lines;
}
