// Apart from the schemas of a file, so that the page that decodes it carries no Zod.

/**
 * Decodes a file with payees. A file of invalid UTF-8 is one that Excel saved as Windows-1252; UTF-16 begins with a
 * byte order mark, or shows in its first character.
 */
export function decodePayeeFile(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Uses the byte order mark, or else the zero byte of the first character: letters below U+0100 have one. */
function utf16Of([first, second]: Uint8Array): "utf-16le" | "utf-16be" | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0)
    ? "utf-16be"
    : null;
}
