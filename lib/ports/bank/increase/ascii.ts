/**
 * Text as Increase takes it: printable ASCII.
 * @param otherwise if nothing remains
 */
export function ascii(text: string, length: number, otherwise: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[^ -~]/g, "")
    .trim();
  return plain.slice(0, length).trim() || otherwise;
}
