import { Chapter, type Guide, GuideCode, Points } from "@/components/docs/guide";
import { Prose } from "@/components/docs/prose";

import type { ReferenceView } from "@/lib/contract/views/reference-view";

export const firstRequest: Guide = {
  slug: "first-request",
  title: "First request",
  chapter: "Start",
  heading: "From a key to your first transfer",
  lede: "Three calls: list the accounts, rehearse a transfer, propose it. Nothing moves until a person approves.",
  words: "quickstart start curl authorization bearer envelope requestId cents",
  Content,
};

function Content({ reference: { baseUrl } }: { reference: ReferenceView }) {
  return (
    <>
      <Chapter title="1. Get a key">
        <Prose text="An owner or co-owner creates one in the dashboard, under [Settings, API keys](/settings/api-keys). `npm run setup` prints the first; the key of the demo is in `.sluice/demo.json`. Keep it in your program's environment, never in code that a browser loads." />
        <GuideCode label="Shell" text="export SLUICE_KEY='sluice_…'" />
      </Chapter>
      <Chapter title="2. See the accounts">
        <GuideCode
          label="curl"
          text={`curl ${baseUrl}/accounts \\\n  -H "Authorization: Bearer $SLUICE_KEY"`}
        />
        <Prose text="Every success has the same form: `data` is the result, `requestId` identifies the request. Lists have `items` and `pagination`. Amounts are whole cents, times are ISO 8601 in UTC, IDs are UUIDs." />
        <GuideCode
          label="Answer"
          text={`{
  "data": {
    "items": [{ "id": "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11", "name": "Operating", … }],
    "pagination": { "page": 1, "pageSize": 10, "hasNextPage": false }
  },
  "requestId": "7fq2-m81x-k3tn"
}`}
        />
      </Chapter>
      <Chapter title="3. Rehearse">
        <Prose text="With `simulation: true` a transfer is checked against your key, its limits and the accounts, and nothing moves. See [dry runs](/docs/dry-runs)." />
        <GuideCode
          label="curl"
          text={`curl ${baseUrl}/transfers \\
  -H "Authorization: Bearer $SLUICE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "sourceAccountId": "…",
    "destinationAccountId": "…",
    "amountInCents": 125000,
    "simulation": true
  }'`}
        />
      </Chapter>
      <Chapter title="4. Propose">
        <Prose text="Leave out `simulation`, give a reason, and add an idempotency-key that names your intent. If the answer is lost, send the same request with the same key: it happens once. See [idempotency](/docs/idempotency)." />
        <GuideCode
          label="curl"
          text={`curl ${baseUrl}/transfers \\
  -H "Authorization: Bearer $SLUICE_KEY" \\
  -H "Content-Type: application/json" \\
  -H "idempotency-key: q4-tax-2026" \\
  -d '{
    "sourceAccountId": "…",
    "destinationAccountId": "…",
    "amountInCents": 125000,
    "description": "Q4 TAX",
    "reasonForApproval": "Sets aside the estimated tax for the fourth quarter."
  }'`}
        />
        <Points
          items={[
            "`APPROVAL_PENDING`: it waits. Give `approvalUrl` to an owner or co-owner; see [approvals](/docs/approvals).",
            "`PROCESSING`: accepted, on its way. Poll it by its ID until its status is final.",
          ]}
        />
      </Chapter>
    </>
  );
}
