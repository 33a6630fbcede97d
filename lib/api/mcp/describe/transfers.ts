import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { describePage, describeSummary } from "@/lib/api/mcp/describe/list-page";
import {
  momentAfter,
  partyName,
  partyWithId,
  quote,
  quoteExactly,
  utcMoment,
} from "@/lib/api/mcp/describe/text";
import { DENIAL_REASON_WORDS, type ProposalDecision } from "@/lib/contract/approvals/denial";
import type { Approvals } from "@/lib/contract/approvals/signatures";
import { formatCents } from "@/lib/contract/format-cents";
import { APPROVAL_EXPIRY_MS } from "@/lib/contract/limits";
import { type Page, pageOf } from "@/lib/contract/page";
import { listSummarySchema } from "@/lib/contract/search/list-filters";
import { type AccountReference, type Transfer, transferSchema } from "@/lib/contract/transfer";

const MESSAGE_LENGTH = 500;

/** What to do about failures that an agent can act on. */
const NEXT: Readonly<Record<string, string>> = {
  INSUFFICIENT_FUNDS:
    "Read the source with getAccount: availableBalanceInCents is what it can give. Then ask the person whether to move less, or to wait for money.",
  BELOW_FLOOR:
    "An owner keeps a minimum balance in the source, and only a person may go below it. Ask them to move less, or to approve it.",
  ACCOUNT_CLOSED:
    "One of the accounts is closed. Take an open one from listAccounts, and ask which is meant.",
  BALANCE_UNAVAILABLE:
    "The balance of the source is currently unknown, and unknown is not zero. Try again in a few hours, or ask the person to check the connection.",
  ABOVE_OUTGOING_CAP:
    "The organization may send only so much out of Sluice within 24 hours, and only an owner can change that in Settings. Do not split the amount. Tell the person; it can wait until 24 hours have passed since earlier payments left.",
  GATES_CLOSED:
    "Only an owner or co-owner can open the gates. Tell the person, and do not try it live before.",
  ABOVE_DAILY_CAP:
    "The cap is an owner's decision: do not split the amount. Tell the person that it needs approval, or can wait until 24 hours have passed since its earlier transfers.",
  RATE_LIMIT_EXCEEDED: "Ask the person to decide the waiting proposals before you make more.",
};

const OTHERWISE =
  "Tell the person why, and ask before you try it again: the same call may fail the same way. If they want it, propose it again under another idempotencyKey.";

/** One transfer, with what to do next. */
export const describeTransfer = describer(transferSchema, (transfer) =>
  [
    `Transfer ${transfer.id}: ${formatCents(transfer.amountInCents)} from ${partyWithId(transfer.source)} to ${partyWithId(transfer.destination)}. Status: ${transfer.status}.`,
    ...describeLess(transfer),
    ...describeLabel(transfer),
    ...(transfer.executionMode === "SIMULATION" ? describeDryRun(transfer) : describeStatus(transfer)),
    ...describeChecks(transfer),
  ].join("\n"),
);

/** What a person should look at before it is approved or made again. */
export function describeChecks({ checks }: Pick<Transfer, "checks">): string[] {
  const found = (checks ?? []).filter(({ level }) => level !== "CLEAR");
  return found.map(
    ({ code, level, text }) => `${level === "BLOCKS" ? "Blocked" : "To review"}: ${text} (${code})`,
  );
}

const summedPage = pageOf(transferSchema).extend({ summary: listSummarySchema.nullable().optional() });

/** A page of transfers. */
export const describeTransfers = describer(summedPage, ({ summary, ...page }) =>
  [...describeSummary(summary ?? null), describeTransferPage(page)].join("\n"),
);

const describeTransferPage = (page: Page<Transfer>) =>
  describePage(
    page,
    {
      one: "transfer",
      many: "transfers",
      empty:
        'No transfers in or out of these accounts match. Leave out filters, or ask for executionMode: "SIMULATION" to see dry runs. Card purchases are not transfers: listTransactions has them.',
      next: "getTransfer with an id explains what a status means and what to do.",
    },
    describeTransferLine,
  );

