import { WebhookVerificationError } from "./errors.js";
import { readBounded } from "./read-bounded.js";
import { createMemorySeenEvents, type SeenEvents } from "./seen-events.js";
import {
  listSecrets,
  MAXIMUM_BODY_BYTES,
  type VerificationOptions,
  verifyWebhook,
} from "./verify-webhook.js";
import type { ReceivedEvent } from "./webhook-event.js";

export interface WebhookReceiverOptions extends Omit<VerificationOptions, "secret"> {
  /** The signing secret of the endpoint; two while an endpoint is recreated. */
  secrets: string | readonly string[];
  /**
   * Called once for each event, in no guaranteed order. Finish within 8 seconds, or enqueue the event: Sluice waits
   * for 10. If it throws, the event is sent again.
   */
  onEvent: (event: ReceivedEvent) => Promise<void> | void;
  /** Store of handled events. Default: this process's memory. */
  seen?: SeenEvents;
  /** Gets what `onEvent` or the store threw; the answer was 500. Default: `console.error`. */
  onError?: (error: unknown, event: ReceivedEvent | null) => void;
}

/** Answers a request; for Next's route handlers, Hono, Deno, Bun, Cloudflare and anything else that speaks Fetch. */
export type WebhookReceiver = (request: Request) => Promise<Response>;

/**
 * A handler that verifies deliveries, skips handled events, and passes the rest to `onEvent`.
 * It answers 204 for an event handled now or before; 400 with the reason for an invalid delivery; 405 for methods
 * other than POST; 409 while another process handles the same event, so that Sluice retries; 413 for an oversized
 * body; 500 when `onEvent` or the store throws, so that Sluice retries.
 * @throws TypeError without a secret
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  const { secrets, onError = logError, ...rest } = options;
  // Checked here: a missing secret shows at the start, not with the first delivery.
  const secret = listSecrets(secrets);
  const handleOnce = shareRuns(options, onError);
  return async (request) => {
    try {
      if (request.method !== "POST") return answer(405, "Deliveries are POST.", { allow: "POST" });
      const body = await readBody(request);
      if (body === null) return answer(413, "No delivery is this large.");
      const event = await verifyWebhook({ ...rest, secret, body, headers: request.headers });
      return toResponse(await handleOnce(event));
    } catch (error) {
      if (error instanceof WebhookVerificationError) return answer(400, `${error.reason}: ${error.message}`);
      onError(error, null);
      return toResponse("FAILED");
    }
  };
}

type Outcome = "HANDLED" | "ELSEWHERE" | "FAILED";

/**
 * Of two deliveries of one event in this process, the second gets the outcome of the first: while an endpoint is
 * recreated, each event arrives twice at the same moment.
 */
function shareRuns(
  { onEvent, seen = createMemorySeenEvents() }: WebhookReceiverOptions,
  onError: NonNullable<WebhookReceiverOptions["onError"]>,
): (event: ReceivedEvent) => Promise<Outcome> {
  const running = new Map<string, Promise<Outcome>>();
  return (event) => {
    const known = running.get(event.id);
    if (known) return known;
    const run = handle(event, onEvent, seen)
      .catch((error: unknown): Outcome => {
        onError(error, event);
        return "FAILED";
      })
      .finally(() => running.delete(event.id));
    running.set(event.id, run);
    return run;
  };
}

async function handle(
  event: ReceivedEvent,
  onEvent: WebhookReceiverOptions["onEvent"],
  seen: SeenEvents,
): Promise<Outcome> {
  const state = await seen.begin(event.id);
  if (state === "UNDER_WAY") return "ELSEWHERE";
  if (state === "DONE") return "HANDLED";
  try {
    await onEvent(event);
  } catch (error) {
    await noteFailure(seen, event.id, error);
    throw error;
  }
  await seen.done(event.id);
  return "HANDLED";
}

function toResponse(outcome: Outcome): Response {
  if (outcome === "HANDLED") return new Response(null, { status: 204 });
  if (outcome === "FAILED") return answer(500, "It was not handled. Send it again.");
  // Not 2xx: if the other delivery fails, a 2xx here would have lost the event.
  return answer(409, "Another delivery of this event is being handled.");
}

/** @throws AggregateError when the store fails too: both errors matter. */
async function noteFailure(seen: SeenEvents, id: string, error: unknown): Promise<void> {
  try {
    await seen.failed(id);
  } catch (storeError) {
    throw new AggregateError([error, storeError], "The event failed, and the store could not be updated.");
  }
}

async function readBody(request: Request): Promise<Uint8Array | null> {
  if (Number(request.headers.get("content-length")) > MAXIMUM_BODY_BYTES) return null;
  return request.body ? await readBounded(request.body, MAXIMUM_BODY_BYTES) : new Uint8Array();
}

const answer = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Response(`${text}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers } });

function logError(error: unknown, event: ReceivedEvent | null): void {
  // biome-ignore lint/suspicious/noConsole: without onError the problem would be lost
  console.error(`Webhook event ${event?.id ?? "that was not read"} was not handled:`, error);
}
