import { momentAfter } from "@/lib/api/mcp/tell/moment";
import { quote } from "@/lib/api/mcp/tell/quote";
import { APPROVAL_EXPIRY_MS } from "@/lib/contract/limits";

const REASON_LENGTH = 300;

export interface Proposal {
  approvalUrl: string | null;
  reasonForApproval: string | null;
  createdAt: string;
  /** The call that says what became of it: `getTransfer with id: "…"`. */
  poll: string;
}

/** What waits for a person: who decides where and until when, and how to learn of it. */
export function tellProposal({ approvalUrl, reasonForApproval, createdAt, poll }: Proposal): string[] {
  return [
    "Waiting for approval. Nothing has moved, and nothing will before an owner or co-owner says yes.",
    ...(approvalUrl ? [`Give this address to an owner or co-owner: ${approvalUrl}`] : []),
    reasonForApproval
      ? `They are shown this reason: ${quote(reasonForApproval, REASON_LENGTH)}`
      : "They are shown no reason. Another time, give reasonForApproval: one or two sentences that they understand.",
    `Without a decision by ${momentAfter(createdAt, APPROVAL_EXPIRY_MS)} it counts as denied.`,
    `Then call ${poll} until the status is no longer APPROVAL_PENDING: first after a minute, then with waits that double, up to an hour. Do not propose it again while it waits.`,
  ];
}

/** What was turned down stays so: an assistant that asks until somebody says yes takes the sense out of asking. */
export const DENIED = [
  "Denied, or nobody decided within 24 hours: the status is the same. Nothing moved, and this will never run.",
  "Do not propose it again on your own. Tell the person, and ask what they want. If they want it after all, make a new call with a new idempotencyKey.",
];
