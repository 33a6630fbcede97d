import type { Answer } from "./call.js";
import { type ErrorDetail, SluiceError } from "./errors.js";

/** Far above any answer of the API (a page of 100 items), far below what would hurt. */
const MAXIMUM_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * Reads a whole answer.
 * @throws SluiceError for a refusal, and with code `UNKNOWN` for an answer that is not the API's
 */
export async function readAnswer<Data>(
  response: Response,
  url: string,
  idempotencyKey: string | null,
): Promise<Answer<Data>> {
  const text = await readText(response);
  if (response.ok) {
    const envelope: Envelope<Data> | null = parse(text);
    if (envelope && "data" in envelope && typeof envelope.requestId === "string") {
      return {
        data: envelope.data,
        requestId: envelope.requestId,
        status: response.status,
        isReplayed: response.headers.get("idempotent-replayed") === "true",
      };
    }
  }
  throw toError(response, text, url, idempotencyKey);
}

interface Envelope<Data> {
  data: Data;
  requestId: unknown;
}

interface ErrorEnvelope {
  error?: { code?: unknown; message?: unknown; details?: ErrorDetail[] };
}

function toError(response: Response, text: string, url: string, idempotencyKey: string | null): SluiceError {
  const envelope: ErrorEnvelope | null = parse(text);
  const { code, message, details } = envelope?.error ?? {};
  const retryAfter = response.headers.get("retry-after") ?? "";
  return new SluiceError({
    code: typeof code === "string" ? code : "UNKNOWN",
    message:
      typeof message === "string"
        ? message
        : `${new URL(url).pathname} answered ${response.status}, but not like the Sluice API. Check baseUrl.`,
    status: response.status,
    requestId: response.headers.get("x-request-id"),
    details: Array.isArray(details) ? details : [],
    retryAfterSeconds: /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null,
    idempotencyKey,
  });
}

/** Null unless it is a JSON object. */
function parse(text: string) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAXIMUM_ANSWER_BYTES)
      throw new Error(`The answer is larger than ${MAXIMUM_ANSWER_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
