import type { ErrorCode } from "./generated.js";

/** One problem of a request. */
export interface ErrorDetail {
  /** The path of the field, e.g. `amountInCents`. */
  field: string;
  message: string;
}

interface Refusal {
  code: string;
  message: string;
  status: number;
  requestId: string | null;
  details: readonly ErrorDetail[];
  retryAfterSeconds: number | null;
  idempotencyKey: string | null;
}

/** The API refused, or the answer did not come from it (`code` is then `UNKNOWN`). */
export class SluiceError extends Error {
  override readonly name = "SluiceError";
  /** One of `ErrorCode`, a newer one, or `UNKNOWN`. */
  readonly code: ErrorCode | "UNKNOWN" | (string & Record<never, never>);
  readonly status: number;
  /** Quote it when you report a problem. */
  readonly requestId: string | null;
  /** Each problem of the request, when the API named several. */
  readonly details: readonly ErrorDetail[];
  /** How long the API asked to wait; null if it did not. */
  readonly retryAfterSeconds: number | null;
  /** The request's idempotency key: send it again with this one, and it takes effect once. */
  readonly idempotencyKey: string | null;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.code = refusal.code;
    this.status = refusal.status;
    this.requestId = refusal.requestId;
    this.details = refusal.details;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.idempotencyKey = refusal.idempotencyKey;
  }
}

/**
 * No answer: the server cannot be reached, or took too long. A write may or may not have taken effect; send it again
 * with the same `idempotencyKey`.
 */
export class SluiceConnectionError extends Error {
  override readonly name = "SluiceConnectionError";

  constructor(
    message: string,
    readonly idempotencyKey: string | null,
    override readonly cause: unknown,
  ) {
    super(message);
  }
}

/** The awaited result did not come in time. It is not a failure: ask again later. */
export class SluiceTimeoutError<Last> extends Error {
  override readonly name = "SluiceTimeoutError";

  constructor(
    message: string,
    /** Its last known state; null if it was never read. */
    readonly last: Last | null,
  ) {
    super(message);
  }
}

const REASONS = {
  MISSING_SIGNATURE: "There is no X-Service-Signature.",
  MALFORMED_SIGNATURE: "X-Service-Signature does not have the form t=<unix-seconds>,v1=<hex>.",
  NO_MATCH: "No signature matches this body and secret. Verify the raw body, with this endpoint's secret.",
  TOO_OLD: "The signature is too old: the delivery is being replayed, or this machine's clock is fast.",
  TOO_NEW: "The signature was made in the future: this machine's clock is slow.",
  MALFORMED_BODY: "The body is not an event, or too large.",
  EVENT_ID_MISMATCH: "X-Service-Event-Id is not the id in the signed body.",
} as const;

/** Why a delivery was refused. `TOO_OLD` and `TOO_NEW` apply only to deliveries signed with the secret. */
export type WebhookVerificationReason = keyof typeof REASONS;

/** A delivery that Sluice did not sign for this endpoint, or not recently. Answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";

  constructor(
    readonly reason: WebhookVerificationReason,
    override readonly cause?: unknown,
  ) {
    super(REASONS[reason]);
  }
}
