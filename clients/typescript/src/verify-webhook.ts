import { WebhookVerificationError } from "./errors.js";
import { parseEvent, type ReceivedEvent } from "./webhook-event.js";
import { isSigned, parseSignature } from "./webhook-signature.js";

/** `Request.headers` or Node's `request.headers`, in any case. */
export type WebhookHeaders =
  | Pick<Headers, "get">
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerificationOptions {
  /** The signing secret of the endpoint; two while an endpoint is recreated. */
  secret: string | readonly string[];
  /** How far the signature's `t` may be from this machine's clock, either way. Default 300. */
  toleranceSeconds?: number;
  /** Another clock, in milliseconds since 1970. Default `Date.now`. */
  now?: () => number;
}

export interface ReceivedWebhook extends VerificationOptions {
  /** The raw body, byte for byte; not a parsed and reserialized object. */
  body: Uint8Array | string;
  /** All headers of the request, or only the signature. */
  headers?: WebhookHeaders;
  /** Value of `X-Service-Signature`, when `headers` are not given. */
  signature?: string | null;
}

/** Far more than a delivery, which has about 300 bytes. */
export const MAXIMUM_BODY_BYTES = 256 * 1024;

/**
 * Verifies that a delivery was signed with the endpoint's secret, recently, and is unaltered.
 * @returns its event. It may be a repetition: `createWebhookReceiver` detects that, or skip it by its id.
 * @throws WebhookVerificationError with the `reason`; answer 400
 * @throws TypeError without a secret, because anyone could sign with an empty one
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<ReceivedEvent> {
  const { toleranceSeconds = 300, now = Date.now } = received;
  const secrets = listSecrets(received.secret);
  const body = typeof received.body === "string" ? new TextEncoder().encode(received.body) : received.body;
  const { headers } = received;
  const signature = parseSignature(headers ? readHeader(headers, "x-service-signature") : received.signature);
  if (body.length > MAXIMUM_BODY_BYTES) throw new WebhookVerificationError("MALFORMED_BODY");
  if (!(await isSigned(signature, body, secrets))) throw new WebhookVerificationError("NO_MATCH");

  const ageSeconds = Math.floor(now() / 1_000) - Number(signature.t);
  // Compared in this direction so that a clock that returns NaN refuses.
  const isInTime = Math.abs(ageSeconds) <= toleranceSeconds;
  if (!isInTime) throw new WebhookVerificationError(ageSeconds < 0 ? "TOO_NEW" : "TOO_OLD");

  const event = parseEvent(body);
  const eventId = headers ? readHeader(headers, "x-service-event-id") : null;
  // The body is signed, the header is not: a mismatch means tampering.
  if (eventId !== null && eventId !== event.id) throw new WebhookVerificationError("EVENT_ID_MISMATCH");
  return event;
}

/** @throws TypeError for a missing or empty one. */
export function listSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === "string" ? [secret] : [...secret];
  if (secrets.length === 0 || secrets.some((one) => typeof one !== "string" || one === ""))
    throw new TypeError("A webhook needs the signing secret of its endpoint; it is empty or missing.");
  return secrets;
}

/** Repeated headers arrive as one, joined by commas, as HTTP defines. */
function readHeader(headers: WebhookHeaders, name: string): string | null {
  if (isFetchHeaders(headers)) return headers.get(name);
  const values = Object.entries(headers).flatMap(([key, value]) =>
    key.toLowerCase() === name && value !== undefined ? value : [],
  );
  return values.length > 0 ? values.join(",") : null;
}

const isFetchHeaders = (headers: WebhookHeaders): headers is Pick<Headers, "get"> =>
  typeof headers.get === "function";
