import { z } from "zod";
import { MAXIMUM_BODY_BYTES, MAXIMUM_CALLED_REASON_LENGTH } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";
import { ruleActionSchema } from "@/lib/contract/rules/action";
import { ruleAccountId } from "@/lib/contract/rules/trigger";

/**
 * A rule in the editor: every part has its place before it has its value, so that a draft can be saved at any moment.
 * `toDefinition` makes a rule of it, or names what is missing.
 */

export const MAXIMUM_NEW_RULE_DRAFTS = 20;
/** As JSON; the column's own bound is higher. */
export const MAXIMUM_DRAFT_LENGTH = 180_000;
/** Of a definition as JSON; the API accepts as much. */
export const MAXIMUM_DEFINITION_LENGTH = MAXIMUM_BODY_BYTES;
/** The same as in the schema of rules. */
export const MAXIMUM_STEPS = 20;
export const MAXIMUM_ACTIONS = 50;
export const MAXIMUM_CONDITIONS = 20;
export const MAXIMUM_CONDITION_DEPTH = 3;
export const MAXIMUM_LIMITS = 20;
export const MAXIMUM_GROUP = 49;
export const MAXIMUM_DEBTS = 20;

/** Identifies parts of one draft while they are moved; meaningless elsewhere. */
const key = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const account = ruleAccountId.nullable();
const cents = z.int().nullable();

export const ACCOUNT_FACTS = [
  "BALANCE",
  "AVAILABLE_BALANCE",
  "NEXT_PAYMENT_MINIMUM",
  "LAST_STATEMENT_BALANCE",
] as const;
export const RUN_FACTS = ["INCOMING_AMOUNT", "DAY_OF_MONTH", "DAY_OF_WEEK"] as const;
const otherFact = z.enum([...ACCOUNT_FACTS, ...RUN_FACTS]);
const fact = z.enum([...ACCOUNT_FACTS, ...RUN_FACTS, "DATE"]);

const comparisonDraftSchema = z.strictObject({
  key,
  kind: z.literal("COMPARISON"),
  fact,
  /** For facts of accounts only. */
  accountId: account,
  operator: z.enum([
    "EQUAL",
    "NOT_EQUAL",
    "GREATER_THAN",
    "GREATER_THAN_OR_EQUAL",
    "LESS_THAN",
    "LESS_THAN_OR_EQUAL",
  ]),
  against: z.enum(["VALUE", "FACT"]),
  /** Cents, or a day. */
  value: cents,
  /** For `DATE` only. */
  date: z.string().max(10).nullable(),
  otherFact,
  otherAccountId: account,
});
export type ComparisonDraft = z.infer<typeof comparisonDraftSchema>;

const groupOf = <Member extends z.ZodType>(member: Member) =>
  z.strictObject({
    key,
    kind: z.literal("GROUP"),
    match: z.enum(["ALL", "ANY"]),
    members: z.array(member).max(MAXIMUM_CONDITIONS),
  });
// Written out level by level: a recursive schema would follow hostile nesting until the stack overflows.
const thirdLevel = groupOf(comparisonDraftSchema);
const secondLevel = groupOf(z.union([comparisonDraftSchema, thirdLevel]));
const firstLevel = groupOf(z.union([comparisonDraftSchema, secondLevel]));

export interface GroupDraft {
  key: number;
  kind: "GROUP";
  match: "ALL" | "ANY";
  members: ConditionDraft[];
}
export type ConditionDraft = ComparisonDraft | GroupDraft;

export const ACTION_TYPES = ruleActionSchema.options.map((option) => option.shape.type.value);
export type ActionType = (typeof ACTION_TYPES)[number];

const actionDraftSchema = z.strictObject({
  key,
  type: z.enum(ACTION_TYPES),
  sourceAccountId: account,
  /** One, except for a budget over several debts. */
  destinationAccountIds: z.array(ruleAccountId).max(MAXIMUM_DEBTS),
  amountInCents: cents,
  percentage: z.number().min(0).max(1_000).nullable(),
  of: z.enum(["INCOMING_AMOUNT", "SOURCE_BALANCE"]),
  keepInCents: cents,
  group: z.int().min(0).max(MAXIMUM_GROUP),
  upTo: z.boolean(),
  limitId: z.string().max(40).nullable(),
  /** The ACH label. */
  description: z.string().max(40).nullable(),
});
export type ActionDraft = z.infer<typeof actionDraftSchema>;

const stepDraftSchema = z.strictObject({
  key,
  conditions: firstLevel.nullable(),
  actions: z.array(actionDraftSchema).max(MAXIMUM_ACTIONS),
});
export interface StepDraft {
  key: number;
  conditions: GroupDraft | null;
  actions: ActionDraft[];
}

const limitDraftSchema = z.strictObject({
  id: z.string().max(40),
  period: z.enum(["TRANSFER", "DAY", "WEEK", "MONTH", "YEAR"]),
  amountInCents: cents,
});
export type LimitDraft = z.infer<typeof limitDraftSchema>;

/** Of a start in a draft. */
export const MAXIMUM_INSTANT_LENGTH = 40;

const scheduleDraftSchema = z.strictObject({
  frequency: z.enum(["ONE_TIME", "DAILY", "WEEKLY", "EVERY_OTHER_WEEK", "TWICE_A_MONTH", "MONTHLY", "CRON"]),
  startAt: z.string().max(MAXIMUM_INSTANT_LENGTH).nullable(),
  dayOfWeek: z.int().min(1).max(7),
  daysOfMonth: z.array(z.int().min(-1).max(31)).max(2),
  time: z.string().max(8),
  cron: z.string().max(100),
  timeZone: z.string().max(64),
  onNonBankingDay: z.enum(["SAME_DAY", "NEXT_BANKING_DAY", "PREVIOUS_BANKING_DAY"]),
});
export type ScheduleDraft = z.infer<typeof scheduleDraftSchema>;

const triggerDraftSchema = z.strictObject({
  type: z.enum(["MANUAL", "SCHEDULED", "ON_FUNDS_TRANSFERRED"]),
  accountId: account,
  minimumAmountInCents: cents,
  schedule: scheduleDraftSchema,
});
export type TriggerDraft = z.infer<typeof triggerDraftSchema>;

const draftSchema = z.strictObject({
  name: z.string().max(200),
  description: z.string().max(1_000),
  trigger: triggerDraftSchema,
  steps: z.array(stepDraftSchema).min(1).max(MAXIMUM_STEPS),
  limits: z.array(limitDraftSchema).max(MAXIMUM_LIMITS),
  /** Why this version was made, for later readers of the versions. */
  reason: z.string().max(1_000),
});

/** What is stored of an edit: the draft, and JSON that was typed and is not a rule (yet); null without any. */
export const ruleWorkSchema = z.strictObject({
  draft: draftSchema,
  jsonText: z.string().max(100_000).nullable(),
});
export type RuleDraft = Omit<z.infer<typeof draftSchema>, "steps"> & { steps: StepDraft[] };
export interface RuleWork {
  draft: RuleDraft;
  jsonText: string | null;
}

/** A member's note on a version. */
export const versionReasonSchema = plainText(MAXIMUM_CALLED_REASON_LENGTH);
