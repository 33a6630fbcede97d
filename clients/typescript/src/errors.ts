import type { ErrorCode } from "./generated.js";

/** One thing that is wrong with a request. */
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

/** The API refused, or answered with something that is not its own (`code` is then `UNKNOWN`). */
export class SluiceError extends Error {
  override readonly name = "SluiceError";
  /** One of `ErrorCode`, a newer one, or `UNKNOWN`. */
  readonly code: ErrorCode | "UNKNOWN" | (string & Record<never, never>);
  readonly status: number;
  /** Quote it when something is wrong. */
  readonly requestId: string | null;
  /** Each thing that is wrong with the request, where the API named several. */
  readonly details: readonly ErrorDetail[];
  /** How long the API asked to wait; null where it did not. */
  readonly retryAfterSeconds: number | null;
  /** The key of the request: send it again with this one, and it happens once. */
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
 * No answer came: the server cannot be reached, or took too long. Whether a write took effect is not known; send it again
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

/** What was waited for did not come in time. Nothing is wrong with it: ask again later. */
export class SluiceTimeoutError<Last> extends Error {
  override readonly name = "SluiceTimeoutError";

  constructor(
    message: string,
    /** How it stood when it was last read; null where it was never seen. */
    readonly last: Last | null,
  ) {
    super(message);
  }
}

const REASONS = {
  MISSING_SIGNATURE: "There is no X-Service-Signature.",
  MALFORMED_SIGNATURE: "X-Service-Signature is not of the form t=<unix-seconds>,v1=<hex>.",
  NO_MATCH:
    "No signature is that of this body with this secret. Verify the raw body, with this endpoint's secret.",
  TOO_OLD:
    "The signature was made too long ago: it is sent again by somebody, or this machine's clock is fast.",
  TOO_NEW: "The signature was made in the future: this machine's clock is slow.",
  MALFORMED_BODY: "The body is no event, or too large.",
  EVENT_ID_MISMATCH: "X-Service-Event-Id is not the id in the signed body.",
} as const;

/** Why a delivery was refused. `TOO_OLD` and `TOO_NEW` are said only of what was signed with the secret. */
export type WebhookVerificationReason = keyof typeof REASONS;

/** A delivery that Sluice did not make for this endpoint, or not now. Answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";

  constructor(
    readonly reason: WebhookVerificationReason,
    override readonly cause?: unknown,
  ) {
    super(REASONS[reason]);
  }
}
