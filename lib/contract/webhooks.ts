import { z } from "zod";
import { isInstantInBounds, YEARS_PROBLEM } from "@/lib/contract/input/instants";
import type { Refused } from "@/lib/contract/refused";

/** A new endpoint with its secret, shown only once. */
export type NewEndpointResult =
  | { kind: "CREATED"; id: string; href: string; url: string; secret: string }
  | Refused;

/** Sent again: how many deliveries are due now. `hasMore`: the maximum of one call, and there are others. */
export type ReplayResult = { kind: "REPLAYED"; count: number; hasMore: boolean } | Refused;

export type TestEventResult = { kind: "SENT"; eventId: string; href: string } | Refused;

/** What an endpoint gets only if it asks (docs/behavior/webhooks.md). */
export const askedEventTypeSchema = z.enum([
  "rule_execution.changed",
  "proposal.changed",
  "rule.changed",
  "payee.changed",
  "account.changed",
]);
export type AskedEventType = z.infer<typeof askedEventTypeSchema>;

/** Which of those an endpoint asks for, each once. */
export const askedEventTypesSchema = z
  .array(askedEventTypeSchema)
  .max(askedEventTypeSchema.options.length)
  .transform((types) => [...new Set(types)]);

/** Every endpoint gets these, by the kind of resource that changed (specification, Part 6, "Event types"). */
export const EVENTS_FOR_ALL = [
  "transfer.changed",
  "card_transaction.changed",
  "external_transaction.changed",
] as const;

export const eventTypeSchema = z.enum([...EVENTS_FOR_ALL, ...askedEventTypeSchema.options]);
export type EventType = z.infer<typeof eventTypeSchema>;

const eventResourceTypeSchema = z.enum([
  "transfer",
  "card_transaction",
  "external_transaction",
  "rule_execution",
  "proposal",
  "rule",
  "payee",
  "account",
]);
export type EventResourceType = z.infer<typeof eventResourceTypeSchema>;

/** The body of a delivery: identifiers only, no state (specification, Part 6, "Payload"). */
export const webhookEventSchema = z.strictObject({
  id: z.uuid().describe("The event's id. Equals `X-Service-Event-Id`, and is the same in every attempt."),
  type: eventTypeSchema.describe("What changed. More may be added: ignore unknown types."),
  resource: z
    .strictObject({
      type: eventResourceTypeSchema,
      id: z.uuid().describe("Pass it to the matching GET, which returns the state."),
    })
    .describe("The resource, without its state."),
  created_at: z.iso.datetime().describe("UTC time at which the event was created."),
});
export type WebhookEvent = z.infer<typeof webhookEventSchema>;

/** Value of `User-Agent`. */
export const WEBHOOK_USER_AGENT = "Sluice-Webhooks/1";
export const EVENT_ID_HEADER = "X-Service-Event-Id";
export const SIGNATURE_HEADER = "X-Service-Signature";

/** How far a signature's `t` may be from a receiver's clock, either way. */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** From connecting to the end of the answer (docs/behavior/webhooks.md). */
export const DELIVERY_TIMEOUT_MS = 10_000;
/** How much of an answer's body is read. */
export const MAXIMUM_ANSWER_BYTES = 16 * 1024;
/** How much of it is stored for people to read. */
export const KEPT_ANSWER_CHARACTERS = 2_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Intervals between attempts; the first is immediate. All within 24 hours (docs/behavior/webhooks.md). Jitter only
 * shortens them; a receiver's `Retry-After` lengthens one up to the next.
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

export const MAXIMUM_URL_LENGTH = 2_000;
/** How long events, deliveries and attempts are kept. */
export const EVENT_RETENTION_DAYS = 30;

/**
 * Why an attempt failed. `STATUS`: an answer other than 2xx; `ADDRESS`: its target is not allowed; `SECRET`: it could
 * not be signed, because the server's SLUICE_SECRET has changed since the endpoint was created.
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

interface EventHelp {
  /** When one is created. */
  when: string;
  /** The operation that returns the current resource. */
  operationId: string;
  /** Its address. */
  path: string;
}

/** The events in words (specification, Part 6, "Event types"). */
export const EVENT_HELP: Record<EventType, EventHelp> = {
  "transfer.changed": {
    when: "A transfer was created, or its status changed.",
    operationId: "getTransfer",
    path: "/transfers/{id}",
  },
  "card_transaction.changed": {
    when: "A card purchase, refund or payout was recorded.",
    operationId: "getCardTransaction",
    path: "/card-transactions/{id}",
  },
  "external_transaction.changed": {
    when: "A transaction of a connected account was first seen, or settled; usually read once a day.",
    operationId: "getExternalTransaction",
    path: "/external-transactions/{id}",
  },
  "rule_execution.changed": {
    when: "A run of a rule began, or its status changed. Dry runs send none.",
    operationId: "listAllRuleExecutions",
    path: "/rule-executions",
  },
  "proposal.changed": {
    when: "Something waits for a person, or was decided or ended.",
    operationId: "getProposal",
    path: "/proposals/{id}",
  },
  "rule.changed": {
    when: "A rule got a version, or was activated, paused, resumed, deactivated or deleted.",
    operationId: "getRule",
    path: "/rules/{id}",
  },
  "payee.changed": {
    when: "A payee was proposed, gave an account, was confirmed, declined or removed.",
    operationId: "listPayees",
    path: "/payees",
  },
  "account.changed": {
    when: "An account was opened, renamed or closed, or got another floor, goal or number. Not its balance.",
    operationId: "getAccount",
    path: "/accounts/{id}",
  },
};

/** Spans that the form offers, in hours. */
const REPLAY_HOURS = [1, 24, 168, 720] as const;

/** The time from which failed deliveries are sent again. */
export const replaySinceSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("HOURS"), hours: z.literal(REPLAY_HOURS) }),
  /** As a date-and-time input gives it, in the organization's time zone: `2026-11-20T13:40`. */
  z.strictObject({
    kind: z.literal("LOCAL"),
    local: z.iso
      .datetime({ local: true, precision: -1 })
      .regex(/[0-9]$/)
      .refine((local) => isInstantInBounds(`${local}Z`), { message: YEARS_PROBLEM }),
  }),
]);
export type ReplaySince = z.infer<typeof replaySinceSchema>;
