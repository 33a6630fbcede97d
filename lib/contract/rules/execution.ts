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

/** What a dry run was worked out from (specification, Part 4, "Trigger rules" 2). */
export const dryRunBaseSchema = z
  .strictObject({
    kind: z
      .enum(["REAL_BALANCE", "EXECUTE_AMOUNT", "SIMULATED_SOURCE_BALANCE"])
      .describe("What stood for the balance of the trigger's account, before funds that arrive were added."),
    accountId: z.uuid().describe("The trigger's account."),
    availableInCents: amount.describe(
      "What the dry run took that account to have, funds that arrive included. Null: not known, or the key may not read the account.",
    ),
    simulatedIncomingFundsInCents: amount.describe("What was added; null where nothing was given."),
    incomingAmountInCents: amount.describe(
      "What stood for the amount that sets the rule off: `executeAmount`; else, of a rule that acts on arrivals, `simulatedIncomingFunds`; else what the account was taken to have. Null as `availableInCents` is.",
    ),
    setsOff: z
      .boolean()
      .nullable()
      .describe(
        "Whether an arrival of `simulatedIncomingFunds` reaches the trigger's minimum; null where no arrival was tried. Dry runs run either way.",
      ),
  })
  .meta({ id: "DryRunBase", description: "What a dry run was worked out from." });
export type DryRunBase = z.infer<typeof dryRunBaseSchema>;

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
    ruleVersion: z.int().min(1).describe("The version that ran."),
    base: dryRunBaseSchema
      .nullable()
      .describe("Of a dry run; null of a live one, which works from the real balance."),
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
  version: z
    .union([z.int().min(1), z.literal("latest")], "must be the number of a version, or latest")
    .optional()
    .describe(
      "Dry runs only: the version to try, e.g. the one that you have just written. Without it the active one, else the latest.",
    ),
  executeAmount: ruleCents(0)
    .optional()
    .describe(
      "The incoming amount in cents that amounts are derived from, live and simulated. In a dry run it also replaces the source's balance; to ask what happens when money arrives, use `simulatedIncomingFunds`.",
    ),
  simulatedSourceBalance: ruleCents(0).optional().describe("Dry runs only: stands for the source's balance."),
  simulatedIncomingFunds: ruleCents(0)
    .optional()
    .describe(
      "Dry runs only: added to the source's balance, as a deposit that has not settled. Of a rule that acts on arrivals it is the incoming amount too: what happens if this much arrives.",
    ),
  reasonForApproval: plainText(MAXIMUM_REASON_FOR_APPROVAL_LENGTH)
    .optional()
    .describe("Shown word for word to whoever decides, and returned."),
};

const triggerRuleBodySchema = z.strictObject(triggerRuleBodyShape);
export type TriggerRuleBody = z.infer<typeof triggerRuleBodySchema>;

/** A live run takes the version that a person activated, so naming another is a mistake and not to be passed over. */
export const isVersionOfDryRun = ({ simulation, version }: TriggerRuleBody): boolean =>
  version === undefined || simulation === true;
export const VERSION_PROBLEM = {
  path: ["version"],
  message: "is for dry runs alone, with simulation: true; a live run takes the version that is active",
};

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
    ruleVersion: z
      .int()
      .min(1)
      .nullable()
      .describe(
        "The version that a dry run tried. Null: a live run takes the version that is active when it begins.",
      ),
    base: dryRunBaseSchema.nullable().describe("Of a dry run; null of a live one."),
  })
  .meta({ id: "TriggeredExecution" });
export type TriggeredExecution = z.infer<typeof triggeredExecutionSchema>;
