import { setTimeout as pause } from "node:timers/promises";
import { hasCode } from "@/lib/platform/db/error-code";

/** Slower senders are cut off. */
const HEARD_OUT_MS = 500;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * The body of a request to a page's route, where it is not too large, whatever its header said.
 * @returns null: it is larger, or its sender hung up before its end, and then hears no answer. Of what is larger the rest
 *   was heard out for half a second, and dropped: cancelling it would destroy the connection that has yet to carry the
 *   refusal, and whoever sends would read of a broken pipe.
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
