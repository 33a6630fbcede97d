import { z } from "zod";
import { proposalDecisionSchema } from "@/lib/contract/approvals/denial";
import { proposalCheckSchema } from "@/lib/contract/approvals/proposal-check";
import { APPROVALS_DESCRIPTION, approvalsSchema } from "@/lib/contract/approvals/signatures";
import { onceReadable } from "@/lib/contract/input/across-fields";
import { MAXIMUM_REASON_FOR_APPROVAL_LENGTH } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";
import type { SkipReason } from "@/lib/contract/rules/plan";
import { ruleCents, ruleVersionNumber } from "@/lib/contract/rules/trigger";
import { accountReferenceSchema, executionModeSchema } from "@/lib/contract/transfer";

/** Specification, Part 3, "Rule execution status". */
export const ruleExecutionStatusSchema = z
  .enum(["IN_PROGRESS", "EXECUTED", "PARTIAL", "FAILED", "APPROVAL_PENDING", "APPROVAL_DENIED"])
  .meta({
    id: "RuleExecutionStatus",
    description:
      "`IN_PROGRESS`: running, waiting to retry, or its transfers have not settled. `EXECUTED`: all its transfers completed. `PARTIAL`: some did. `FAILED`: it stopped early or all failed; it may still have completed transfers. `APPROVAL_PENDING`: waits for an owner or co-owner. `APPROVAL_DENIED`: denied, withdrawn, or nobody decided within 24 hours.",
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
  .meta({ id: "TriggerDetails", description: "What started the run." });

/** The base of a dry run (specification, Part 4, "Trigger rules" 2). */
export const dryRunBaseSchema = z
  .strictObject({
    kind: z
      .enum(["REAL_BALANCE", "EXECUTE_AMOUNT", "SIMULATED_SOURCE_BALANCE"])
      .describe("What was used as the balance of the trigger's account, before adding incoming funds."),
    accountId: z.uuid().describe("The trigger's account."),
    availableInCents: amount.describe(
      "The balance of that account assumed by the dry run, incoming funds included. Null: unknown, or the key may not read the account.",
    ),
    simulatedIncomingFundsInCents: amount.describe("The funds that were added; null if none were given."),
    incomingAmountInCents: amount.describe(
      "What was used as the incoming amount: `executeAmount`; otherwise, for a rule that acts on arrivals, `simulatedIncomingFunds`; otherwise the assumed balance of the account. Null like `availableInCents`.",
    ),
    setsOff: z
      .boolean()
      .nullable()
      .describe(
        "Whether an arrival of `simulatedIncomingFunds` reaches the trigger's minimum; null if no arrival was simulated. The dry run runs either way.",
      ),
  })
  .meta({ id: "DryRunBase", description: "The base of a dry run." });
export type DryRunBase = z.infer<typeof dryRunBaseSchema>;

/** How the same run would start live at the moment of its dry run. */
export const liveOutlookSchema = z
  .strictObject({
    outcome: z
      .enum(["STARTS", "WAITS_FOR_APPROVAL", "REFUSED"])
      .describe(
        "`STARTS`: it runs without a person. `WAITS_FOR_APPROVAL`: an owner or co-owner decides first. `REFUSED`: it does not start.",
      ),
    errorCode: z
      .string()
      .nullable()
      .describe(
        "`RULE_DEACTIVATED` (not active, or paused), `RULE_VERSION_CONFLICT` (another version is active), `GATES_CLOSED`, `RATE_LIMIT_EXCEEDED` (too many waiting proposals) or `ABOVE_DAILY_CAP`; null if it starts, or waits only because the key's permission asks for approval.",
      ),
    errorMessage: z.string().nullable().describe("The same in words; null if it starts."),
  })
  .meta({ id: "LiveOutlook", description: "How the same run would start live." });
export type LiveOutlook = z.infer<typeof liveOutlookSchema>;

const live = liveOutlookSchema
  .nullable()
  .describe(
    "For a dry run: how the same run would start live as things were at that moment; null for a live one.",
  );

const summaryShape = {
  id: z.uuid(),
  ruleId: z.uuid(),
  status: ruleExecutionStatusSchema,
  executionMode: executionModeSchema,
  createdAt: z.iso.datetime(),
  reasonForApproval: z.string().nullable().describe("The caller's reason, shown to the approver."),
  approvalUrl: z
    .url()
    .nullable()
    .describe("Where a person decides, while it is `APPROVAL_PENDING`; null otherwise."),
  decision: proposalDecisionSchema
    .nullable()
    .describe("What became of its proposal; null while it waits, and if it never waited."),
};

/** Specification, Part 2, "Rule execution summary". */
export const ruleExecutionSummarySchema = z.strictObject(summaryShape).meta({ id: "RuleExecutionSummary" });
export type RuleExecutionSummary = z.infer<typeof ruleExecutionSummarySchema>;

/** A run in the list of the runs of all rules. */
export const ruleExecutionLineSchema = z
  .strictObject({
    ...summaryShape,
    ruleName: z.string(),
    transfersAttempted: z.int().min(0),
    reason: z
      .string()
      .nullable()
      .describe(
        "Why it failed, that its conditions were not met, or what it skipped and why; null otherwise.",
      ),
  })
  .meta({ id: "RuleExecutionLine" });
export type RuleExecutionLine = z.infer<typeof ruleExecutionLineSchema>;

/** Specification, Part 2, "Rule execution (single read)". */
export const ruleExecutionSchema = z
  .strictObject({
    ...summaryShape,
    approvals: approvalsSchema.nullable().describe(APPROVALS_DESCRIPTION),
    ruleVersion: z.int().min(1).describe("The version that ran."),
    base: dryRunBaseSchema
      .nullable()
      .describe("For a dry run; null for a live one, which uses the real balance."),
    live,
    triggerDetails: triggerDetailsSchema,
    stepIndexMatched: z.int().min(0).nullable().describe("The first step whose conditions were met, from 0."),
    conditionsNotMet: z.boolean().describe("Whether the conditions of no step were met."),
    transfersAttempted: z
      .int()
      .min(0)
      .describe("Transfers computed for the matched step, including those skipped as too small."),
    transfersCompleted: z.int().min(0),
    transfersFailed: z.int().min(0),
    transfersPending: z.int().min(0),
    transferIds: z.array(z.uuid()).describe("The transfers that it made."),
    errorMessage: z.string().nullable().describe("Why it failed, in words."),
    nextAttemptAt: z.iso.datetime().nullable().describe("When it is retried after an error."),
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
    .union([ruleVersionNumber, z.literal("latest")], "must be the number of a version, or latest")
    .optional()
    .describe(
      "Dry runs only: the version to try, e.g. the one that you have just written. Default: the active one, otherwise the latest.",
    ),
  executeAmount: ruleCents(0)
    .optional()
    .describe(
      "The incoming amount in cents; in a dry run also the source's balance. Amounts are derived from it, live and simulated. To ask what happens when money arrives, use `simulatedIncomingFunds`.",
    ),
  simulatedSourceBalance: ruleCents(0)
    .optional()
    .describe("Dry runs only: replaces the source's balance. A live run ignores it."),
  simulatedIncomingFunds: ruleCents(0)
    .optional()
    .describe(
      "Dry runs only: added to the source's balance, like a deposit that has not settled. A live run ignores it. For a rule that acts on arrivals it is also the incoming amount: what happens if this much arrives.",
    ),
  reasonForApproval: plainText(MAXIMUM_REASON_FOR_APPROVAL_LENGTH)
    .optional()
    .describe("Shown word for word to the approver, and returned."),
};

const triggerRuleBodySchema = z.strictObject(triggerRuleBodyShape);
export type TriggerRuleBody = z.infer<typeof triggerRuleBodySchema>;

/** A live run uses the version that a person activated, so naming another is a mistake and must not be ignored. */
export const isVersionOfDryRun = ({ simulation, version }: TriggerRuleBody): boolean =>
  version === undefined || simulation === true;
export const VERSION_PROBLEM = {
  path: ["version"],
  message: "is only for dry runs, with simulation: true; a live run uses the active version",
  when: onceReadable("simulation", "version"),
};

/** Not beside the plan itself: its description is not for scripts of the editor. */
const skipReasonSchema = z
  .enum(["TOO_SMALL", "LIMIT_USED_UP", "FULL", "NOTHING_DUE", "NOTHING_THERE", "NOTHING_ASKED"])
  .meta({
    id: "SkipReason",
    description:
      "`TOO_SMALL`: below the minimum transfer. `LIMIT_USED_UP`: its limit leaves nothing. `FULL`: the target is reached. `NOTHING_DUE`: nothing is owed, or it is paid. `NOTHING_THERE`: its source has nothing, or nothing above its floor. `NOTHING_ASKED`: a share of nothing, or a budget that is used up.",
  }) satisfies z.ZodType<SkipReason>;

/** One transfer that a dry run worked out. */
const plannedTransferSchema = z
  .strictObject({
    source: accountReferenceSchema,
    destination: accountReferenceSchema,
    amountInCents: z
      .int()
      .min(0)
      .describe("What would move; with an `errorCode`, what would have; below $1.00 if it was skipped."),
    skippedBecause: skipReasonSchema.nullable().describe("Null: it was not skipped."),
    errorCode: z.string().nullable().describe("Why it would fail and end the run; null if it would not."),
  })
  .meta({ id: "PlannedTransfer", description: "A transfer that a dry run worked out." });

/** What a trigger answers (docs/behavior/rules.md). */
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
        "The version that a dry run used. Null: a live run uses the version that is active when it begins.",
      ),
    base: dryRunBaseSchema.nullable().describe("For a dry run; null for a live one."),
    live,
    conditionsNotMet: z
      .boolean()
      .nullable()
      .describe("For a dry run: whether the conditions of no step were met; null for a live one."),
    transfers: z
      .array(plannedTransferSchema)
      .nullable()
      .describe(
        "For a dry run: its transfers in order, skipped ones included, up to the first that fails. Null for a live one, and for a caller who may not read every account that the amounts depend on.",
      ),
    checks: z
      .array(proposalCheckSchema)
      .nullable()
      .describe(
        "For a dry run: what its approver would read if it waited now. Null for a live one, and for a caller who may not read every account of the rule.",
      ),
  })
  .meta({ id: "TriggeredExecution" });
export type TriggeredExecution = z.infer<typeof triggeredExecutionSchema>;
