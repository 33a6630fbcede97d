import { CHECKBOX } from "@/components/ui/choice-class";
import { CodeBox } from "@/components/ui/code-box";
import { MONO, SUBLINE } from "@/components/ui/text-styles";
import {
  type AskedEventType,
  askedEventTypeSchema,
  EVENT_HELP,
  type EventType,
} from "@/lib/contract/webhooks";

/** What an endpoint gets. */
export function EventTypes({ types }: { types: readonly EventType[] }) {
  return (
    <ul className="grid gap-3 my-3.5 mx-0">
      {types.map((type) => (
        <li key={type}>
          <span className={MONO}>{type}</span>
          <span className={`${SUBLINE} mt-0.5`}>{EVENT_HELP[type].when}</span>
        </li>
      ))}
    </ul>
  );
}

interface AskedEventsProps {
  asked: readonly AskedEventType[];
  busy?: boolean;
  onChange: (asked: AskedEventType[]) => void;
}

/** The events that an endpoint gets only if it asks, each with a checkbox. */
export function AskedEvents({ asked, busy = false, onChange }: AskedEventsProps) {
  return (
    <fieldset className="mt-5">
      <legend className="font-medium">More events</legend>
      {askedEventTypeSchema.options.map((type) => (
        <label key={type} className="mt-3 grid grid-cols-[18px_1fr] cursor-pointer items-start gap-3.5">
          <input
            className={`${CHECKBOX} mt-px checked:before:-mt-0.75 checked:before:h-1.25 checked:before:w-2.5 checked:before:-rotate-45 checked:before:border-b-2 checked:before:border-l-2 checked:before:border-on-teal checked:before:content-['']`}
            type="checkbox"
            checked={asked.includes(type)}
            aria-disabled={busy || undefined}
            onChange={({ target }) => {
              if (!busy) onChange(target.checked ? [...asked, type] : asked.filter((one) => one !== type));
            }}
          />
          <span>
            <span className={MONO}>{type}</span>
            <span className={`${SUBLINE} mt-0.5`}>{EVENT_HELP[type].when}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

const REQUEST = `POST /sluice HTTP/1.1
content-type: application/json
X-Service-Event-Id: 019aa2d4-1c25-7d10-8a4e-3b7c5f9e2d1e
X-Service-Signature: t=1795167605,v1=9f2c1a3b…

{
  "id": "019aa2d4-1c25-7d10-8a4e-3b7c5f9e2d1e",
  "type": "transfer.changed",
  "resource": { "type": "transfer", "id": "019aa2d4-1c20-7a9b-83e7-6f10d2b54c16" },
  "created_at": "2026-11-20T13:40:12.345Z"
}`;

export function EventExample() {
  return <CodeBox label="Example event">{REQUEST}</CodeBox>;
}
