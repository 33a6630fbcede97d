import type { IncomingMessage } from "node:http";
import { AppError } from "@/lib/contract/error";
import { MAXIMUM_BODY_BYTES } from "@/lib/contract/limits";
import { drainRequest } from "@/lib/platform/drain-request";
import { hasCode } from "@/lib/platform/error-code";

/**
 * Of an answer to a body that was not read to its end. What is left of it stands in the way of the next request, so the
 * connection is cut; without these words a client would send that request on it, and never hear of it.
 */
export const CLOSES_CONNECTION = { Connection: "close" };

const NOT_JSON = "The body must be JSON in UTF-8.";

const BROKEN_OFF = "The body broke off: the connection was closed before its end.";

/** A request as Node's server has it, or, where no server is, as `fetch` has it. */
export type BodySource = IncomingMessage | Request;

/**
 * A body that is missing is the same as `{}`: of an operation whose fields are all optional none has to be sent, and
 * another one says which field it lacks.
 * @throws AppError `PAYLOAD_TOO_LARGE`; `INVALID_PARAMETERS` when it is not JSON
 */
export async function readJson(source: BodySource): Promise<unknown> {
  const text = await readBody(source);
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("INVALID_PARAMETERS", NOT_JSON);
  }
}

/**
 * Reads at most the limit, also of a body that hides or understates its length. No bytes: the text is empty.
 * @throws AppError `PAYLOAD_TOO_LARGE`; `INVALID_PARAMETERS` when it is not UTF-8, or its sender hung up before its end
 */
export async function readBody(source: BodySource): Promise<string> {
  const bytes = await readBytes(source);
  if (bytes === null) {
    if (!(source instanceof Request)) await drainRequest(source);
    throw new AppError("PAYLOAD_TOO_LARGE", `The body must be at most ${MAXIMUM_BODY_BYTES} bytes.`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("INVALID_PARAMETERS", NOT_JSON);
  }
}

/** @returns null: it is too long, and the rest of it is still to come */
async function readBytes(source: BodySource): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunksOf(source)) {
      size += chunk.byteLength;
      if (size > MAXIMUM_BODY_BYTES) return null;
      chunks.push(chunk);
    }
  } catch (error) {
    // Whoever hangs up on a train is no fault of ours: in the log it would wake an operator.
    if (hasCode(error, "ECONNRESET")) throw new AppError("INVALID_PARAMETERS", BROKEN_OFF);
    throw error;
  }
  return Buffer.concat(chunks);
}

/**
 * Of Node's own stream where there is one: a `Request` with its `ReadableStream` and abort signal, made for each body,
 * costs a tenth of all small requests (docs/performance.md). It is not destroyed when the rest of a body is not wanted,
 * for the connection has yet to carry the refusal.
 */
function chunksOf(source: BodySource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if ("body" in source) return source.body ?? [];
  return "iterator" in source ? source.iterator({ destroyOnReturn: false }) : [];
}
