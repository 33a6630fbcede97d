import { z } from "zod";
import { MAXIMUM_REASON_FOR_APPROVAL_LENGTH } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";
import { ruleCents } from "@/lib/contract/rules/trigger";
import { executionModeSchema } from "@/lib/contract/transfer";

/** Specification, Part 3, "Rule execution status". */
export const ruleExecutionStatusSchema = z
  .enum(["IN_PROGRESS", "EXECUTED", "PARTIAL", "FAILED", "APPROVAL_PENDING", "APPROVAL_DENIED"])
  .meta({
    id: "RuleExecutionStatus",
    description:
      "`IN_PROGRESS`: at work, waiting to try again, or its transfers are not settled. `EXECUTED`: all its transfers completed. `PARTIAL`: some did. `FAILED`: it broke off or all failed; it may still hold completed transfers. `APPROVAL_PENDING`: waits for an owner or co-owner. `APPROVAL_DENIED`: denied, or nobody decided within 24 hours.",
  });
export type RuleExecutionStatus = z.infer<typeof ruleExecutionStatusSchema>;

const amount = z.int().nullable();

/** Specification, Part 2, "TriggerDetails variants". */
export const triggerDetailsSchema = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("MANUAL"), amountInCents: amount }),
    z.strictObject({ type: z.literal("SERVICE_API"), amountInCents: amount }),
    z.strictObject({ type: z.literal("SCHEDULED"), scheduledTime: z.iso.datetime().nullable() }),
    z.strictObject({ type: z.literal("ON_FUNDS_TRANSFERRED"), amountInCents: amount }),
    z.strictObject({ type: z.literal("REMOTE_API") }),
  ])
  .meta({ id: "TriggerDetails", description: "What set the run off." });

const summaryShape = {
  id: z.uuid(),
  ruleId: z.string(),
  status: ruleExecutionStatusSchema,
  executionMode: executionModeSchema,
  createdAt: z.iso.datetime(),
  reasonForApproval: z.string().nullable().describe("What the caller told the approver."),
  approvalUrl: z
    .url()
    .nullable()
    .describe("Where it is decided, while it is `APPROVAL_PENDING`; null otherwise."),
};

/** Specification, Part 2, "Rule execution summary". */
export const ruleExecutionSummarySchema = z.strictObject(summaryShape).meta({ id: "RuleExecutionSummary" });
export type RuleExecutionSummary = z.infer<typeof ruleExecutionSummarySchema>;

/** Specification, Part 2, "Rule execution (single read)". */
export const ruleExecutionSchema = z
  .strictObject({
    ...summaryShape,
    triggerDetails: triggerDetailsSchema,
    stepIndexMatched: z.int().min(0).nullable().describe("The first step whose conditions held, from 0."),
    conditionsNotMet: z.boolean().describe("Whether no step's conditions held."),
    transfersAttempted: z
      .int()
      .min(0)
      .describe("Transfers calculated for the matched step, those skipped as too small included."),
    transfersCompleted: z.int().min(0),
    transfersFailed: z.int().min(0),
    transfersPending: z.int().min(0),
    transferIds: z.array(z.string()).describe("The transfers that it made."),
    errorMessage: z.string().nullable().describe("Why it failed, in words."),
    nextAttemptAt: z.iso.datetime().nullable().describe("When it is tried again after an error."),
  })
  .meta({ id: "RuleExecution" });
export type RuleExecution = z.infer<typeof ruleExecutionSchema>;

/** Body of `POST /rules/{id}/trigger` (specification, Part 4, "Trigger body"). */
export const triggerRuleBodyShape = {
  simulation: z
    .boolean("must be true or false")
    .optional()
    .describe("A dry run: it moves nothing and asks nobody."),
  executeAmount: ruleCents(0)
    .optional()
    .describe("The incoming amount in cents, from which amounts are worked out; live and simulated alike."),
  simulatedSourceBalance: ruleCents(0).optional().describe("Dry runs only: stands for the source's balance."),
  simulatedIncomingFunds: ruleCents(0)
    .optional()
    .describe("Dry runs only: added to the source's balance, as a deposit that has not settled."),
  reasonForApproval: plainText(MAXIMUM_REASON_FOR_APPROVAL_LENGTH)
    .optional()
    .describe("Shown word for word to whoever decides, and returned."),
};

const triggerRuleBodySchema = z.strictObject(triggerRuleBodyShape);
export type TriggerRuleBody = z.infer<typeof triggerRuleBodySchema>;

/** What a trigger answers (decisions page, "POST /rules/{id}/trigger"). */
export const triggeredExecutionSchema = z
  .strictObject({
    executionId: z.uuid(),
    ruleId: z.uuid(),
    status: ruleExecutionStatusSchema,
    executionMode: executionModeSchema,
    createdAt: z.iso.datetime(),
    reasonForApproval: z.string().nullable(),
    approvalUrl: z.url().nullable(),
  })
  .meta({ id: "TriggeredExecution" });
export type TriggeredExecution = z.infer<typeof triggeredExecutionSchema>;
