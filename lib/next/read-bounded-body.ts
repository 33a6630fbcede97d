import { hasCode } from "@/lib/platform/error-code";

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Reads the body of a page route's request up to a limit, whatever its Content-Length says.
 * @returns null if the body is too large, or the client disconnected and no response can reach it. A body that is too
 *   large is not canceled: that would destroy the connection that carries the refusal.
 *   lib/api/launcher/settle-page-request.ts drains the rest.
 */
export async function readBoundedBody(request: Request, maximumBytes: number): Promise<Buffer | null> {
  try {
    return await readAll(request.body?.getReader(), maximumBytes);
  } catch (error) {
    // Client disconnected mid-body; logging it as a server error would page an operator.
    if (hasCode(error, "ECONNRESET")) return null;
    throw error;
  }
}

async function readAll(reader: Reader | undefined, maximumBytes: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maximumBytes) return null;
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}
