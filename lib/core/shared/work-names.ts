/** The kinds of due work by name, shared by the code that wakes them and the worker that runs them. */
export const BOOK_TRANSFERS = "book-transfers";
export const SUBMIT_TO_BANK = "submit-to-bank";
export const COLLECT_BANK_NOTICES = "collect-bank-notices";
export const RELEASE_FUNDS = "release-available-funds";
export const OPEN_AT_BANK = "open-at-bank";
export const KEEP_OWN_ACCOUNTS = "keep-own-bank-accounts";
export const COLLECT_CARD_NOTICES = "collect-card-notices";
export const EXPIRE_CARD_AUTHORIZATIONS = "expire-card-authorizations";
export const EXPIRE_PROPOSALS = "expire-proposals";
export const NOTE_WEEKS = "note-weeks";
export const REMIND_OF_REVIEWS = "remind-of-reviews";
export const REMIND_DECIDERS = "remind-deciders";
export const CHECK_IDENTITIES = "check-identities";
export const SEND_NOTICES = "send-notices";
export const SEND_MESSAGES = "send-messages";
export const SEND_PUSH = "send-push";
export const FORGET_EXPIRED = "forget-expired";
export const REFRESH_CONNECTIONS = "refresh-connections";
export const REMOVE_CONNECTIONS = "remove-connections";
export const END_REPLACED_KEYS = "end-replaced-keys";
export const WATCH_KEYS = "watch-keys";
export const END_LAPSED_CONNECTIONS = "end-lapsed-connections";
export const SEAL_AUDIT = "seal-audit";
export const ARCHIVE_AUDIT_READS = "archive-audit-reads";
export const FIRE_SCHEDULES = "fire-schedules";
export const RUN_RULES = "run-rules";
export const DELIVER_EVENTS = "deliver-events";
export const FORGET_EVENTS = "forget-events";
export const FORGET_MESSAGES = "forget-messages";
export const KEEP_PROFILES_READY = "keep-profiles-ready";
export const RECONCILE = "reconcile";
export const RENEW_ENCRYPTION = "renew-encryption";

/** Woken when an organization's clock was moved. */
export const ALL_WORK = [
  BOOK_TRANSFERS,
  SUBMIT_TO_BANK,
  COLLECT_BANK_NOTICES,
  RELEASE_FUNDS,
  COLLECT_CARD_NOTICES,
  EXPIRE_CARD_AUTHORIZATIONS,
  EXPIRE_PROPOSALS,
  NOTE_WEEKS,
  REMIND_DECIDERS,
  CHECK_IDENTITIES,
  SEND_NOTICES,
  SEND_MESSAGES,
  SEND_PUSH,
  FORGET_EXPIRED,
  END_REPLACED_KEYS,
  WATCH_KEYS,
  SEAL_AUDIT,
  FIRE_SCHEDULES,
  RUN_RULES,
  DELIVER_EVENTS,
  FORGET_EVENTS,
  FORGET_MESSAGES,
  RECONCILE,
] as const;

export const ALL_KINDS = [
  ...ALL_WORK,
  OPEN_AT_BANK,
  KEEP_OWN_ACCOUNTS,
  REMIND_OF_REVIEWS,
  REFRESH_CONNECTIONS,
  REMOVE_CONNECTIONS,
  END_LAPSED_CONNECTIONS,
  KEEP_PROFILES_READY,
  ARCHIVE_AUDIT_READS,
  RENEW_ENCRYPTION,
] as const;

/**
 * After a wake or a batch of one of these, something may have changed that a request waits for: whatever changes it wakes
 * one of them.
 */
export const CHANGING_WORK: readonly string[] = [
  BOOK_TRANSFERS,
  SUBMIT_TO_BANK,
  COLLECT_BANK_NOTICES,
  EXPIRE_PROPOSALS,
  RUN_RULES,
  FIRE_SCHEDULES,
  SEND_NOTICES,
  DELIVER_EVENTS,
];
