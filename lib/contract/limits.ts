/** Longest name of a passkey, in characters. */
export const PASSKEY_NAME_LIMIT = 60;

/** Longest note of a denial, in characters (design, section 8). */
export const DENIAL_NOTE_LIMIT = 280;
/** Longest text to the program whose proposal is denied. */
export const DENIAL_TEXT_LIMIT = 200;
/** How far ahead "not now" can reach. */
export const MAXIMUM_NOT_NOW_DAYS = 366;
/** How many proposals one confirmation decides at most. */
export const MAXIMUM_DECIDED_TOGETHER = 50;
/** How many marks of reviews a member may keep in an organization. */
export const MAXIMUM_REVIEW_MARKS = 500;
/** How long a mark counts. */
export const REVIEW_MARK_LIFETIME_MS = 24 * 60 * 60_000;
/** The limits of the specification (Part 8) and of docs/behavior, in one place. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const REQUESTS_PER_MINUTE = 100;
export const DEFAULT_PAGE_SIZE = 10;
export const MAXIMUM_PAGE_SIZE = 100;
/** Bound of `page`, so that no offset overflows; a page beyond the last is empty, not an error. */
export const MAXIMUM_PAGE = 1_000_000;
export const MINIMUM_TRANSFER_IN_CENTS = 100;
/** A trillion dollars: far beyond any account, far below what a JSON number holds exactly. */
export const MAXIMUM_TRANSFER_IN_CENTS = 100_000_000_000_000;
export const MAXIMUM_DESCRIPTION_LENGTH = 10;
export const MAXIMUM_REASON_FOR_APPROVAL_LENGTH = 1_000;
export const MAXIMUM_CALLED_REASON_LENGTH = 500;
export const MAXIMUM_ACCOUNT_NAME_LENGTH = 60;
/** For floors and savings targets, the same as for a transfer. */
export const MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS = MAXIMUM_TRANSFER_IN_CENTS;
export const MAXIMUM_ACCOUNT_DESCRIPTION_LENGTH = 200;
export const MAXIMUM_BODY_BYTES = 64 * 1024;
/** One document: of a proposal, or for the identity check. */
export const MAXIMUM_DOCUMENT_BYTES = 5 * 1024 * 1024;
/** Of a request that carries a document in Base64, with room for its other fields. */
export const MAXIMUM_DOCUMENT_BODY_BYTES = 7 * 1024 * 1024;
/** Documents on one proposal. */
export const MAXIMUM_DOCUMENTS = 3;
export const MAXIMUM_DOCUMENT_NAME_LENGTH = 100;
/** Documents that one key or member may add within 24 hours: they are kept as long as their transfers. */
export const MAXIMUM_DOCUMENTS_A_DAY = 100;
/** How many accounts one list request may name. */
export const MAXIMUM_ACCOUNT_FILTER = 100;

export const MAXIMUM_IDEMPOTENCY_KEY_LENGTH = 36;
export const IDEMPOTENCY_RETENTION_HOURS = 24;
export const IDEMPOTENCY_RETENTION_MS = IDEMPOTENCY_RETENTION_HOURS * HOUR_MS;
/** How far back external transactions and the audit log are shown. */
export const DATE_WINDOW_DAYS = 90;
export const DATE_WINDOW_MS = DATE_WINDOW_DAYS * 24 * HOUR_MS;
/** Longest window of one financial profile. */
export const MAXIMUM_PROFILE_DAYS = 731;
export const APPROVAL_EXPIRY_HOURS = 24;
export const APPROVAL_EXPIRY_MS = APPROVAL_EXPIRY_HOURS * HOUR_MS;
/** Waiting proposals of one key or assistant; more are refused. */
export const MAXIMUM_WAITING_PROPOSALS = 100;
/** Transfers of a batch. */
export const MAXIMUM_BATCH_LINES = 100;
/** Waiting batches of one key or assistant, each as one of its waiting proposals. */
export const MAXIMUM_WAITING_BATCHES = 10;
/** How long a read may wait for a change: below the minute after which proxies and MCP clients give up. */
export const MAXIMUM_WAIT_SECONDS = 55;
/** Requests of one key or assistant that may wait for a change at once, per process. */
export const MAXIMUM_WAITS_OF_A_CALLER = 5;
/** Of all callers together. */
export const MAXIMUM_WAITS_OF_A_PROCESS = 500;
/** Saved filters of one list, of one member in one organization. */
export const FILTERS_PER_LIST = 20;
export const MAXIMUM_FILTER_NAME_LENGTH = 60;
/** Webhook endpoints of one organization, including those waiting to replace another. */
export const MAXIMUM_ENDPOINTS = 20;
/** A sign-in younger than this counts as confirmation for members without a passkey. */
export const FRESH_SIGN_IN_MS = 5 * MINUTE_MS;

/** The label on the other party's statement; ACH files allow no other characters. */
export const ACH_LABEL = /^[A-Za-z0-9 ]{1,10}$/;

/** A run with an unknown balance is tried again after each of these; then it fails. */
export const UNKNOWN_BALANCE_RETRY_MINUTES = [1, 5, 30, 120] as const;

/** Rules that may start each other in one chain (docs/behavior/rules.md). */
export const MAXIMUM_CHAIN_DEPTH = 10;

/** Runs started by one cause, over all branches of its chain: split money may start a rule at each destination. */
export const MAXIMUM_RUNS_OF_A_CAUSE = 50;

/** A connected assistant, since its consent: then a member is asked again. */
export const CONNECTION_DAYS = 365;
/** A connection that is not used for this long ends by itself. */
export const UNUSED_CONNECTION_DAYS = 60;
export const ACCESS_TOKEN_MINUTES = 30;
