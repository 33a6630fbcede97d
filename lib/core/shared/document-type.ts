import { DOCUMENT_MEDIA_TYPES, type DocumentMediaType } from "@/lib/contract/input/document-types";

/** The first bytes of each media type: a sender's word for it, or a file's ending, proves nothing. */
const BEGINNINGS: Readonly<Record<DocumentMediaType, readonly number[]>> = {
  "image/jpeg": [0xff, 0xd8, 0xff],
  "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  "application/pdf": [0x25, 0x50, 0x44, 0x46, 0x2d],
};

/** @returns the type that the first bytes show; null for any other file */
export function beginningOf(content: Uint8Array): DocumentMediaType | null {
  return (
    DOCUMENT_MEDIA_TYPES.find((type) => BEGINNINGS[type].every((byte, index) => content[index] === byte)) ??
    null
  );
}

/**
 * The type of a document from its first byte to its last: a file that also is something else, such as a picture with an
 * archive or a page behind it, has none.
 */
export function wholeTypeOf(content: Buffer): DocumentMediaType | null {
  const type = beginningOf(content);
  return type !== null && IS_WHOLE[type](content) ? type : null;
}

const IS_WHOLE: Readonly<Record<DocumentMediaType, (content: Buffer) => boolean>> = {
  "application/pdf": endsAsPdf,
  "image/jpeg": endsAsJpeg,
  "image/png": endsAsPng,
};

/** Readers look for the marker in the last 1,024 bytes; only line ends and zeros may follow it. */
const PDF_TAIL_BYTES = 1_024;

function endsAsPdf(content: Buffer): boolean {
  const tail = content.subarray(-PDF_TAIL_BYTES).toString("latin1");
  const at = tail.lastIndexOf("%%EOF");
  return at >= 0 && /^[\s\0]*$/.test(tail.slice(at + "%%EOF".length));
}

/** Phones of one maker write their own facts behind the picture, and end them with this word. */
const SAMSUNG_TRAILER = "SEFT";

function endsAsJpeg(content: Buffer): boolean {
  let end = content.length;
  while (end > 0 && content[end - 1] === 0) end -= 1;
  if (content[end - 2] === 0xff && content[end - 1] === 0xd9) return true;
  if (content.subarray(end - SAMSUNG_TRAILER.length, end).toString("latin1") !== SAMSUNG_TRAILER)
    return false;
  return content.includes(Buffer.from([0xff, 0xd9]));
}

const PNG_SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk. */
const PNG_CHUNK_BYTES = 12;

/** Walks its chunks, which say their lengths: the last one ends the file. */
function endsAsPng(content: Buffer): boolean {
  let at = PNG_SIGNATURE_BYTES;
  // Each chunk takes at least twelve bytes, so the walk ends.
  while (at + PNG_CHUNK_BYTES <= content.length) {
    const length = content.readUInt32BE(at);
    const type = content.subarray(at + 4, at + 8).toString("latin1");
    if (at === PNG_SIGNATURE_BYTES && type !== "IHDR") return false;
    at += PNG_CHUNK_BYTES + length;
    if (type === "IEND") return length === 0 && at === content.length;
  }
  return false;
}
