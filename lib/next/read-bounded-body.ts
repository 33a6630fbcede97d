import { hasCode } from "@/lib/platform/error-code";

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * The body of a request to a page's route, where it is not too large, whatever its header said.
 * @returns null: it is larger, or its sender hung up before its end, and then hears no answer. What is larger is not
 *   cancelled: that would destroy the connection that has yet to carry the refusal. Its rest is heard out then
 *   (lib/api/launcher/settle-page-request.ts).
 */
export async function readBoundedBody(request: Request, maximumBytes: number): Promise<Buffer | null> {
  try {
    return await readAll(request.body?.getReader(), maximumBytes);
  } catch (error) {
    // Whoever hangs up on a train is no fault of ours: in the log it would wake an operator.
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
