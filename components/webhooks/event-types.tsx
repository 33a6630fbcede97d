import { EVENT_HELP } from "@/lib/contract/webhook-help";

/** What is told of. */
export function EventTypes() {
  return (
    <ul className="wh-ev">
      {Object.entries(EVENT_HELP).map(([type, { when }]) => (
        <li key={type}>
          <span className="mono">{type}</span>
          <span className="meta blk">{when}</span>
        </li>
      ))}
    </ul>
  );
}
