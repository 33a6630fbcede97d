import type { ErrorCode } from "@/lib/contract/error";

/** An error code as the reference and the OpenAPI document explain it. */
export interface ErrorHelp {
  meaning: string;
  /** What to do about it. */
  action: string;
  /** A message as the API words it. */
  example: string;
}

/** Every code of the API (specification, Part 7), for people. */
export const ERROR_HELP: Record<ErrorCode, ErrorHelp> = {
  INVALID_PARAMETERS: {
    meaning: "The request is invalid.",
    action:
      "Fix the fields that `message` and `details` name. Unknown fields are refused too. The same request will be refused again.",
    example: "x-called-reason: must be at most 500 characters.",
  },
  TRANSFER_SOURCE_NOT_FOUND: {
    meaning: "The source account does not exist, is closed, or belongs to another organization.",
    action: "Take an id from `GET /accounts`.",
    example: "There is no open account with this sourceAccountId.",
  },
  TRANSFER_DESTINATION_NOT_FOUND: {
    meaning: "The destination account does not exist, is closed, or belongs to another organization.",
    action: "Take an id from `GET /accounts`.",
    example: "There is no open account with this destinationAccountId.",
  },
  IDEMPOTENCY_KEY_MISMATCH: {
    meaning: "The same idempotency-key was used for a different request in the last 24 hours.",
    action: "Use a new key for a new request; keep the key for a retry of the same one.",
    example: "This idempotency-key was used for a different request in the last 24 hours.",
  },
  INVALID_DOCUMENT: {
    meaning: "By its own bytes, the document is not a whole PDF, JPEG or PNG.",
    action: "Send one of these three, whatever the name says, with nothing behind its end.",
    example: "By its bytes, the document is not a whole PDF, JPEG or PNG, or has something behind its end.",
  },
  UNAUTHORIZED: {
    meaning: "The request has no API key, or one that is unknown or revoked.",
    action: "Send `Authorization: Bearer <API_KEY>`. Do not retry with the same key.",
    example: "Send an API key that is not revoked in the header «Authorization: Bearer <API_KEY>».",
  },
  ACCESS_DENIED: {
    meaning:
      "The key lacks the permission, the request is outside the permission's list, or all gates of the organization are closed; the message says which.",
    action:
      "Use a key that may do this: an owner sets what a key may do when they create it. While gates are closed, wait until an owner opens them.",
    example: "This key lacks the permission that the operation needs.",
  },
  MAXIMUM_AMOUNT_EXCEEDED: {
    meaning: "The amount is above the key's limit for this route.",
    action: "Ask for less, or use a key with a higher limit.",
    example: "This key may move at most 500000 cents on this route.",
  },
  REPEATS_DENIAL: {
    meaning:
      'A person denied the same request of this key and said "not now" or "do not ask again"; the message quotes them.',
    action:
      "Do not ask for the same route and amount again before the time in the message, or ever. Ask the person.",
    example:
      "A person denied this request and said: \u201cNot now: after payday\u201d. The same request is refused until 2026-12-01T05:00:00.000Z.",
  },
  RULE_DEACTIVATED: {
    meaning: "A live run was requested for a rule that is not active.",
    action: "Have an owner activate the rule in the dashboard, or do a dry run.",
    example: "This rule is not active. Activate it in the dashboard, or do a dry run.",
  },
  INVALID_RULE: {
    meaning: "The rule was deleted, or this version of Sluice cannot represent or run it.",
    action: "Treat the rule as read-only metadata; see it in the dashboard.",
    example: "This rule was deleted, or cannot be run through the API.",
  },
  ACCOUNT_NOT_FOUND: {
    meaning: "There is no account with this id in the organization.",
    action: "Take an id from `GET /accounts`. Right after its creation, try again shortly.",
    example: "There is no account with this id.",
  },
  RULE_NOT_FOUND: {
    meaning: "There is no rule with this id in the organization.",
    action: "Take an id from `GET /rules`. Right after its creation, try again shortly.",
    example: "There is no rule with this id.",
  },
  RULE_EXECUTION_NOT_FOUND: {
    meaning: "There is no run with this id.",
    action: "Right after the trigger, try again shortly. Otherwise it is final.",
    example: "There is no run with this id.",
  },
  TRANSFER_NOT_FOUND: {
    meaning: "There is no transfer with this id that the key may see.",
    action: "Right after its creation, try again shortly. Otherwise it is final.",
    example: "There is no transfer with this id.",
  },
  PROPOSAL_NOT_FOUND: {
    meaning: "There is no proposal with this id that the key may read.",
    action: "Check the id with `GET /proposals`.",
    example: "There is no proposal 0198c2b7-5a10-7f3e-9a41-1c6d2e8f0b77 that this key may read.",
  },
  MANDATE_NOT_FOUND: {
    meaning: "The key has no mandate with this id.",
    action: "Take an id from `GET /mandates`, which lists the mandates of this key alone.",
    example: "This key has no mandate 0198c2b7-5a10-7f3e-9a41-1c6d2e8f0b77.",
  },
  DOCUMENT_NOT_FOUND: {
    meaning: "The transfer has no document with this id.",
    action: "Take an id from `GET /transfers/{id}/documents`.",
    example: "This transfer has no document 0198c2b7-5a10-7f3e-9a41-1c6d2e8f0b77.",
  },
  CARD_TRANSACTION_NOT_FOUND: {
    meaning: "There is no card transaction with this id that the key may see.",
    action: "Take an id from the list or from an event.",
    example: "There is no card transaction with this id.",
  },
  EXTERNAL_TRANSACTION_NOT_FOUND: {
    meaning: "There is no external transaction with this id that the key may see.",
    action: "Take an id from the list or from an event.",
    example: "There is no external transaction with this id.",
  },
  TRANSFER_IN_PROGRESS: {
    meaning: "The first request with this idempotency-key is still running.",
    action: "Wait a moment and send the same request with the same key again.",
    example: "The transfer with this idempotency-key is still in progress.",
  },
  RULE_EXECUTION_IN_PROGRESS: {
    meaning: "The first trigger with this idempotency-key is still running.",
    action: "Wait a moment and send the same request with the same key again.",
    example: "The run with this idempotency-key is still in progress.",
  },
  RULE_VERSION_CONFLICT: {
    meaning: "Someone edited the rule after the version that you expected.",
    action: "Read the rule again, make your change to the newest version, and send that.",
    example: "The rule is now at version 5, not 4.",
  },
  TOO_LATE_TO_CANCEL: {
    meaning: "The transfer or run has left for the bank, or has ended otherwise; the message says which.",
    action: "Do not retry. Read it to learn how it ended; a person can move settled money back.",
    example: "This transfer was not canceled. The bank has it, so it can no longer be canceled.",
  },
  TRANSFER_NOT_WAITING: {
    meaning: "The transfer does not wait for approval: it was decided, or never had to wait.",
    action: "Add documents before a person decides.",
    example: "This transfer does not wait for approval, so nothing can be added to it anymore.",
  },
  TOO_MANY_DOCUMENTS: {
    meaning: "The transfer has three documents, and none can be removed or replaced.",
    action: "Do not retry. Cancel the transfer and request it again if the documents are wrong.",
    example: "There are 3 documents already, and none can be replaced.",
  },
  PAYLOAD_TOO_LARGE: {
    meaning: "The body is larger than 64 KiB, or a document larger than 5 MB.",
    action: "Send less. No operation needs that much.",
    example: "The body must be at most 65536 bytes.",
  },
  RATE_LIMIT_EXCEEDED: {
    meaning:
      "More than 100 requests with this key in one clock minute, or 100 of its proposals, or 50 payees that it proposed, are waiting for a person, or 5 of its reads already wait for a change.",
    action:
      "Wait as many seconds as `Retry-After` says, plus a random moment. Without `Retry-After`: until some of them are decided, or answered.",
    example: "Too many requests with this key. Try again in 20 seconds.",
  },
  UNEXPECTED_ERROR: {
    meaning: "Something went wrong in Sluice. The request may or may not have taken effect.",
    action:
      "Send the same request with the same idempotency-key, or look the resource up. If it keeps failing, quote the `X-Request-Id`.",
    example:
      "Something went wrong in Sluice. The request may or may not have taken effect: look it up, or retry with the same idempotency-key. Request id: 7fq2-m81x-k3tn.",
  },
};
