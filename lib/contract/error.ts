/**
 * Every error code of the API with its HTTP status (specification, Part 7; docs/behavior/http.md). Nothing else
 * knows HTTP statuses.
 */
export const ERROR_STATUS = {
  /** The request does not match the operation's schema, or names two accounts that no transfer can join. */
  INVALID_PARAMETERS: 400,
  TRANSFER_SOURCE_NOT_FOUND: 400,
  TRANSFER_DESTINATION_NOT_FOUND: 400,
  /** The same idempotency key within 24 hours with a different request. */
  IDEMPOTENCY_KEY_MISMATCH: 400,
  /** By its bytes no PDF, JPEG or PNG. */
  INVALID_DOCUMENT: 400,
  UNAUTHORIZED: 401,
  /** The caller lacks the permission, or the resource is outside its list. */
  ACCESS_DENIED: 403,
  MAXIMUM_AMOUNT_EXCEEDED: 403,
  /** A person denied the same request of this key, and does not want it again now. */
  REPEATS_DENIAL: 403,
  /** A live trigger of a rule that is not active. */
  RULE_DEACTIVATED: 403,
  /** The rule was deleted, or this version of Sluice cannot represent or run it. */
  INVALID_RULE: 403,
  ACCOUNT_NOT_FOUND: 404,
  RULE_NOT_FOUND: 404,
  RULE_EXECUTION_NOT_FOUND: 404,
  TRANSFER_NOT_FOUND: 404,
  PROPOSAL_NOT_FOUND: 404,
  MANDATE_NOT_FOUND: 404,
  DOCUMENT_NOT_FOUND: 404,
  CARD_TRANSACTION_NOT_FOUND: 404,
  EXTERNAL_TRANSACTION_NOT_FOUND: 404,
  /** The same idempotency key while the original is in flight. */
  TRANSFER_IN_PROGRESS: 409,
  RULE_EXECUTION_IN_PROGRESS: 409,
  /** The rule was edited since the version that the caller expected. */
  RULE_VERSION_CONFLICT: 409,
  /** The bank has it, or it ended otherwise. */
  TOO_LATE_TO_CANCEL: 409,
  /** Its proposal was decided or ended, or it never had one. */
  TRANSFER_NOT_WAITING: 409,
  TOO_MANY_DOCUMENTS: 409,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMIT_EXCEEDED: 429,
  UNEXPECTED_ERROR: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One problem of a request: the field's path (`amountInCents`) and what it must be. */
export interface ErrorDetail {
  field: string;
  message: string;
}

/**
 * The base class of errors that cross between the launcher and pages. Each of their bundles holds a copy of every class,
 * so `instanceof` compares the class's kind, and that of the classes it extends, instead of identity
 * (docs/one-process.md).
 */
export abstract class NamedError extends Error {
  /** The class's name as a literal, because bundlers shorten class names. */
  static readonly kind: string = "NamedError";

  static override [Symbol.hasInstance](this: { readonly kind: string }, value: unknown): boolean {
    if (!(value instanceof Error)) return false;
    // biome-ignore lint/complexity/noThisInStatic: the class at the right of instanceof, not the base.
    const { kind } = this;
    for (
      let made: unknown = value.constructor;
      typeof made === "function";
      made = Object.getPrototypeOf(made)
    ) {
      if (Object.hasOwn(made, "kind") && "kind" in made && made.kind === kind) return true;
    }
    return false;
  }

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.kind;
  }
}

/** The product's one error class: a refusal that a person or a program can act on. */
export class AppError extends NamedError {
  static override readonly kind: string = "AppError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
  ) {
    super(message);
  }
}

/** The `WWW-Authenticate` of a 401 that asks for a key or secret (RFC 9110, section 15.5.2; RFC 6750, section 3). */
export const BEARER_CHALLENGE = 'Bearer realm="Sluice"';
