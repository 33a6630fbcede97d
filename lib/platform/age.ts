import { Duplex } from "node:stream";
import {
  Decrypter,
  Encrypter,
  generateX25519Identity,
  type Identity,
  identityToRecipient,
  type Stanza,
} from "age-encryption";

/**
 * Files in the format of `age` (age-encryption.org/v1), which backups and archives are encrypted in: pieces of 64 KiB, each
 * authenticated with its number and whether it is the last. Memory holds one piece.
 */

/** Whom a file is encrypted to: the holder of a private key (`age1…`), or everyone who knows a passphrase. */
export type AgeRecipient = { publicKey: string } | { passphrase: string };

/** What opens a file: a private key (`AGE-SECRET-KEY-1…`), or a passphrase. */
export type AgeIdentity = { privateKey: string } | { passphrase: string };

/** None of the given keys or passphrases opens the file. */
export class WrongKey extends Error {
  override readonly name = "WrongKey";
}

/** The file is not one that age wrote, or it was altered or cut off. */
export class DamagedAgeFile extends Error {
  override readonly name = "DamagedAgeFile";
}

const INTRODUCTION = "age-encryption.org/v1";
/** How many bytes `isAgeFile` needs. */
export const AGE_BEGINNING_BYTES = INTRODUCTION.length;
/** 2^16 rounds take 64 MB and hold the process for some tenths of a second, once a file; the default is four times that. */
const SCRYPT_LOG_ROUNDS = 16;
const MAXIMUM_HEADER_BYTES = 64 * 1024;

/** Whether a file that begins with these bytes is one of age. */
export function isAgeFile(beginning: Buffer): boolean {
  return beginning.subarray(0, AGE_BEGINNING_BYTES).toString("latin1") === INTRODUCTION;
}

/** @returns null unless the text is a public key of age */
export function parseRecipient(text: string): { publicKey: string } | null {
  try {
    new Encrypter().addRecipient(text);
    return { publicKey: text };
  } catch {
    return null;
  }
}

/**
 * Reads a file of identities, as `age-keygen` writes it: one `AGE-SECRET-KEY-1…` a line, comments begin with #.
 * @returns null if a line is anything else, or there is no key
 */
export function parseIdentities(text: string): { privateKey: string }[] | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== "" && !line.startsWith("#"));
  return keys.length > 0 && keys.every(isIdentity) ? keys.map((privateKey) => ({ privateKey })) : null;
}

function isIdentity(text: string): boolean {
  try {
    new Decrypter().addIdentity(text);
    return true;
  } catch {
    return false;
  }
}

/** A new key pair. */
export async function createIdentity(): Promise<{ privateKey: string; publicKey: string }> {
  const privateKey = await generateX25519Identity();
  return { privateKey, publicKey: await publicKeyOf(privateKey) };
}

export function publicKeyOf(privateKey: string): Promise<string> {
  return identityToRecipient(privateKey);
}

/** Encrypts what is written to it. The result opens with `age --decrypt`, too. */
export function createAgeEncryption(recipients: readonly AgeRecipient[]): Duplex {
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(SCRYPT_LOG_ROUNDS);
  for (const recipient of recipients) {
    if ("passphrase" in recipient) encrypter.setPassphrase(recipient.passphrase);
    else encrypter.addRecipient(recipient.publicKey);
  }
  return Duplex.from(async function* (source: AsyncIterable<Buffer>) {
    for await (const piece of await encrypter.encrypt(toWeb(source))) yield Buffer.from(piece);
  });
}

/**
 * Decrypts an age file piece by piece. What it yields is authentic; that it is all of the file is certain only when it
 * ends without an error.
 * @throws WrongKey if no identity opens it; DamagedAgeFile if it was altered or cut off
 */
export async function* decryptAge(
  source: AsyncIterable<Buffer>,
  identities: readonly AgeIdentity[],
): AsyncGenerator<Buffer> {
  const decrypter = new Decrypter();
  const header = new HeaderSeen();
  decrypter.addIdentity(header);
  for (const identity of identities) {
    if ("passphrase" in identity) decrypter.addPassphrase(identity.passphrase);
    else decrypter.addIdentity(identity.privateKey);
  }
  const file = new FileRead(source);
  try {
    for await (const piece of await decrypter.decrypt(toWeb(file.pieces()))) yield Buffer.from(piece);
  } catch (error) {
    if (file.failure) throw file.failure.error;
    throw header.wrongKey(error, identities) ?? damaged(error);
  }
}

function damaged(error: unknown): DamagedAgeFile {
  const detail = error instanceof Error ? ` (${error.message})` : "";
  return new DamagedAgeFile(`The encrypted file was altered or cut off${detail}.`, { cause: error });
}

/** Opens nothing, and tells whom the file was encrypted to. */
class HeaderSeen implements Identity {
  #stanzas: readonly Stanza[] = [];

  unwrapFileKey(stanzas: Stanza[]): null {
    this.#stanzas = stanzas;
    return null;
  }

  /** Null: another error. */
  wrongKey(error: unknown, identities: readonly AgeIdentity[]): WrongKey | null {
    if (!(error instanceof Error) || !error.message.startsWith("no identity matched")) return null;
    const needsPassphrase = this.#stanzas.some(({ args: [kind] }) => kind === "scrypt");
    const needed = needsPassphrase ? "a passphrase" : "a private key (identity)";
    if (!identities.some((one) => needsPassphrase === "passphrase" in one)) {
      const encryptedWith = needsPassphrase ? "a passphrase" : "a public key";
      return new WrongKey(`It is encrypted with ${encryptedWith}, and ${needed} was not given.`);
    }
    return new WrongKey(
      needsPassphrase
        ? "The passphrase is wrong: it was encrypted with another one."
        : "The private key (identity) is wrong: it was encrypted to another public key.",
    );
  }
}

/** The source: when it cannot be read, the file is not to blame. */
class FileRead {
  readonly #source: AsyncIterable<Buffer>;
  failure: { error: unknown } | null = null;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source;
  }

  async *pieces(): AsyncGenerator<Buffer> {
    let header: Buffer | null = Buffer.alloc(0);
    const source = this.#source[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.#next(source);
        if (done) return;
        if (header) {
          // Without a bound, a file of one endless line would take the memory of its reader.
          header = Buffer.concat([header, value]);
          if (header.includes("\n--- ")) header = null;
          else if (header.length > MAXIMUM_HEADER_BYTES) {
            throw new DamagedAgeFile("The header of the encrypted file does not end.");
          }
        }
        yield value;
      }
    } finally {
      await source.return?.();
    }
  }

  async #next(source: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
    try {
      return await source.next();
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}

function toWeb(source: AsyncIterable<Buffer>): ReadableStream<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await pieces.return?.();
      },
    },
    { highWaterMark: 1 },
  );
}
