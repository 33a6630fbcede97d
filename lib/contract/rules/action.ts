import { z } from "zod";
import { MAXIMUM_DESCRIPTION_LENGTH, MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { ruleAccountId, ruleCents } from "@/lib/contract/rules/trigger";

export const ruleLimitId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/, "must be 1 to 40 letters, digits, hyphens or underscores")
  // No object keeps anything under this name, so what such a limit has used would be forgotten.
  .refine((id) => id !== "__proto__", { message: "must not be __proto__" });

const percentage = z
  .number()
  .gt(0, "must be above 0")
  .max(100, "must be at most 100")
  .multipleOf(0.0001, "must have at most four decimals");

const sharedShape = {
  sourceAccountId: ruleAccountId.describe("The account that it takes money from."),
  group: z.int().min(0).max(49).describe("Groups run in order; what one leaves is what the next sees."),
  upTo: z
    .boolean()
    .default(false)
    .describe("Moves what is available where there is too little, instead of failing."),
  limitId: ruleLimitId.nullable().default(null).describe("One of the rule's `limits`."),
  description: z
    .string()
    .regex(
      new RegExp(`^[A-Za-z0-9 ]{1,${MAXIMUM_DESCRIPTION_LENGTH}}$`),
      `must be 1 to ${MAXIMUM_DESCRIPTION_LENGTH} letters, digits and spaces`,
    )
    .nullable()
    .default(null)
    .describe("The ACH label."),
};
const oneShape = {
  ...sharedShape,
  destinationAccountId: ruleAccountId.describe("The account that it moves money to."),
};
/** A budget over several debts. */
const debtsShape = {
  ...sharedShape,
  destinationAccountIds: z.array(ruleAccountId).min(1).max(20).describe("The debts."),
  amountInCents: ruleCents(MINIMUM_TRANSFER_IN_CENTS).describe("The budget for all of them together."),
};

/** Of all actions it is the one that takes no amount to move. */
function remainderWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "unrecognized_keys" || !issue.keys.includes("amountInCents")) return undefined;
  return "is not a field of REMAINDER, which moves all but what stays: use keepInCents";
}

/** What a step moves (decisions page, "Rule", "Actions"). */
export const ruleActionSchema = z
  .discriminatedUnion("type", [
    z
      .strictObject({
        type: z.literal("FIXED"),
        ...oneShape,
        amountInCents: ruleCents(MINIMUM_TRANSFER_IN_CENTS),
      })
      .describe("Moves `amountInCents`."),
    z
      .strictObject({
        type: z.literal("PERCENTAGE"),
        ...oneShape,
        percentage,
        of: z
          .enum(["INCOMING_AMOUNT", "SOURCE_BALANCE"])
          .describe("What it is a share of: the amount that set the run off, or what the source has."),
      })
      .describe("Moves a share. The shares of one group come to at most 100; at 100 no cent is left."),
    z
      .strictObject({
        type: z.literal("TOP_UP"),
        ...oneShape,
        amountInCents: ruleCents(1).describe("What the destination is to hold then."),
      })
      .describe("Moves what the destination lacks, or what is available if that is less."),
    z
      .strictObject({
        type: z.literal("ROUND_DOWN"),
        ...oneShape,
        amountInCents: ruleCents(1).describe("The source is left at a multiple of it."),
      })
      .describe("Moves what the source has above a multiple of an amount."),
    z
      .strictObject(
        {
          type: z.literal("REMAINDER"),
          ...oneShape,
          keepInCents: ruleCents(0).default(0).describe("What stays in the source."),
        },
        { error: remainderWords },
      )
      .describe("Moves all that the source has, but for `keepInCents`."),
    z
      .strictObject({ type: z.literal("NEXT_PAYMENT_MINIMUM"), ...oneShape })
      .describe(
        "Pays what is left of the next minimum payment of a debt, the destination: once per due date.",
      ),
    z
      .strictObject({ type: z.literal("LAST_STATEMENT_BALANCE"), ...oneShape })
      .describe(
        "Pays what is left of the last statement of a debt, after what Sluice has paid since its date or has on its way. Never more than is owed.",
      ),
    z
      .strictObject({ type: z.literal("TOTAL_AMOUNT_DUE"), ...oneShape })
      .describe("Pays everything that is owed on a debt."),
    z
      .strictObject({ type: z.literal("PERCENTAGE_OF_LIABILITY"), ...oneShape, percentage })
      .describe("Pays a share of what is owed on a debt."),
    z
      .strictObject({ type: z.literal("SNOWBALL"), ...debtsShape })
      .describe("Spends a budget on several debts, the smallest first."),
    z
      .strictObject({ type: z.literal("AVALANCHE"), ...debtsShape })
      .describe("Spends a budget on several debts, the one with the highest interest rate first."),
  ])
  .meta({ id: "RuleAction", description: "What a step moves." });
export type RuleAction = z.infer<typeof ruleActionSchema>;
