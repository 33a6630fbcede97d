/** The kinds of due work, by name: what is woken after a commit is what the worker runs. */
export const BOOK_TRANSFERS = "book-transfers";
export const SUBMIT_TO_BANK = "submit-to-bank";
export const COLLECT_BANK_NOTICES = "collect-bank-notices";
export const EXPIRE_PROPOSALS = "expire-proposals";
export const REMIND_DECIDERS = "remind-deciders";
export const SEND_NOTICES = "send-notices";
export const SEND_MESSAGES = "send-messages";
export const FORGET_EXPIRED = "forget-expired";
export const REFRESH_CONNECTIONS = "refresh-connections";
export const REMOVE_CONNECTIONS = "remove-connections";
