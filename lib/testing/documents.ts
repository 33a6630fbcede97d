import { crc32, deflateSync } from "node:zlib";
import { invoicePdf } from "@/lib/core/demo/invoice-pdf";

/** A PDF of one page with these words. Equal words, equal bytes. */
export function samplePdf(words: string): Buffer {
  return invoicePdf([words]);
}

/** A gray picture of this shade (0 to 255) with these sides, in pixels. */
export function samplePng(shade: number, { width = 64, height = 80 } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width, shade)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** Has the markers of a JPEG and this many bytes, but shows nothing. */
export function sampleJpeg(sizeInBytes: number): Buffer {
  const content = Buffer.alloc(sizeInBytes, 0x20);
  content.set([0xff, 0xd8, 0xff, 0xe0], 0);
  content.set([0xff, 0xd9], sizeInBytes - 2);
  return content;
}
