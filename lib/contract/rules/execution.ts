import { z } from "zod";
import { MAXIMUM_REASON_FOR_APPROVAL_LENGTH } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";
import { ruleCents } from "@/lib/contract/rules/trigger";
import { executionModeSchema } from "@/lib/contract/transfer";

/** Specification, Part 3, "Rule execution status". */
export const ruleExecutionStatusSchema = z.enum([
  "IN_PROGRESS",
  "EXECUTED",
  "PARTIAL",
  "FAILED",
  "APPROVAL_PENDING",
  "APPROVAL_DENIED",
]);
export type RuleExecutionStatus = z.infer<typeof ruleExecutionStatusSchema>;

const amount = z.int().nullable();

/** Specification, Part 2, "TriggerDetails variants". */
export const triggerDetailsSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("MANUAL"), amountInCents: amount }),
  z.strictObject({ type: z.literal("SERVICE_API"), amountInCents: amount }),
  z.strictObject({ type: z.literal("SCHEDULED"), scheduledTime: z.iso.datetime().nullable() }),
  z.strictObject({ type: z.literal("ON_FUNDS_TRANSFERRED"), amountInCents: amount }),
  z.strictObject({ type: z.literal("REMOTE_API") }),
]);

const summaryShape = {
  id: z.uuid(),
  ruleId: z.string(),
  status: ruleExecutionStatusSchema,
  executionMode: executionModeSchema,
  createdAt: z.iso.datetime(),
  reasonForApproval: z.string().nullable(),
  approvalUrl: z.url().nullable(),
};

/** Specification, Part 2, "Rule execution summary". */
export const ruleExecutionSummarySchema = z.strictObject(summaryShape);
export type RuleExecutionSummary = z.infer<typeof ruleExecutionSummarySchema>;

/** Specification, Part 2, "Rule execution (single read)". */
export const ruleExecutionSchema = z.strictObject({
  ...summaryShape,
  triggerDetails: triggerDetailsSchema,
  stepIndexMatched: z.int().min(0).nullable(),
  conditionsNotMet: z.boolean(),
  transfersAttempted: z.int().min(0),
  transfersCompleted: z.int().min(0),
  transfersFailed: z.int().min(0),
  transfersPending: z.int().min(0),
  transferIds: z.array(z.string()),
  errorMessage: z.string().nullable(),
  nextAttemptAt: z.iso.datetime().nullable(),
});
export type RuleExecution = z.infer<typeof ruleExecutionSchema>;

/** Body of `POST /rules/{id}/trigger` (specification, Part 4, "Trigger body"). */
export const triggerRuleBodyShape = {
  simulation: z.boolean("must be true or false").optional(),
  executeAmount: ruleCents(0).optional(),
  simulatedSourceBalance: ruleCents(0).optional(),
  simulatedIncomingFunds: ruleCents(0).optional(),
  reasonForApproval: plainText(MAXIMUM_REASON_FOR_APPROVAL_LENGTH).optional(),
};

/** What a trigger answers (decisions page, "POST /rules/{id}/trigger"). */
export const triggeredExecutionSchema = z.strictObject({
  executionId: z.uuid(),
  ruleId: z.uuid(),
  status: ruleExecutionStatusSchema,
  executionMode: executionModeSchema,
  createdAt: z.iso.datetime(),
  reasonForApproval: z.string().nullable(),
  approvalUrl: z.url().nullable(),
});
