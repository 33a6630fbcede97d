import { Samples } from "@/components/docs/code-tabs";
import { Chapter, Facts, type Guide, GuideCode, Points } from "@/components/docs/guide";
import { Prose } from "@/components/docs/prose";
import { VERIFICATION_SAMPLES } from "@/components/webhooks/verification";
import {
  DELIVERY_TIMEOUT_MS,
  EVENT_HELP,
  EVENT_ID_HEADER,
  EVENT_RETENTION_DAYS,
  MAXIMUM_ANSWER_BYTES,
  MAXIMUM_ATTEMPTS,
  MAXIMUM_ENDPOINTS,
  RETRY_DELAYS_MS,
  SIGNATURE_HEADER,
  SIGNATURE_TOLERANCE_SECONDS,
} from "@/lib/contract/webhooks";

const UNITS = [
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** Number, wait and time since the first attempt, in words that need no column heads, which phones hide. */
export function listRetries(): [string, string, string][] {
  let sinceMs = 0;
  return [0, ...RETRY_DELAYS_MS].map((delayMs, index) => {
    sinceMs += delayMs;
    const number = String(index + 1);
    return index === 0
      ? [number, "at once", "nothing yet"]
      : [number, `${inUnits(delayMs)} later`, `${inUnits(sinceMs)} in all`];
  });
}

/** In the two largest units that are not zero: `2 h 35 min`. */
function inUnits(milliseconds: number): string {
  let leftMs = milliseconds;
  const parts = UNITS.flatMap(([unit, unitMs]) => {
    const count = Math.floor(leftMs / unitMs);
    leftMs -= count * unitMs;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.slice(0, 2).join(" ");
}

export const webhooks: Guide = {
  slug: "webhooks",
  title: "Webhooks",
  chapter: "Working with it",
  heading: "Get notified when something changes",
  lede: "Sluice sends a signed request to your endpoints when a transfer, a card transaction or a transaction of a connected account changes. It says which one; you fetch its state.",
  words: `events receiver endpoint signing secret hmac retries duplicates ${EVENT_ID_HEADER} ${SIGNATURE_HEADER} ${Object.keys(EVENT_HELP).join(" ")} WEBHOOK_ALLOW_PRIVATE verifyWebhook createWebhookReceiver`,
  Content,
};

const SECONDS = DELIVERY_TIMEOUT_MS / 1_000;
const TOLERANCE_MINUTES = SIGNATURE_TOLERANCE_SECONDS / 60;

const EVENTS = Object.entries(EVENT_HELP).map(
  ([type, { when, path }]) => [type, when, `\`GET ${path}\``] as const,
);

const REQUEST = `POST /sluice HTTP/1.1
Host: hooks.example.com
User-Agent: Sluice-Webhooks/1
Content-Type: application/json
${EVENT_ID_HEADER}: 019aa2d4-1c25-7d10-8a4e-3b7c5f9e2d1e
${SIGNATURE_HEADER}: t=1795182012,v1=9f2c…

{"id":"019aa2d4-1c25-7d10-8a4e-3b7c5f9e2d1e","type":"transfer.changed","resource":{"type":"transfer","id":"019aa2d4-1c20-7a9b-83e7-6f10d2b54c16"},"created_at":"2026-11-20T13:40:12.345Z"}`;

const FIELDS = [
  ["id", `The event's UUID, as in \`${EVENT_ID_HEADER}\`; the same in every attempt.`],
  ["type", "One of the three above. More may be added: ignore unknown ones."],
  ["resource.type", "`transfer`, `card_transaction` or `external_transaction`."],
  ["resource.id", "What to fetch."],
  ["created_at", "When the event was made, in UTC."],
] as const;

const OUTCOMES = [
  ["2xx", "Received, whatever the body says."],
  ["410", "Not received; the endpoint is switched off at once."],
  ["3xx", "Not received: redirects are not followed. Register the target address."],
  ["any other status", "Not received."],
  [
    "nothing",
    `Not received: no connection, or no answer within ${SECONDS} seconds from connecting to its end.`,
  ],
] as const;

const CLIENT = `import { createWebhookReceiver } from "@sluice/client";

const receive = createWebhookReceiver({
  secrets: process.env.SLUICE_WEBHOOK_SECRET ?? "",
  onEvent: async (event) => {
    if (event.type === "transfer.changed") await queue.add(event.resource.id);
  },
});

export const POST = receive; // a route handler of Next; Hono, Deno, Bun and Workers take it as well
// createServer(toNodeListener(receive)).listen(8787) with node:http`;

const SAMPLES = VERIFICATION_SAMPLES.map(({ language, code }) => ({ language, text: code }));

function Content() {
  return (
    <>
      <Chapter title="Register an endpoint">
        <Points
          items={[
            "An owner or co-owner adds it in the dashboard, under [Webhooks](/settings/webhooks). Every member can see it and its deliveries.",
            "The signing secret, `whsec_…`, is shown once. Store it with the receiver's secrets.",
            `It gets every later event of the organization, none from before. At most ${MAXIMUM_ENDPOINTS} endpoints.`,
            "The address is https, without user name, password or `#`. Addresses of this server, private networks or cloud metadata are refused, now and at every connection.",
            "`WEBHOOK_ALLOW_PRIVATE=1` allows http and private addresses on your own installation. In the demo it is on.",
          ]}
        />
      </Chapter>
      <Chapter title="What is sent">
        <Facts caption="Types of events" head={["Type", "When", "Read it with"]} rows={EVENTS} />
        <GuideCode label="A delivery" text={REQUEST} />
        <Facts caption="Fields of the body" head={["Field", "Is"]} rows={FIELDS} />
        <Prose text="Identifiers only, no state. Dry runs send nothing." />
      </Chapter>
      <Chapter title="Your receiver">
        <Points
          isOrdered
          items={[
            `Verifies \`${SIGNATURE_HEADER}\`: \`v1\` is HMAC-SHA256, keyed with the whole secret, \`whsec_\` included, over \`t\`, a period and the raw body. It compares in constant time, and rejects a \`t\` more than ${TOLERANCE_MINUTES} minutes before or after its own clock. The raw body is the received bytes: JSON that was parsed and serialized again does not match.`,
            `Answers 2xx within ${SECONDS} seconds, then does its work.`,
            `Drops duplicates: the same event may come more than once within 24 hours, with the same \`${EVENT_ID_HEADER}\`. One that failed counts as not handled.`,
            "Fetches the resource. Events may arrive out of order, and several may report one change: the GET has the state, not the order of events.",
          ]}
        />
        <Prose text="The [TypeScript client](/docs/typescript-client) does all of this but the last:" />
        <GuideCode label="A receiver" text={CLIENT} />
        <Prose text="It remembers handled events in memory for 24 hours. With several processes, pass your own store as `seen`. `verifyWebhook` only verifies." />
      </Chapter>
      <Chapter title="Verify it yourself">
        <Prose text="Sluice's tests run each of these against deliveries and forgeries." />
        <Samples samples={SAMPLES} />
      </Chapter>
      <Chapter title="What counts as received">
        <Facts caption="Answers" head={["Answer", "Means"]} rows={OUTCOMES} />
        <Prose
          text={`Sluice reads ${MAXIMUM_ANSWER_BYTES / 1_024} KiB of an answer and shows its beginning to members on the endpoint's page: say there why you refused.`}
        />
      </Chapter>
      <Chapter title="Retries">
        <Facts caption="Attempts" head={["Attempt", "When", "Waited"]} rows={listRetries()} />
        <Prose
          text={`Waits are shortened at random by up to a tenth. Each attempt has its own signature and \`t\`. After attempt ${MAXIMUM_ATTEMPTS} the delivery has failed. For ${EVENT_RETENTION_DAYS} days, a member can send it again from the endpoint's page, alone or with all that failed since a time.`}
        />
      </Chapter>
      <Chapter title="When an endpoint is switched off">
        <Points
          items={[
            "By Sluice, after five days in which every attempt failed, or on 410. Owners and co-owners are notified.",
            "By an owner or co-owner, at any time.",
            `Events are kept. Once switched on, the endpoint gets up to ${EVENT_RETENTION_DAYS} days of them; retries start over.`,
          ]}
        />
      </Chapter>
      <Chapter title="Change the secret">
        <Points
          isOrdered
          items={[
            "Recreate the endpoint in the dashboard. The new one has the same address and its own secret; the old one continues. Each event comes from both, with the same ID.",
            "Give the receiver both secrets. The client takes a list: `secrets: [old, new]`.",
            "After the new endpoint's first successful delivery, the old one is deleted. Its remaining deliveries move to the new one.",
            "Remove the old secret from the receiver.",
          ]}
        />
      </Chapter>
      <Chapter title="Try it">
        <Prose text="The endpoint's page sends a test event to that endpoint: an ordinary `transfer.changed` for the newest transfer. To see what arrives, run in Sluice's folder:" />
        <GuideCode
          label="On this machine, with http://127.0.0.1:8787/ as the endpoint"
          text="SLUICE_WEBHOOK_SECRET=whsec_… npm run webhooks:listen -- 8787"
        />
        <Prose text="The [OpenAPI document](/docs) describes the three under `webhooks`, for code generators." />
      </Chapter>
    </>
  );
}
