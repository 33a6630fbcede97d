import { z } from "zod";
import { MAXIMUM_DESCRIPTION_LENGTH, MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { ruleAccountId, ruleCents } from "@/lib/contract/rules/trigger";

export const ruleLimitId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/, "must be 1 to 40 letters, digits, hyphens or underscores")
  // Objects store nothing under this name, so the used amount of such a limit would be lost.
  .refine((id) => id !== "__proto__", { message: "must not be __proto__" })
  .meta({ not: { const: "__proto__" } });

/** As stored: in any step, because tiny shares such as 1e-20 were once accepted. */
const anyPercentage = z.number().gt(0, "must be above 0").max(100, "must be at most 100");

const DECIMALS = 4;

/** zod's own `multipleOf` compares with a tolerance, which lets `1e-20` through. */
const percentage = anyPercentage
  .refine((value) => Number(value.toFixed(DECIMALS)) === value, {
    message: "must have at most four decimals",
  })
  .meta({ multipleOf: 0.0001 });

const sharedShape = {
  sourceAccountId: ruleAccountId.describe("Where money comes from."),
  group: z.int().min(0).max(49).describe("Groups run in order; each sees what the previous one left."),
  upTo: z.boolean().default(false).describe("Moves what is available instead of failing."),
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
  destinationAccountId: ruleAccountId.describe("Where money goes: not the source."),
};
/** A budget over several debts. */
const debtsShape = {
  ...sharedShape,
  destinationAccountIds: z.array(ruleAccountId).min(1).max(20).describe("The debts, without the source."),
  amountInCents: ruleCents(MINIMUM_TRANSFER_IN_CENTS).describe("The budget for all of them together."),
};

/** The only action without an amount to move. */
function remainderWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "unrecognized_keys" || !issue.keys.includes("amountInCents")) return undefined;
  return "is not a field of REMAINDER, which moves everything except keepInCents";
}

/** @param share the share of `PERCENTAGE` and `PERCENTAGE_OF_LIABILITY` */
const actionOf = (share: typeof anyPercentage) =>
  z
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
          percentage: share,
          of: z
            .enum(["INCOMING_AMOUNT", "SOURCE_BALANCE"])
            .describe("The base of the share: the amount that started the run, or the source's balance."),
        })
        .describe("Moves a share. The shares of one group add up to at most 100; at 100 no cent is left."),
      z
        .strictObject({
          type: z.literal("TOP_UP"),
          ...oneShape,
          amountInCents: ruleCents(1).describe("The balance that the destination should reach."),
        })
        .describe("Moves what the destination lacks, or what is available if that is less."),
      z
        .strictObject({
          type: z.literal("ROUND_DOWN"),
          ...oneShape,
          amountInCents: ruleCents(1).describe("The source is left with a multiple of this."),
        })
        .describe("Moves what the source holds above a multiple of an amount."),
      z
        .strictObject(
          {
            type: z.literal("REMAINDER"),
            ...oneShape,
            keepInCents: ruleCents(0).default(0).describe("The amount that stays in the source."),
          },
          { error: remainderWords },
        )
        .describe("Moves everything the source has except `keepInCents`."),
      z
        .strictObject({ type: z.literal("NEXT_PAYMENT_MINIMUM"), ...oneShape })
        .describe(
          "Pays what is left of a debt's next minimum payment, the debt being the destination: once per due date.",
        ),
      z
        .strictObject({ type: z.literal("LAST_STATEMENT_BALANCE"), ...oneShape })
        .describe(
          "Pays what is left of a debt's last statement, minus what Sluice has paid since its date or has in progress. Never more than is owed.",
        ),
      z
        .strictObject({ type: z.literal("TOTAL_AMOUNT_DUE"), ...oneShape })
        .describe("Pays everything owed on a debt."),
      z
        .strictObject({ type: z.literal("PERCENTAGE_OF_LIABILITY"), ...oneShape, percentage: share })
        .describe("Pays a share of what is owed on a debt."),
      z
        .strictObject({ type: z.literal("SNOWBALL"), ...debtsShape })
        .describe("Spends a budget on several debts, the smallest first."),
      z
        .strictObject({ type: z.literal("AVALANCHE"), ...debtsShape })
        .describe("Spends a budget on several debts, the one with the highest interest rate first."),
    ])
    .meta({ id: "RuleAction", description: "What a step moves." });

/** What a step moves (docs/behavior/rules.md). */
export const ruleActionSchema = actionOf(percentage);
/** The same as stored: versions written before a bound keep running, and can be read and edited. */
export const storedRuleActionSchema = actionOf(anyPercentage);
export type RuleAction = z.infer<typeof ruleActionSchema>;
