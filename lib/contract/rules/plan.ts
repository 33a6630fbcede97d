import { z } from "zod";
import { ruleActionSchema } from "@/lib/contract/rules/action";

const cents = z.int();

/** What bounded an amount, and at how much. */
export const planCapSchema = z.discriminatedUnion("kind", [
  /** What the source can give: less what this run took before, and its floor where that binds. */
  z.strictObject({ kind: z.literal("AVAILABLE"), atInCents: cents }),
  z.strictObject({ kind: z.literal("FLOOR"), atInCents: cents, floorInCents: cents }),
  z.strictObject({ kind: z.literal("LIMIT"), atInCents: cents, limitId: z.string() }),
  /** A debt takes no more than is owed. */
  z.strictObject({ kind: z.literal("OWED"), atInCents: cents }),
]);
export type PlanCap = z.infer<typeof planCapSchema>;

export const PLANNED_FAILURES = ["INSUFFICIENT_FUNDS", "BELOW_FLOOR", "ACCOUNT_CLOSED"] as const;

/** One transfer of a plan with the arithmetic of its amount (decisions page, "Trace"). */
export const plannedMoveSchema = z.strictObject({
  /** Of the step's actions, from 0; those of a budget over several debts share one. */
  actionIndex: z.int(),
  type: z.enum(ruleActionSchema.options.map((option) => option.shape.type.value)),
  group: z.int(),
  sourceAccountId: z.string(),
  destinationAccountId: z.string(),
  description: z.string().nullable(),
  /**
   * What the amount was worked out from: the shared amount, the balance that was looked at, what is owed, what the
   * budget has left; of a minimum or a statement what the provider says, before what is on its way was taken off.
   */
  baseInCents: cents.nullable(),
  /** Before anything bounded it. */
  wantedInCents: cents,
  caps: z.array(planCapSchema),
  /** What moves; of a failed one what would have. */
  amountInCents: cents,
  outcome: z.enum(["MOVE", "SKIPPED", "FAILED"]),
  /** Why it failed; null otherwise. One that is skipped is below the smallest transfer. */
  errorCode: z.enum(PLANNED_FAILURES).nullable(),
});
export type PlannedMove = z.infer<typeof plannedMoveSchema>;

/** Why a transfer of a plan was skipped. */
export type SkipReason =
  /** It asked for less than the smallest transfer. */
  | "TOO_SMALL"
  | "LIMIT_USED_UP"
  /** What it fills holds enough already. */
  | "FULL"
  /** Nothing is owed, or what is due is paid. */
  | "NOTHING_DUE"
  /** Its source has nothing, or nothing above its floor. */
  | "NOTHING_THERE"
  /** A share of nothing, a budget that is used up. */
  | "NOTHING_ASKED";

/** One comparison of a step's conditions; `leftValue` and `rightValue` are null where it was not looked at. */
const comparisonTraceSchema = z.strictObject({
  /** Where it stands in the step's conditions, e.g. `0.1`: the second of the first group. */
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

/** What a run is going to do, and how each amount came about. */
export const rulePlanSchema = z.strictObject({
  /** Null: no step's conditions held. */
  stepIndexMatched: z.int().nullable(),
  steps: z.array(stepTraceSchema),
  /** In the order in which they are carried out; it ends with the first that fails. */
  moves: z.array(plannedMoveSchema),
  /** Actions behind a failed one, which were not worked out. */
  actionsNotReached: z.int(),
});
export type RulePlan = z.infer<typeof rulePlanSchema>;

/** A value that a plan would need and that nobody knows at the moment. */
export const unknownFactSchema = z.strictObject({
  fact: z.enum([
    "BALANCE",
    "AVAILABLE_BALANCE",
    "NEXT_PAYMENT_MINIMUM",
    "LAST_STATEMENT_BALANCE",
    "INCOMING_AMOUNT",
  ]),
  /** Null of the incoming amount. */
  accountId: z.string().nullable(),
});
export type UnknownFact = z.infer<typeof unknownFactSchema>;
