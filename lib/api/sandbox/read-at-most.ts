/**
 * The body as text, in which bytes that are no UTF-8 are replaced.
 * @returns null for one that is longer, also where it hides or understates its length.
 */
export async function readAtMost(request: Request, maximumBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maximumBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
