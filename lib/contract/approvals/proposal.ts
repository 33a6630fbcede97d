import { z } from "zod";
import { proposalDecisionSchema } from "@/lib/contract/approvals/denial";
import { proposalCheckSchema } from "@/lib/contract/approvals/proposal-check";

export const proposalKindSchema = z
  .enum(["TRANSFER", "RULE_RUN", "RULE_VERSION", "RULE_DEACTIVATION", "PAYEE"])
  .meta({
    id: "ProposalKind",
    description:
      "`RULE_VERSION`: a rule, or a new version of one, that a program wrote. `RULE_DEACTIVATION`: that a rule stops. `PAYEE`: a payee that a program named.",
  });
export type ProposalKind = z.infer<typeof proposalKindSchema>;

export const proposalStatusSchema = z
  .enum(["WAITING", "APPROVED", "DENIED", "EXPIRED", "WITHDRAWN", "REVOKED"])
  .meta({
    id: "ProposalStatus",
    description:
      "`WAITING`: a person must decide. Any other status is final, except that a `REVOKED` version of a rule waits again when the version that followed it is discarded.",
  });
export type ProposalStatus = z.infer<typeof proposalStatusSchema>;

const partySchema = z
  .strictObject({ id: z.uuid(), name: z.string() })
  .meta({ id: "ProposalParty", description: "An account of a proposal." });

/** How many waiting proposals of a page come with their checks. */
export const MAXIMUM_CHECKED_PROPOSALS = 20;
/** How many destinations of a run are named. */
export const MAXIMUM_PROPOSAL_DESTINATIONS = 20;

/** What a program asked a person to decide, whatever its kind. */
export const proposalSchema = z
  .strictObject({
    id: z.uuid().describe("Of a transfer, a run or a payee, its own id."),
    kind: proposalKindSchema,
    status: proposalStatusSchema,
    transferId: z.uuid().nullable(),
    ruleId: z.uuid().nullable(),
    ruleVersion: z.int().min(1).nullable().describe("The version that runs, was written, or would stop."),
    ruleExecutionId: z.uuid().nullable(),
    payeeId: z.uuid().nullable(),
    name: z.string().nullable().describe("Of the rule or the payee. Null for a transfer."),
    source: partySchema.nullable().describe("Of a transfer, or of a run that takes from one account alone."),
    destinations: z
      .array(partySchema)
      .describe(
        `Of a transfer or a run, at most ${MAXIMUM_PROPOSAL_DESTINATIONS}: of a run that waits, as it would move money now.`,
      ),
    amountInCents: z
      .int()
      .min(0)
      .nullable()
      .describe(
        "Of a transfer or a run: of a run that waits, as it would move money now. Null if it cannot be computed, or the key may not read the accounts of the rule.",
      ),
    reason: z.string().nullable().describe("What the requester stated."),
    requester: z.strictObject({
      kind: z.enum(["API_KEY", "ASSISTANT", "MEMBER", "HOOK"]),
      name: z.string(),
      isCaller: z.boolean().describe("Whether this key or assistant requested it."),
    }),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .describe("Without a decision by then it ends. Null: rules and payees wait without end."),
    checks: z
      .array(proposalCheckSchema)
      .nullable()
      .describe(
        `What the checks say now, for a transfer or run that waits. Null for any other, and in a list beyond the first ${MAXIMUM_CHECKED_PROPOSALS} that wait.`,
      ),
    approvalUrl: z.url().nullable().describe("Where a person decides, while it waits."),
    decision: proposalDecisionSchema.nullable().describe("Null while it waits."),
  })
  .meta({ id: "Proposal", description: "What someone asked an owner or co-owner to decide." });
export type Proposal = z.infer<typeof proposalSchema>;
