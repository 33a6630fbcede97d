import { z } from "zod";

/** What is told of, by the kind of resource that changed (specification, Part 6, "Event types"). */
export const eventTypeSchema = z.enum([
  "transfer.changed",
  "card_transaction.changed",
  "external_transaction.changed",
]);
export type EventType = z.infer<typeof eventTypeSchema>;

export const eventResourceTypeSchema = z.enum(["transfer", "card_transaction", "external_transaction"]);
export type EventResourceType = z.infer<typeof eventResourceTypeSchema>;

/** The body of a delivery: identifiers only, no state (specification, Part 6, "Payload"). */
export const webhookEventSchema = z.strictObject({
  id: z.uuid().describe("The event's. Equals `X-Service-Event-Id`, and is the same in every attempt."),
  type: eventTypeSchema.describe("What changed. More may be added: ignore what you do not know."),
  resource: z
    .strictObject({
      type: eventResourceTypeSchema,
      id: z.uuid().describe("Pass it to the matching GET, which gives the state."),
    })
    .describe("What it is about, without its state."),
  created_at: z.iso.datetime().describe("UTC time at which the event was made."),
});
export type WebhookEvent = z.infer<typeof webhookEventSchema>;

/** Value of `User-Agent`. */
export const WEBHOOK_USER_AGENT = "Sluice-Webhooks/1";
export const EVENT_ID_HEADER = "X-Service-Event-Id";
export const SIGNATURE_HEADER = "X-Service-Signature";

/** How far `t` of a signature may lie from a receiver's clock, to both sides. */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** From connecting to the end of the answer (decisions page, "Webhooks"). */
export const DELIVERY_TIMEOUT_MS = 10_000;
/** As much of an answer's body as is read. */
export const MAXIMUM_ANSWER_BYTES = 16 * 1024;
/** As much of it as is kept for people to read. */
export const KEPT_ANSWER_CHARACTERS = 2_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * What lies between two attempts; the first is made at once. All inside 24 hours (decisions page, "Webhooks"). Jitter
 * only shortens.
 */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  6 * HOUR_MS,
] as const;
export const MAXIMUM_ATTEMPTS = RETRY_DELAYS_MS.length + 1;

/** Endpoints of one organization, those that wait to replace another included. */
export const MAXIMUM_ENDPOINTS = 20;
export const MAXIMUM_URL_LENGTH = 2_000;
/** How long events, deliveries and attempts are kept. */
export const EVENT_RETENTION_DAYS = 30;

/**
 * Why an attempt failed. `STATUS`: it answered, but not with 2xx; `ADDRESS`: where it leads is not allowed; `SECRET`: it
 * could not be signed, because the server's SLUICE_SECRET is another one than when the endpoint was made.
 */
export const deliveryProblemSchema = z.enum([
  "STATUS",
  "REDIRECT",
  "TIMEOUT",
  "DNS",
  "ADDRESS",
  "CONNECTION",
  "TLS",
  "PROTOCOL",
  "SECRET",
]);
export type DeliveryProblem = z.infer<typeof deliveryProblemSchema>;
