import { Chapter, Facts, type Guide, GuideCode, Points } from "@/components/docs/guide";
import { Prose } from "@/components/docs/prose";
import { Note } from "@/components/ui/note";

export const webhooks: Guide = {
  slug: "webhooks",
  title: "Webhooks",
  chapter: "Working with it",
  heading: "Events arrive with a later version",
  lede: "This version sends none. Until then, read the resource again; this page says what to expect, so that a receiver can be written ahead.",
  words:
    "events X-Service-Signature X-Service-Event-Id transfer.changed card_transaction.changed external_transaction.changed hmac",
  Content,
};

const EVENTS = [
  ["transfer.changed", "A transfer was created, or its status changed."],
  ["card_transaction.changed", "A card purchase, refund or payout was recorded."],
  ["external_transaction.changed", "A transaction of a connected account was first seen, or settled."],
] as const;

const VERIFY = `import { createHmac, timingSafeEqual } from "node:crypto";

/** rawBody: the bytes as they came, not a re-serialized object. */
function isGenuine(rawBody: Buffer, header: string, secret: string, nowSeconds: number): boolean {
  const [, t, v1] = /^t=(\\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (!t || !v1 || Math.abs(nowSeconds - Number(t)) > 300) return false;
  const expected = createHmac("sha256", secret).update(\`\${t}.\`).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(v1, "hex"));
}`;

function Content() {
  return (
    <>
      <Note>Not here yet: there is no page to register an endpoint, and nothing is sent.</Note>
      <Chapter title="What will be sent">
        <Facts caption="Types of events" head={["Type", "When"]} rows={EVENTS} />
        <GuideCode
          label="Body"
          text={`{
  "id": "019aa2d4-1c25-7d10-8a4e-3b7c5f9e2d1e",
  "type": "transfer.changed",
  "resource": { "type": "transfer", "id": "019aa2d4-1c20-7a9b-83e7-6f10d2b54c16" },
  "created_at": "2026-11-20T13:40:12.345Z"
}`}
        />
        <Prose text="Identifiers only, no state: read the resource with the matching GET. It may have moved on since." />
      </Chapter>
      <Chapter title="What a receiver does">
        <Points
          isOrdered
          items={[
            "Verifies `X-Service-Signature`, of the form `t=<unix-seconds>,v1=<hex>`: HMAC-SHA256 with the endpoint's secret over `<t>.<raw body>`, compared in constant time, and `t` at most 5 minutes from its own clock.",
            "Answers 2xx at once, and works afterwards. Anything else is tried again, for up to 24 hours.",
            "Drops what it has seen by `X-Service-Event-Id`: the same event may come more than once.",
          ]}
        />
        <GuideCode label="Verification in Node" text={VERIFY} />
      </Chapter>
    </>
  );
}