function describeTransferLine(transfer: Transfer): string {
  const { status, approvalUrl, errorCode } = transfer;
  return [
    `${formatCents(transfer.approvedAmountInCents ?? transfer.amountInCents)} from ${partyName(transfer.source)} to ${partyName(transfer.destination)}`,
    transfer.executionMode === "SIMULATION" ? `${status} (dry run, nothing moved)` : status,
    ...(errorCode === null ? [] : [describeCode(transfer, errorCode)]),
    ...(approvalUrl === null ? [] : [`an owner or co-owner decides at ${approvalUrl}`]),
    utcMoment(transfer.createdAt),
    `id ${transfer.id}`,
  ].join("; ");
}

function describeCode({ executionMode, status }: Transfer, errorCode: string): string {
  const isForeseen = executionMode === "SIMULATION" && status === "COMPLETE";
  return isForeseen ? `would fail live: ${errorCode}` : `because ${errorCode}`;
}

/** A person approved less than was asked. */
function describeLess({ approvedAmountInCents }: Transfer): string[] {
  if (approvedAmountInCents === null) return [];
  return [
    `A person approved ${formatCents(approvedAmountInCents)} of it, and only that moves. Ask before you propose the rest.`,
  ];
}

function describeLabel({ description, ruleId, ruleExecutionId, mandateId }: Transfer): string[] {
  const label = [
    ...(description === null ? [] : [`Its label on the statement: ${quote(description)}.`]),
    ...(mandateId === null ? [] : [`It needed no approval, under mandate ${mandateId}.`]),
  ];
  if (ruleId === null || ruleExecutionId === null) return label;
  return [...label, `It was made by run ${ruleExecutionId} of rule ${ruleId}.`];
}

function describeStatus(transfer: Transfer): string[] {
  const poll = `getTransfer with id: "${transfer.id}"`;
  switch (transfer.status) {
    case "APPROVAL_PENDING":
      return [
        ...describeProposal({ ...transfer, poll }),
        "Once approved it becomes PROCESSING, and ends as COMPLETE or FAILED; if denied it becomes APPROVAL_DENIED.",
      ];
    case "APPROVAL_DENIED":
      return describeDenied(transfer.decision);
    case "PROCESSING":
      return describeProcessing(transfer, poll);
    case "COMPLETE":
      return [
        `Complete${describeEnd(transfer)}. This status is final, unless a bank returns the money later.`,
      ];
    case "FAILED":
      return ["It failed, and nothing moved. This status is final.", ...describeFailure(transfer)];
    case "CANCELLED":
      return [
        `Canceled before it went to the bank${describeEnd(transfer)}. Nothing moved, and this status is final. Ask before you propose it again.`,
      ];
    case "RETURNED":
      return [
        `The bank returned the money after it had settled${describeEnd(transfer)}. This status is final.`,
        ...describeFailure(transfer),
      ];
  }
}

function describeProcessing(transfer: Transfer, poll: string): string[] {
  const accepted = "Accepted and in progress. It is not complete yet.";
  const end = "until the status is final: COMPLETE, FAILED, CANCELLED or RETURNED";
  if (isInside(transfer.source) && isInside(transfer.destination)) {
    return [
      accepted,
      "Both accounts are at Sluice, so it takes seconds.",
      `Next: call ${poll} after two seconds, then with waits that double, ${end}.`,
    ];
  }
  const expected = transfer.expectedCompletionDate;
  return [
    accepted,
    `It goes through the banks, which takes days${expected === null ? "" : `: it should settle on ${expected}`}.`,
    `Next: call ${poll} at most once an hour ${end}; there is no need to wait for it now.`,
  ];
}

const isInside = ({ type }: AccountReference) => type === "POD" || type === "INCOME_SOURCE";

function describeEnd({ completedAt }: Transfer): string {
  return completedAt === null ? "" : ` (${utcMoment(completedAt)})`;
}

function describeDryRun(transfer: Transfer): string[] {
  const nothing =
    "This was a dry run: nothing moved, no approval was requested, and there is nothing to poll.";
  const { status, errorCode } = transfer;
  if (errorCode === "ABOVE_DAILY_CAP") {
    return [
      nothing,
      "Live, it would wait for an owner or co-owner to approve it.",
      ...describeFailure(transfer),
    ];
  }
  if (status === "FAILED" || errorCode !== null) {
    return [
      nothing,
      "Live, it would fail as things are now, and nothing would move.",
      ...describeFailure(transfer),
    ];
  }
  if (transfer.ruleId !== null) return [nothing, "It is one of the transfers that the rule would make."];
  return [
    nothing,
    `Live, ${formatCents(transfer.amountInCents)} would move as things are now, or once a person has approved it if your calls need approval. A later decision of a bank cannot be predicted.`,
    "Next: tell the person, and ask. If they want it, call createTransfer again without simulation, with an idempotencyKey and a reasonForApproval.",
  ];
}

