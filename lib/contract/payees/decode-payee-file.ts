// Apart from the schemas of a file, so that the page that decodes it carries no Zod.

/**
 * Decodes a file with payees. A file of invalid UTF-8 is one that Excel saved as Windows-1252; UTF-16 begins with a
 * byte order mark.
 */
export function decodePayeeFile(bytes: Uint8Array): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : null;
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
