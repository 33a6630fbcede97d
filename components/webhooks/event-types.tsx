import type { EventType } from "@/lib/contract/webhooks";

const WHEN: Record<EventType, string> = {
  "transfer.changed": "A transfer was made, or its status changed.",
  "card_transaction.changed": "A card purchase, refund or payout was recorded.",
  "external_transaction.changed": "A transaction of a connected account was first seen, or settled.",
};

/** What is told of. */
export function EventTypes() {
  return (
    <ul className="wh-ev">
      {Object.entries(WHEN).map(([type, when]) => (
        <li key={type}>
          <span className="mono">{type}</span>
          <span className="meta blk">{when}</span>
        </li>
      ))}
    </ul>
  );
}
