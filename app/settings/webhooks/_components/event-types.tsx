import { CodeBox } from "@/components/ui/code-box";
import { MONO, SUBLINE } from "@/components/ui/text-styles";
import { EVENT_HELP } from "@/lib/contract/webhooks";

export function EventTypes() {
  return (
    <ul className="grid gap-3 my-3.5 mx-0">
      {Object.entries(EVENT_HELP).map(([type, { when }]) => (
        <li key={type}>
          <span className={MONO}>{type}</span>
          <span className={`${SUBLINE} mt-0.5`}>{when}</span>
        </li>
      ))}
    </ul>
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
