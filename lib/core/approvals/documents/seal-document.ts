import { createHash, randomBytes } from "node:crypto";
import { createEncryption } from "@/lib/platform/encryption";
import type { Services } from "@/lib/platform/services";

const KEY_BYTES = 32;
const PIECE_BYTES = 512 * 1024;
const PIECES = "document pieces";

/** A document as it is stored. */
interface SealedDocument {
  sha256: string;
  sealedKey: Buffer;
  pieces: Buffer[];
}

/** Whose piece it is, and which of how many: pieces of other documents, or in another order, do not decrypt. */
const contextOf = (owner: string, place: number, count: number) => `${owner}/${place}/${count}`;

/**
 * Encrypts a document with a key of its own, so that replacing the product's secret encrypts only that key again.
 * @param owner `<organization's id>/<document's id>`
 */
export function sealDocument(
  { documentKeys }: Pick<Services, "documentKeys">,
  owner: string,
  content: Buffer,
): SealedDocument {
  const key = randomBytes(KEY_BYTES).toString("base64url");
  const encryption = createEncryption(key, PIECES);
  const count = Math.ceil(content.length / PIECE_BYTES);
  const pieces = Array.from({ length: count }, (_, place) =>
    encryption.encrypt(
      content.subarray(place * PIECE_BYTES, (place + 1) * PIECE_BYTES),
      contextOf(owner, place, count),
    ),
  );
  return { sha256: sha256Of(content), sealedKey: documentKeys.encrypt(key, owner), pieces };
}

/** @throws DecryptionFailed if any piece is altered, missing or another document's; Error if the content is not that one */
export function openDocument(
  { documentKeys }: Pick<Services, "documentKeys">,
  owner: string,
  { sha256, sealedKey, pieces }: SealedDocument,
): Buffer {
  const encryption = createEncryption(documentKeys.decrypt(sealedKey, owner), PIECES);
  const content = Buffer.concat(
    pieces.map((piece, place) => encryption.decryptBytes(piece, contextOf(owner, place, pieces.length))),
  );
  if (sha256Of(content) !== sha256) throw new Error(`Document ${owner} is not the one that was approved`);
  return content;
}

const sha256Of = (content: Buffer) => createHash("sha256").update(content).digest("hex");
