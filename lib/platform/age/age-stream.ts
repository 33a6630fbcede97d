import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { Transform } from "node:stream";
import {
  AGE_INTRODUCTION,
  DamagedAgeFile,
  derive,
  findHeaderEnd,
  readHeader,
  writeHeader,
} from "@/lib/platform/age/age-header";
import type { AgeIdentity, AgeRecipient } from "@/lib/platform/age/age-keys";

/**
 * The payload of an age file: pieces of 64 KiB, each authenticated with its number and whether it is the last, so that
 * none can be altered, moved, repeated or cut off unnoticed. Memory holds one piece.
 */
const PIECE_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 16;

/** Whether a file that begins with these bytes is one of age. */
export function isAgeFile(beginning: Buffer): boolean {
  return beginning.subarray(0, AGE_INTRODUCTION.length).toString("latin1") === AGE_INTRODUCTION;
}

/** How many bytes `isAgeFile` needs. */
export const AGE_BEGINNING_BYTES = AGE_INTRODUCTION.length;

/** Encrypts what is written to it. The result opens with `age --decrypt`, too. */
export async function createAgeEncryption(recipients: readonly AgeRecipient[]): Promise<Transform> {
  const { header, fileKey } = await writeHeader(recipients);
  const salt = randomBytes(NONCE_BYTES);
  const key = derive(fileKey, salt, "payload");
  const nonces = createNonces();
  let held: Buffer = Buffer.alloc(0);
  return new Transform({
    construct(done) {
      this.push(Buffer.concat([header, salt]));
      done();
    },
    transform(chunk: Buffer, _encoding, done) {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      let start = 0;
      // A full piece stays until it is known whether it is the last.
      while (held.length - start > PIECE_BYTES) {
        this.push(encryptPiece(key, nonces.next(false), held.subarray(start, start + PIECE_BYTES)));
        start += PIECE_BYTES;
      }
      held = held.subarray(start);
      done();
    },
    flush(done) {
      this.push(encryptPiece(key, nonces.next(true), held));
      done();
    },
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
  let held: Buffer = Buffer.alloc(0);
  let key: Buffer | null = null;
  let fileKey: Buffer | null = null;
  const nonces = createNonces();
  for await (const chunk of source) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    if (fileKey === null) {
      const end = findHeaderEnd(held);
      if (end === null) continue;
      fileKey = await readHeader(held.subarray(0, end), identities);
      held = held.subarray(end);
    }
    if (key === null) {
      if (held.length < NONCE_BYTES) continue;
      key = derive(fileKey, held.subarray(0, NONCE_BYTES), "payload");
      held = held.subarray(NONCE_BYTES);
    }
    let start = 0;
    while (held.length - start > PIECE_BYTES + TAG_BYTES) {
      yield decryptPiece(key, nonces.next(false), held.subarray(start, start + PIECE_BYTES + TAG_BYTES));
      start += PIECE_BYTES + TAG_BYTES;
    }
    held = held.subarray(start);
  }
  if (key === null) throw new DamagedAgeFile("The encrypted file is cut off.");
  const isFirst = nonces.count() === 0;
  const last = decryptPiece(key, nonces.next(true), held);
  // Otherwise two files would have the same content.
  if (last.length === 0 && !isFirst) throw new DamagedAgeFile("The encrypted file is not valid.");
  yield last;
}

/** Eleven bytes of number, big endian, and one that is 1 for the last piece. */
function createNonces() {
  let number = 0;
  return {
    count: () => number,
    next: (isLast: boolean) => {
      const nonce = Buffer.alloc(12);
      nonce.writeUIntBE(number, 5, 6);
      nonce[11] = isLast ? 1 : 0;
      number += 1;
      return nonce;
    },
  };
}

function encryptPiece(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv("chacha20-poly1305", key, nonce, { authTagLength: TAG_BYTES });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decryptPiece(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  if (sealed.length < TAG_BYTES) throw new DamagedAgeFile("The encrypted file is cut off.");
  const decipher = createDecipheriv("chacha20-poly1305", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new DamagedAgeFile("The encrypted file was altered or cut off.", { cause: error });
  }
}
