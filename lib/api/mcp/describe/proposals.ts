import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { describePage } from "@/lib/api/mcp/describe/list-page";
import { quote, utcMoment } from "@/lib/api/mcp/describe/text";
import { describeDenied } from "@/lib/api/mcp/describe/transfers";
import { type Proposal, type ProposalKind, proposalSchema } from "@/lib/contract/approvals/proposal";
import { formatCents } from "@/lib/contract/format-cents";
import { type Page, pageOf } from "@/lib/contract/page";

const KIND: Record<ProposalKind, string> = {
  TRANSFER: "Transfer",
  RULE_RUN: "Run of the rule",
  RULE_VERSION: "Version of the rule",
  RULE_DEACTIVATION: "Deactivation of the rule",
  PAYEE: "Payee",
};

const REASON_LENGTH = 300;

/** A page of proposals. */
export const describeProposals = describer(pageOf(proposalSchema), (page: Page<Proposal>) =>
  describePage(
    page,
    {
      one: "proposal",
      many: "proposals",
      empty: "No proposals like that.",
      next: "getProposal returns one with its checks; waitForDecision returns when a person has decided it.",
    },
    (proposal) =>
      `${describeSubject(proposal)}: ${proposal.status}, ${describeTimes(proposal)}, id ${proposal.id}`,
  ),
);

/** One proposal, with what to do next. */
export const describeProposal = describer(proposalSchema, (proposal) =>
  [
    `Proposal ${proposal.id}: ${describeSubject(proposal)}. Status: ${proposal.status}.`,
    ...(proposal.reason === null ? [] : [`Reason given: ${quote(proposal.reason, REASON_LENGTH)}`]),
    ...(proposal.status === "WAITING" ? describeWaiting(proposal) : describeEnd(proposal)),
  ].join("\n"),
);

function describeSubject({ kind, name, amountInCents, source, destinations, ruleVersion }: Proposal): string {
  const [first] = destinations;
  const to = destinations.length === 1 && first ? quote(first.name) : `${destinations.length} accounts`;
  return [
    KIND[kind],
    ...(name === null ? [] : [quote(name)]),
    ...(kind === "RULE_VERSION" ? [`version ${ruleVersion}`] : []),
    ...(amountInCents === null ? [] : [formatCents(amountInCents)]),
    ...(source === null ? [] : [`from ${quote(source.name)}`]),
    ...(first ? [`to ${to}`] : []),
  ].join(" ");
}

function describeTimes({ createdAt, expiresAt, status, requester, decision }: Proposal): string {
  const by = requester.isCaller ? "by you" : `by ${quote(requester.name)}`;
  const until = status === "WAITING" && expiresAt !== null ? `, until ${utcMoment(expiresAt)}` : "";
  const decided = decision === null ? "" : `, decided ${utcMoment(decision.decidedAt)}`;
  return `requested ${by} ${utcMoment(createdAt)}${until}${decided}`;
}

function describeWaiting({ id, approvalUrl, expiresAt, checks }: Proposal): string[] {
  const problems = (checks ?? []).filter(({ level }) => level !== "CLEAR");
  return [
    `An owner or co-owner must decide it. Give the person this address unchanged: ${approvalUrl ?? "none"}`,
    ...(expiresAt === null ? [] : [`Without a decision by ${utcMoment(expiresAt)} it ends.`]),
    ...problems.map(
      ({ level, text }) =>
        `${level === "BLOCKS" ? "It cannot be approved now" : "They will look at this"}: ${text}`,
    ),
    `Then call waitForDecision with id: "${id}" until it is no longer WAITING. Do not propose it again.`,
  ];
}

function describeEnd({ kind, status, decision }: Proposal): string[] {
  if (status !== "APPROVED") return describeDenied(decision);
  return kind === "TRANSFER"
    ? ["A person approved it. getTransfer says how far it is."]
    : kind === "RULE_RUN"
      ? ["A person approved it. getRuleExecution says how far it is."]
      : ["A person did it."];
}
