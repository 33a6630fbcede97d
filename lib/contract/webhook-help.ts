import type { EventType } from "@/lib/contract/webhooks";

export interface EventHelp {
  /** When one is made. */
  when: string;
  /** The operation that gives the resource as it is now. */
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
    when: "A transaction of a connected account was first seen, or settled; typically read once a day.",
    operationId: "getExternalTransaction",
    path: "/external-transactions/{id}",
  },
};
