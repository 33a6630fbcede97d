import { Samples } from "@/components/docs/code-tabs";
import { Chapter, Facts, type Guide, GuideCode, Points, Prose } from "@/components/docs/guide";
import { VERIFICATION_SAMPLES } from "@/components/webhooks/verification";
import { EVENT_HELP } from "@/lib/contract/webhook-help";
import {
  DELIVERY_TIMEOUT_MS,
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

/**
 * The attempts of a delivery: its number, the wait before it, and how long after the first one it is; in words that need
 * no head of a column, which a phone does not show.
 */
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
  heading: "Be told when something changes",
  lede: "Sluice sends a signed request to your endpoints when a transfer, a card transaction or a transaction of a connected account changes. It says which one; you read how it stands.",
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
  ["id", `The event's, a UUID. Equals \`${EVENT_ID_HEADER}\`, and is the same in every attempt.`],
  ["type", "One of the three above. More may be added: ignore what you do not know."],
  ["resource.type", "`transfer`, `card_transaction` or `external_transaction`."],
  ["resource.id", "What to read."],
  ["created_at", "When the event was made, in UTC."],
] as const;

const OUTCOMES = [
  ["2xx", "Received, whatever else the answer says."],
  ["410", "Not received, and the endpoint is switched off at once."],
  ["3xx", "Not received: redirects are not followed. Register the address that they lead to."],
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
            "An owner or co-owner makes it in the dashboard, under [Webhooks](/settings/webhooks). Every member sees it and what was delivered.",
            "The signing secret, `whsec_…`, is shown once. Keep it where the receiver reads its secrets.",
            `It gets every event of the organization from then on, and none from before. There may be ${MAXIMUM_ENDPOINTS} endpoints.`,
            "The address is https, without a user name, a password or a `#`. One that leads to this server, a private network or a cloud's metadata is refused, now and at every connection.",
            "Your own installation lifts that with `WEBHOOK_ALLOW_PRIVATE=1`: then http and private addresses are allowed. In the demo it is on.",
          ]}
        />
      </Chapter>
      <Chapter title="What is sent">
        <Facts caption="Types of events" head={["Type", "When", "Read it with"]} rows={EVENTS} />
        <GuideCode label="A delivery" text={REQUEST} />
        <Facts caption="Fields of the body" head={["Field", "Is"]} rows={FIELDS} />
        <Prose text="Identifiers only, no state. Dry runs change nothing and send nothing." />
      </Chapter>
      <Chapter title="What a receiver does">
        <Points
          isOrdered
          items={[
            `Verifies \`${SIGNATURE_HEADER}\`: \`v1\` is HMAC-SHA256, keyed with the whole secret, \`whsec_\` included, over \`t\`, a full stop and the raw body. It compares in constant time, and refuses a \`t\` that is more than ${TOLERANCE_MINUTES} minutes from its own clock, to either side. The raw body is the bytes as they came: JSON that was parsed and written again does not match.`,
            `Answers 2xx within ${SECONDS} seconds, and works afterwards.`,
            `Drops what it has handled: the same event may come more than once over 24 hours, under the same \`${EVENT_ID_HEADER}\`. One that failed counts as not handled.`,
            "Reads the resource. Events may overtake each other, and several may tell of one change: how it stands is what the GET says, not what the order of events suggests.",
          ]}
        />
        <Prose text="The [TypeScript client](/docs/typescript-client) does all of it but the last:" />
        <GuideCode label="A receiver" text={CLIENT} />
        <Prose text="It remembers for 24 hours in memory which events were handled. Several processes give it `seen`, a store of their own. `verifyWebhook` verifies alone." />
      </Chapter>
      <Chapter title="Verify it yourself">
        <Prose text="Each of these is run by Sluice's tests, against deliveries and against forgeries." />
        <Samples samples={SAMPLES} />
      </Chapter>
      <Chapter title="What counts as received">
        <Facts caption="Answers" head={["Answer", "Means"]} rows={OUTCOMES} />
        <Prose
          text={`Of an answer ${MAXIMUM_ANSWER_BYTES / 1_024} KiB are read, and its begin is shown to members on the endpoint's page: say there why you refused.`}
        />
      </Chapter>
      <Chapter title="When it is tried again">
        <Facts caption="Attempts" head={["Attempt", "When", "Waited"]} rows={listRetries()} />
        <Prose
          text={`Up to a tenth of a wait is left out at random. Each attempt is signed anew, with a new \`t\`. After attempt ${MAXIMUM_ATTEMPTS} the delivery is given up. A member can send it again from the endpoint's page, alone or with all that failed since a time, for ${EVENT_RETENTION_DAYS} days.`}
        />
      </Chapter>
      <Chapter title="When an endpoint is switched off">
        <Points
          items={[
            "By Sluice, after five days in which every attempt failed, or on 410. Owners and co-owners are told.",
            "By an owner or co-owner, at any time.",
            `What happens meanwhile waits. Switched on again, the endpoint gets it, as far back as ${EVENT_RETENTION_DAYS} days; what was being retried begins its schedule anew.`,
          ]}
        />
      </Chapter>
      <Chapter title="Change the secret">
        <Points
          isOrdered
          items={[
            "Recreate the endpoint in the dashboard. The new one has the same address and a secret of its own; the old one goes on. Each event comes from both, under one id.",
            "Give the receiver both secrets. The client takes a list: `secrets: [old, new]`.",
            "With the first delivery that the new one's receiver takes, the old one is deleted. What it still had to send goes to the new one.",
            "Take the old secret out of the receiver.",
          ]}
        />
      </Chapter>
      <Chapter title="Try it">
        <Prose text="The endpoint's page sends a test event to that endpoint alone: a `transfer.changed` like any other, of the newest transfer. To see what arrives, in Sluice's folder:" />
        <GuideCode
          label="On this machine, with http://127.0.0.1:8787/ as the endpoint"
          text="SLUICE_WEBHOOK_SECRET=whsec_… npm run webhooks:listen -- 8787"
        />
        <Prose text="The [OpenAPI document](/docs) describes the three under `webhooks`, for tools that make receivers." />
      </Chapter>
    </>
  );
}
