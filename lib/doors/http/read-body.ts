import { AppError } from "@/lib/contract/error";
import { MAXIMUM_BODY_BYTES } from "@/lib/contract/limits";

const NOT_JSON = "The body must be JSON in UTF-8.";

/** @throws AppError `PAYLOAD_TOO_LARGE`; `INVALID_PARAMETERS` when it is not JSON */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readBody(request);
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("INVALID_PARAMETERS", NOT_JSON);
  }
}

/**
 * Reads at most the limit, also of a body that hides or understates its length. No bytes: the text is empty.
 * @throws AppError `PAYLOAD_TOO_LARGE`; `INVALID_PARAMETERS` when it is not UTF-8
 */
export async function readBody(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAXIMUM_BODY_BYTES) {
      throw new AppError("PAYLOAD_TOO_LARGE", `The body must be at most ${MAXIMUM_BODY_BYTES} bytes.`);
    }
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new AppError("INVALID_PARAMETERS", NOT_JSON);
  }
}
