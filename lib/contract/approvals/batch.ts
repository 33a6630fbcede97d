import { z } from "zod";
import { proposalDecisionSchema } from "@/lib/contract/approvals/denial";
import { proposalStatusSchema } from "@/lib/contract/approvals/proposal";
import { proposalCheckSchema } from "@/lib/contract/approvals/proposal-check";
import { approvalsSchema } from "@/lib/contract/approvals/signatures";
import { confirmationSchema, denialGivenSchema } from "@/lib/contract/confirmation/decision";
import { onceReadable } from "@/lib/contract/input/across-fields";
import { MAXIMUM_BATCH_LINES, MAXIMUM_REASON_FOR_APPROVAL_LENGTH } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";
import { createTransferBodySchema, transferStatusSchema } from "@/lib/contract/transfer";

const { sourceAccountId, destinationAccountId, amountInCents, description, externalId } =
  createTransferBodySchema.shape;

/** One transfer of a batch, as its program asks for it. */
const batchLineBodySchema = z
  .strictObject({ sourceAccountId, destinationAccountId, amountInCents, description, externalId })
  .refine((line) => line.sourceAccountId !== line.destinationAccountId, {
    path: ["destinationAccountId"],
    message: "must be another account than sourceAccountId",
    when: onceReadable("sourceAccountId", "destinationAccountId"),
  });

const lineCount = `must have 1 to ${MAXIMUM_BATCH_LINES} transfers`;

/** Body of `POST /transfers/batch`. */
export const createTransferBatchBodySchema = z.strictObject({
  reasonForApproval: plainText(MAXIMUM_REASON_FOR_APPROVAL_LENGTH)
    .optional()
    .describe("Shown word for word to the approver, and returned."),
  transfers: z
    .array(batchLineBodySchema)
    .min(1, lineCount)
    .max(MAXIMUM_BATCH_LINES, lineCount)
    .describe("In the order in which they are accepted."),
});
export type CreateTransferBatchBody = z.infer<typeof createTransferBatchBodySchema>;

const batchLineSchema = z
  .strictObject({
    line: z.int().min(1).describe("Its number in the batch, which it keeps when lines are struck out."),
    transferId: z.uuid(),
    status: transferStatusSchema,
    sourceAccountId: z.uuid(),
    destinationAccountId: z.uuid(),
    amountInCents: z.int().positive(),
    description: z.string().nullable(),
    externalId: z.string().nullable(),
    checks: z
      .array(proposalCheckSchema)
      .nullable()
      .describe("While it waits: what its approver reads of this line. Null otherwise."),
    decision: proposalDecisionSchema
      .nullable()
      .describe("Null while it waits. `DENIED` in a batch that was approved: struck out."),
  })
  .meta({ id: "TransferBatchLine", description: "One transfer of a batch." });

export const transferBatchSchema = z
  .strictObject({
    id: z.uuid(),
    status: proposalStatusSchema.describe(
      "`APPROVED`: a person accepted at least one line; struck lines are denied.",
    ),
    reasonForApproval: z.string().nullable(),
    totalInCents: z.int().positive().describe("The total of all lines."),
    approvedInCents: z.int().min(0).describe("The total of the approved lines; 0 while it waits."),
    approvalUrl: z.url().nullable().describe("Where a person decides, while it waits."),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe("Without a decision by then it is denied."),
    approvals: approvalsSchema
      .nullable()
      .describe(
        "Whose signatures the lines together and each by itself need, under a policy. Null: one owner or co-owner decides within 24 hours.",
      ),
    lines: z.array(batchLineSchema),
  })
  .meta({ id: "TransferBatch", description: "Transfers that are decided together." });
export type TransferBatch = z.infer<typeof transferBatchSchema>;

/** What a member is about to decide about a batch: these lines as shown, without those. Untrusted. */
export const batchSubjectSchema = z.object({
  batchId: z.uuid(),
  decision: z.enum(["APPROVE", "DENY"]),
  /** What is approved, each with the digest of what was shown; empty for a denial. */
  lines: z.array(z.object({ transferId: z.uuid(), digest: z.string().max(4_000) })).max(MAXIMUM_BATCH_LINES),
  /** What is struck out; of a denial, none. */
  struckIds: z.array(z.uuid()).max(MAXIMUM_BATCH_LINES),
  /** What the money of these lines together comes to, as shown (`moneyDigest`). */
  money: z.string().max(8_000),
  /** Who must sign by which rules of the policy, as shown (`asksDigest`); empty: one decider decides. */
  asks: z.string().max(4_000).default(""),
  /** For the program whose lines are denied; null: none. */
  reason: denialGivenSchema.nullable(),
});
export type BatchSubject = z.infer<typeof batchSubjectSchema>;

export const decideBatchInputSchema = batchSubjectSchema.extend({
  /** For members only. */
  note: z.string().max(1_000).nullable(),
  confirmation: confirmationSchema,
});
export type DecideBatchInput = z.infer<typeof decideBatchInputSchema>;
