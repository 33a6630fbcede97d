import type { IncomingMessage } from "node:http";
import { AppError } from "@/lib/contract/error";
import { MAXIMUM_BODY_BYTES } from "@/lib/contract/limits";
import { drainRequest } from "@/lib/platform/drain-request";
import { hasCode } from "@/lib/platform/error-code";

/**
 * For answers sent before the body was read to its end. The unread rest would corrupt the next request on this
 * connection, so it is closed; without this header a client would send that request and never get an answer.
 */
export const CLOSES_CONNECTION = { Connection: "close" };

const NOT_JSON = "The body must be JSON in UTF-8.";

const BROKEN_OFF = "The connection closed before the body was complete.";

/** A request from Node's server or, in tests, from `fetch`. */
export type BodySource = IncomingMessage | Request;

/**
 * Treats a missing body as `{}`: operations whose fields are all optional need none, others name the missing field.
 * @throws AppError `PAYLOAD_TOO_LARGE`; `INVALID_PARAMETERS` when it is not JSON
 */
export async function readJson(source: BodySource, maximumBytes: number): Promise<unknown> {
  const text = await readBody(source, maximumBytes);
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("INVALID_PARAMETERS", NOT_JSON);
  }
}

/**
 * Reads up to the limit, even from a body that hides or understates its length. No bytes give an empty text.
 * @throws AppError `PAYLOAD_TOO_LARGE`; `INVALID_PARAMETERS` when it is not UTF-8, or the client disconnected
 * mid-body
 */
export async function readBody(source: BodySource, maximumBytes = MAXIMUM_BODY_BYTES): Promise<string> {
  const bytes = await readBytes(source, maximumBytes);
  if (bytes === null) {
    if (!(source instanceof Request)) await drainRequest(source);
    throw new AppError("PAYLOAD_TOO_LARGE", `The body must be at most ${maximumBytes} bytes.`);
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new AppError("INVALID_PARAMETERS", NOT_JSON);
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** @returns null when it is too long; the rest is still on its way */
async function readBytes(source: BodySource, maximumBytes: number): Promise<Buffer | null> {
  try {
    return await ("body" in source
      ? readStream(source.body ?? [], maximumBytes)
      : receive(source, maximumBytes));
  } catch (error) {
    // Client disconnected mid-body; not a server error, and no reason to wake an operator.
    if (hasCode(error, "ECONNRESET")) throw new AppError("INVALID_PARAMETERS", BROKEN_OFF);
    throw error;
  }
}

async function readStream(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maximumBytes: number,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > maximumBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads Node's own stream, by its events: a `Request` with its `ReadableStream` and abort signal costs a tenth of a small
 * request (docs/performance.md). It is not destroyed, because the connection still has to carry a refusal.
 */
function receive(source: IncomingMessage, maximumBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const breakOff = () => reject(new AppError("INVALID_PARAMETERS", BROKEN_OFF));
    source
      .on("data", (chunk: Buffer) => {
        size += chunk.byteLength;
        if (size > maximumBytes) resolve(null);
        else chunks.push(chunk);
      })
      .once("end", () => resolve(Buffer.concat(chunks)))
      .once("error", reject)
      .once("close", () => source.readableEnded || breakOff());
    // It may have closed before, while the caller was authenticated.
    if (source.destroyed) breakOff();
  });
}
