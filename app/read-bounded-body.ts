import "server-only";
import { setTimeout as pause } from "node:timers/promises";

/** Slower senders are cut off. */
const HEARD_OUT_MS = 500;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * The body of a request to a page's route, where it is not too large, whatever its header said.
 * @returns null: it is larger. Then the rest of it was heard out for half a second, and dropped: cancelling it would
 *   destroy the connection that has yet to carry the refusal, and whoever sends would read of a broken pipe.
 */
export async function readBoundedBody(request: Request, maximumBytes: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maximumBytes) {
      await Promise.race([readToEnd(reader), pause(HEARD_OUT_MS, undefined, { ref: false })]);
      return null;
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

/** Bounded by the time that Node gives a request to come in. */
async function readToEnd(reader: Reader): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // They hung up: nobody is left to be told what was wrong.
  }
}
