import { Chapter, Facts, type Guide, GuideCode, Points } from "@/components/docs/guide";
import { Prose } from "@/components/docs/prose";

import { APPROVABLE_PERMISSIONS, PERMISSION_HELP } from "@/lib/contract/permissions";

export const keysAndPermissions: Guide = {
  slug: "keys-and-permissions",
  title: "Keys and permissions",
  chapter: "Start",
  heading: "A key may do what its permissions say, and nothing else",
  lede: "Every request carries a key. Its permissions are read for each request: a revoked key is refused at once.",
  words:
    "authorization bearer 401 403 ACCESS_DENIED MAXIMUM_AMOUNT_EXCEEDED max_amount approval least privilege",
  Content,
};

const CAN_ASK = APPROVABLE_PERMISSIONS.map(String);
const PERMISSIONS = Object.entries(PERMISSION_HELP).map(
  ([type, { grants, resources }]) =>
    [type, CAN_ASK.includes(type) ? `${grants} Can require approval.` : grants, resources] as const,
);

function Content() {
  return (
    <>
      <Chapter title="Send it">
        <GuideCode label="Header" text="Authorization: Bearer sluice_…" />
        <Prose text="Without a key, or with one that is unknown or revoked, the answer is 401 `UNAUTHORIZED`. A request outside the key's permissions is answered 403 `ACCESS_DENIED`." />
      </Chapter>
      <Chapter title="The permissions">
        <Facts caption="Permissions" head={["Permission", "Lets a key", "Given for"]} rows={PERMISSIONS} />
      </Chapter>
      <Chapter title="Routes and limits">
        <Prose text="`MANUAL_TRANSFER` lists routes from a source to a destination, each with an optional limit in cents. Where several match, the highest limit counts. Above it the answer is 403 `MAXIMUM_AMOUNT_EXCEEDED`." />
        <GuideCode
          label="A permission"
          text={`{
  "type": "MANUAL_TRANSFER",
  "entries": [{ "source": "<account id>", "target": "<account id>", "max_amount": 500000 }],
  "approval": { "required": true }
}`}
        />
      </Chapter>
      <Chapter title="The daily cap">
        <Prose text="A key that acts without approval may have a daily cap: the most that it can move in a day on its own, including what rules move because of it. Nothing beyond it is refused. A transfer is answered 202 with status `APPROVAL_PENDING` and an `approvalUrl`, as with a key that needs approval; a rule's run goes from `IN_PROGRESS` to `APPROVAL_PENDING`. So check the status, whatever the key." />
        <Prose text="At most 100 proposals of a key wait at once. The next is answered 429 `RATE_LIMIT_EXCEEDED`: wait until some are decided." />
      </Chapter>
      <Chapter title="Good habits">
        <Points
          items={[
            "One key per agent or integration, named `<tool>-<purpose>`: you can revoke it alone, the audit log says who did what, and each has its own rate limit.",
            "As few permissions as the work needs, with approval where money moves.",
            "Keys belong on servers: not in apps, pages or repositories.",
            "Say why you call in `x-called-reason`: the audit log records it.",
          ]}
        />
      </Chapter>
    </>
  );
}
