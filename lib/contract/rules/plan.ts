import { z } from "zod";
import { ruleActionSchema } from "@/lib/contract/rules/action";

const cents = z.int();

/** What bounded an amount, and at how much. */
export const planCapSchema = z.discriminatedUnion("kind", [
  /** What the source can give: minus what this run took before, and its floor where that binds. */
  z.strictObject({ kind: z.literal("AVAILABLE"), atInCents: cents }),
  z.strictObject({ kind: z.literal("FLOOR"), atInCents: cents, floorInCents: cents }),
  z.strictObject({ kind: z.literal("LIMIT"), atInCents: cents, limitId: z.string() }),
  /** A debt takes no more than is owed. */
  z.strictObject({ kind: z.literal("OWED"), atInCents: cents }),
]);
export type PlanCap = z.infer<typeof planCapSchema>;

const PLANNED_FAILURES = [
  "INSUFFICIENT_FUNDS",
  "BELOW_FLOOR",
  "ACCOUNT_CLOSED",
  "ABOVE_OUTGOING_CAP",
] as const;

/** One transfer of a plan, with the arithmetic of its amount (docs/behavior/rules.md). */
export const plannedMoveSchema = z.strictObject({
  /** Index of the step's action, from 0; the transfers of a budget over several debts share one. */
  actionIndex: z.int(),
  type: z.enum(ruleActionSchema.options.map((option) => option.shape.type.value)),
  group: z.int(),
  sourceAccountId: z.string(),
  destinationAccountId: z.string(),
  description: z.string().nullable(),
  /**
   * The base of the amount: the amount shared, the balance read, what is owed, or what is left of the budget. For a
   * minimum or a statement, the provider's figure before subtracting transfers in progress.
   */
  baseInCents: cents.nullable(),
  /** Before any bound. */
  wantedInCents: cents,
  caps: z.array(planCapSchema),
  /** What moves; for a failed transfer, what would have moved. */
  amountInCents: cents,
  outcome: z.enum(["MOVE", "SKIPPED", "FAILED"]),
  /** Why it failed; null otherwise. A skipped transfer is below the minimum. */
  errorCode: z.enum(PLANNED_FAILURES).nullable(),
});
export type PlannedMove = z.infer<typeof plannedMoveSchema>;

/** Why a transfer of a plan was skipped. */
export type SkipReason =
  /** It asked for less than the minimum transfer. */
  | "TOO_SMALL"
  | "LIMIT_USED_UP"
  /** Its target is reached already. */
  | "FULL"
  /** Nothing is owed, or the due amount is paid. */
  | "NOTHING_DUE"
  /** Its source has nothing, or nothing above its floor. */
  | "NOTHING_THERE"
  /** A share of nothing, or a budget that is used up. */
  | "NOTHING_ASKED";

/** One comparison of a step's conditions; `leftValue` and `rightValue` are null if it was not evaluated. */
const comparisonTraceSchema = z.strictObject({
  /** Its place in the step's conditions, e.g. `0.1`: the second of the first group. */
  path: z.string(),
  outcome: z.enum(["HOLDS", "DOES_NOT_HOLD", "NOT_LOOKED_AT"]),
  leftValue: z.union([cents, z.string()]).nullable(),
  rightValue: z.union([cents, z.string()]).nullable(),
});
export type ComparisonTrace = z.infer<typeof comparisonTraceSchema>;

const stepTraceSchema = z.strictObject({
  outcome: z.enum(["RAN", "CONDITIONS_NOT_MET", "NOT_LOOKED_AT"]),
  comparisons: z.array(comparisonTraceSchema),
});
export type StepTrace = z.infer<typeof stepTraceSchema>;

/** What a run will do, with the arithmetic of each amount. */
export const rulePlanSchema = z.strictObject({
  /** Null: the conditions of no step were met. */
  stepIndexMatched: z.int().nullable(),
  steps: z.array(stepTraceSchema),
  /** In order of execution; ends with the first that fails. */
  moves: z.array(plannedMoveSchema),
  /** Actions after a failed one, which were not computed. */
  actionsNotReached: z.int(),
});
export type RulePlan = z.infer<typeof rulePlanSchema>;

/** A value that a plan needs and that is currently unknown. */
export const unknownFactSchema = z.strictObject({
  fact: z.enum([
    "BALANCE",
    "AVAILABLE_BALANCE",
    "NEXT_PAYMENT_MINIMUM",
    "LAST_STATEMENT_BALANCE",
    "INCOMING_AMOUNT",
  ]),
  /** Null for the incoming amount. */
  accountId: z.string().nullable(),
});
export type UnknownFact = z.infer<typeof unknownFactSchema>;