interface Failed {
  errorCode: string | null;
  errorMessage: string | null;
}

/** Why it failed or was returned, and what to do. Banks choose codes, and messages name accounts: both are quoted. */
function describeFailure({ errorCode, errorMessage }: Failed): string[] {
  const why = errorMessage === null ? "no reason was given" : quote(errorMessage, MESSAGE_LENGTH);
  const code = errorCode === null ? "" : ` (${quoteExactly(errorCode)})`;
  return [`Why: ${why}${code}`, `Next: ${NEXT[errorCode ?? ""] ?? OTHERWISE}`];
}

const REASON_LENGTH = 300;

interface Proposal {
  approvalUrl: string | null;
  reasonForApproval: string | null;
  createdAt: string;
  /** Unset: not read with it. */
  approvals?: Approvals | null;
  /** The call that returns the outcome: `getTransfer with id: "…"`. */
  poll: string;
}

/** A waiting proposal: who decides where, until when, and how to follow it. */
export function describeProposal(proposal: Proposal): string[] {
  const { approvalUrl, reasonForApproval, createdAt, poll } = proposal;
  const approvals = proposal.approvals ?? null;
  return [
    "Waiting for approval. Nothing has moved, and nothing will until an owner or co-owner approves.",
    ...(approvalUrl ? [`Next: give this address to an owner or co-owner: ${approvalUrl}`] : []),
    reasonForApproval
      ? `They see this reason: ${quote(reasonForApproval, REASON_LENGTH)}`
      : "They see no reason. Next time, give reasonForApproval: one or two sentences that they understand.",
    ...(approvals ? [describeSignatures(approvals)] : []),
    `Without a decision by ${approvals ? utcMoment(approvals.expiresAt) : momentAfter(createdAt, APPROVAL_EXPIRY_MS)} it counts as denied.`,
    `Next: then call ${poll} until the status is no longer APPROVAL_PENDING: first after a minute, then with waits that double, up to an hour.`,
    "Do not propose it again while it waits.",
  ];
}

/** By the policy of the organization: how many people must sign, and how many have. */
function describeSignatures({ required, given }: Approvals): string {
  const versions = new Map<number, number>();
  for (const { policyVersion, atLeast } of required) {
    versions.set(policyVersion, (versions.get(policyVersion) ?? 0) + atLeast);
  }
  const needed = Math.max(1, ...versions.values());
  return `It needs the signatures of at least ${needed} ${needed === 1 ? "person" : "people"} and has ${given.length}.`;
}

const DENIED_HOW: Record<ProposalDecision["outcome"], string> = {
  APPROVED: "Denied.",
  DENIED: "A person denied it.",
  EXPIRED: "Nobody decided in time, so it counts as denied.",
  WITHDRAWN: "It was withdrawn by the program that requested it.",
  REVOKED: "It ended with its key, its assistant or its version of the rule.",
};

/** A denial is final: an assistant that keeps asking until someone says yes defeats approval. */
export function describeDenied(decision: ProposalDecision | null): string[] {
  const how = decision === null ? "Denied, or nobody decided within 24 hours." : DENIED_HOW[decision.outcome];
  return [
    `${how} Nothing moved, and this will never run.`,
    ...describeReason(decision),
    "Next: do not propose it again on your own. Tell the person, and ask what they want. If they still want it, propose it again under another idempotencyKey.",
  ];
}

function describeReason(decision: ProposalDecision | null): string[] {
  if (!decision?.reason) return [];
  const { kind, text } = decision.reason;
  const words = text === null ? "" : `, and wrote: ${quote(text, REASON_LENGTH)}`;
  return [
    `The person said: ${DENIAL_REASON_WORDS[kind]}${words}.`,
    ...(kind === "DO_NOT_ASK_AGAIN" ? ["The same route and amount is refused for good."] : []),
    ...(decision.askAgainAfter === null
      ? []
      : [`The same route and amount is refused until ${utcMoment(decision.askAgainAfter)}.`]),
  ];
}
