import { openDeadline } from "@/lib/platform/deadline";
import { BankUnavailable } from "@/lib/ports/bank/bank-port";

/** Longer than any answer takes, and well below the lease of an order. */
const TIMEOUT_MS = 20_000;
/** A full page with all of its fields is about two megabytes. */
const MAXIMUM_ANSWER_BYTES = 8 * 1_024 * 1_024;

/** An answer whose body has arrived. */
export interface ArrivedAnswer {
  response: Response;
  text: string;
}

/**
 * One request to a bank, of whose answer the last byte arrives in time, and no more than is read at once.
 * @param bank its name in messages
 * @param timeoutMs for tests
 * @throws BankUnavailable otherwise
 */
export async function askBank(
  bank: string,
  url: string | URL | Request,
  init: RequestInit,
  timeoutMs = TIMEOUT_MS,
): Promise<ArrivedAnswer> {
  const deadline = openDeadline(timeoutMs, init.signal);
  try {
    // A redirect would carry the key to another address, and turn an order into a question.
    const response = await fetch(url, { ...init, redirect: "error", signal: deadline.signal });
    return { response, text: await readBounded(bank, response) };
  } catch (error) {
    throw new BankUnavailable(`${bank} could not be reached (no answer)`, { cause: error });
  } finally {
    deadline.close();
  }
}

/** An endless answer must not fill this process's memory. */
async function readBounded(bank: string, response: Response): Promise<string> {
  if (!response.body) return "";
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError("The body must be read as bytes");
    length += chunk.byteLength;
    if (length > MAXIMUM_ANSWER_BYTES) throw new RangeError(`${bank}'s answer is too large`);
    chunks.push(chunk);
  }
  // A letter of another encoding in one name must not hide the rest.
  return new TextDecoder().decode(Buffer.concat(chunks));
}
