import { Chapter, Facts, type Guide, GuideCode, Points } from "@/components/docs/guide";
import { Prose } from "@/components/docs/prose";

export const approvals: Guide = {
  slug: "approvals",
  title: "Approvals",
  chapter: "Start",
  heading: "Programs propose, people approve",
  lede: "A permission that moves money can require approval, and does unless an owner said otherwise. The call then succeeds and registers a proposal; nothing moves until an owner or co-owner approves it.",
  words: "APPROVAL_PENDING APPROVAL_DENIED approvalUrl reasonForApproval owner co-owner 24 hours expiry",
  Content,
};

const STATUSES = [
  ["APPROVAL_PENDING", "It waits for a decision. A success, not an error."],
  ["PROCESSING", "Approved, or no approval was needed: on its way."],
  ["COMPLETE", "Settled."],
  ["APPROVAL_DENIED", "Denied, or nobody decided within 24 hours. It never runs."],
  ["FAILED", "It did not happen; `errorCode` and `errorMessage` say why."],
  ["CANCELLED", "An owner or co-owner withdrew it before the bank had it."],
  ["RETURNED", "The bank sent it back after it had settled."],
] as const;

function Content() {
  return (
    <>
      <Chapter title="How it works">
        <Points
          isOrdered
          items={[
            "You call, with `reasonForApproval`: the approver reads it word for word.",
            "The answer is 202 with `status: APPROVAL_PENDING` and an `approvalUrl`. Owners and co-owners are notified by email and SMS.",
            "They open the link, see what will happen, and approve or deny. Opening it decides nothing.",
            "Poll the transfer until its status is final, with growing intervals.",
          ]}
        />
        <GuideCode
          label="From the answer"
          text={`"status": "APPROVAL_PENDING",
"reasonForApproval": "Sets aside the estimated tax for the fourth quarter.",
"approvalUrl": "https://…/?approvalTransferId=019aa2d4-1c20-7a9b-83e7-6f10d2b54c16"`}
        />
      </Chapter>
      <Chapter title="The statuses of a transfer">
        <Facts caption="Statuses of a transfer" head={["Status", "Means"]} rows={STATUSES} />
      </Chapter>
      <Chapter title="Good to know">
        <Points
          items={[
            "Nothing is held while it waits: other movements may use the money. Without enough money, an approved transfer becomes `FAILED`.",
            "A denial and an expiry look the same. To propose again, make a new call with a new idempotency-key.",
            "Only what the approver saw is approved: if parties, amount or a check changed, nothing is decided and they see what changed.",
            "A dry run never asks for approval.",
          ]}
        />
        <Prose text="Revoking a key denies its waiting proposals." />
      </Chapter>
    </>
  );
}
