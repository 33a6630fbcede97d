import { z } from "zod";
import { EXAMPLE_IDS, EXAMPLE_TIMES, PAGE_OF_TEN } from "@/lib/api/operations/examples";
import { ADDS, operation, READS } from "@/lib/api/operations/operation";
import {
  MAXIMUM_CHECKED_PROPOSALS,
  type Proposal,
  proposalKindSchema,
  proposalSchema,
  proposalStatusSchema,
} from "@/lib/contract/approvals/proposal";
import { waitQueryShape } from "@/lib/contract/input/wait";
import { anyOf, pageOf, pageQueryShape } from "@/lib/contract/page";
import { triggerRuleBodyShape } from "@/lib/contract/rules/execution";
import { proposeRuleDeactivation } from "@/lib/core/approvals/propose-rule-deactivation";
import { getProposal, listProposals } from "@/lib/core/approvals/read-proposals";
import { readWhenChanged } from "@/lib/core/shared/read-when-changed";

const EXAMPLE_PROPOSAL: Proposal = {
  id: EXAMPLE_IDS.transfer,
  kind: "TRANSFER",
  status: "WAITING",
  transferId: EXAMPLE_IDS.transfer,
  ruleId: null,
  ruleVersion: null,
  ruleExecutionId: null,
  payeeId: null,
  name: null,
  source: { id: EXAMPLE_IDS.operating, name: "Operating" },
  destinations: [{ id: EXAMPLE_IDS.taxes, name: "Taxes" }],
  amountInCents: 425_000,
  reason: "Sets aside the estimated tax for the fourth quarter.",
  requester: { kind: "API_KEY", name: "claude-taxes", isCaller: true },
  createdAt: EXAMPLE_TIMES.asked,
  expiresAt: "2026-11-21T13:40:12.345Z",
  checks: [{ code: "INSUFFICIENT_FUNDS", level: "CLEAR", text: "The source has enough." }],
  approvalUrl: `https://sluice.example/?approvalTransferId=${EXAMPLE_IDS.transfer}`,
  decision: null,
};

export const proposalOperations = [
  operation({
    operationId: "listProposals",
    tag: "Proposals",
    method: "GET",
    path: "/proposals",
    summary: "List proposals",
    description: `What programs and members asked a person to decide, newest first: transfers, runs, versions and deactivations of rules, payees. A key sees its own; those of others as far as it may read transfers (\`READ_TRANSFERS\`), rules (\`READ_RULES\`) and payees (\`READ_ACCOUNTS\`). The first ${MAXIMUM_CHECKED_PROPOSALS} that wait come with their checks.`,
    tool: {
      useWhen: "Use when asked what waits, or what became of your proposals. Not for one (getProposal).",
      hints: READS,
    },
    example: {
      request: { status: ["WAITING"], mine: "true" },
      answer: { items: [EXAMPLE_PROPOSAL], pagination: PAGE_OF_TEN },
    },
    permission: null,
    auditAction: null,
    pathParameters: null,
    input: z.strictObject({
      ...pageQueryShape,
      status: anyOf(proposalStatusSchema).describe(
        "Only proposals with one of these statuses; repeat it or separate with commas.",
      ),
      kind: anyOf(proposalKindSchema).describe(
        "Only proposals of one of these kinds; repeat it or separate with commas.",
      ),
      mine: z
        .enum(["true", "false"], "must be true or false")
        .transform((text) => text === "true")
        .pipe(z.boolean())
        .default(false)
        .describe("`true`: only what this key or assistant requested."),
    }),
    listFields: ["status", "kind"],
    output: pageOf(proposalSchema),
    successes: [{ status: 200, when: "A page of proposals." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }, { status, kind, mine, page, pageSize }) => ({
      kind: "DATA",
      data: await listProposals(services, context, {
        page,
        pageSize,
        statuses: status,
        kinds: kind,
        isMine: mine,
      }),
    }),
  }),
  operation({
    operationId: "getProposal",
    tag: "Proposals",
    method: "GET",
    path: "/proposals/:id",
    summary: "Read one proposal",
    description:
      "A proposal with its checks and its decision. The proposal of a transfer, a run or a payee has that one's id. One that the key may not read is answered as if there were none.",
    tool: {
      useWhen:
        "Use when asked what speaks for or against one, or what the person said. Not to wait (waitForDecision).",
      hints: READS,
    },
    example: { request: { id: EXAMPLE_IDS.transfer }, answer: EXAMPLE_PROPOSAL },
    permission: null,
    auditAction: null,
    pathParameters: { schema: z.object({ id: z.guid().toLowerCase() }), notFound: "PROPOSAL_NOT_FOUND" },
    input: z.strictObject({ id: z.guid().describe("The proposal."), ...waitQueryShape }),
    listFields: [],
    output: proposalSchema,
    successes: [{ status: 200, when: "The proposal." }],
    errors: ["PROPOSAL_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context, gone }, { id, wait }) => ({
      kind: "DATA",
      data: await readWhenChanged(services, context, {
        kind: "PROPOSAL",
        id,
        waitSeconds: wait,
        gone,
        read: (at) => getProposal(services, at, id),
        isFinal: ({ status }) => status !== "WAITING",
      }),
    }),
  }),
  operation({
    operationId: "proposeRuleDeactivation",
    tag: "Proposals",
    method: "POST",
    path: "/rules/:id/deactivation-proposals",
    summary: "Propose to deactivate a rule",
    description:
      "Asks a person to stop an active rule. It keeps running until an owner or co-owner deactivates it at `approvalUrl`; without a decision within 24 hours the proposal ends. While an earlier one of this key waits, the answer is that one. A rule that is not active answers `RULE_DEACTIVATED`.",
    tool: {
      useWhen: "Use when a rule should stop, or does something wrong. Not to change it: updateRule.",
      hints: ADDS,
    },
    example: {
      request: { id: EXAMPLE_IDS.rule, reasonForApproval: "The invoice it pays has ended." },
      answer: {
        ...EXAMPLE_PROPOSAL,
        id: EXAMPLE_IDS.ruleExecution,
        kind: "RULE_DEACTIVATION",
        transferId: null,
        ruleId: EXAMPLE_IDS.rule,
        ruleVersion: 1,
        name: "Set aside taxes",
        source: null,
        destinations: [],
        amountInCents: null,
        reason: "The invoice it pays has ended.",
        checks: null,
        approvalUrl: `https://sluice.example/rules/${EXAMPLE_IDS.rule}?version=1`,
      },
    },
    permission: "CREATE_AND_EDIT_RULES",
    auditAction: null,
    pathParameters: { schema: z.object({ id: z.guid().toLowerCase() }), notFound: "RULE_NOT_FOUND" },
    input: z.strictObject({
      id: z.guid().describe("The rule."),
      reasonForApproval: triggerRuleBodyShape.reasonForApproval,
    }),
    listFields: [],
    output: proposalSchema,
    successes: [{ status: 202, when: "Waiting for a person." }],
    errors: ["RULE_NOT_FOUND", "RULE_DEACTIVATED", "INVALID_RULE", "IDEMPOTENCY_KEY_MISMATCH"],
    isIdempotent: true,
    run: async ({ services, context, sent, idempotency }, { id, reasonForApproval }) =>
      proposeRuleDeactivation(
        services,
        context,
        { ruleId: id, reason: reasonForApproval ?? null },
        { sent, idempotency, auditAction: null, status: 202 },
      ),
  }),
];
