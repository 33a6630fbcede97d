import { z } from "zod";
import { onceReadable } from "@/lib/contract/input/across-fields";
import { centsBetween } from "@/lib/contract/input/cents";
import { MAXIMUM_TRANSFER_IN_CENTS, MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";

/** Accounts or payees on one side of a mandate. */
export const MAXIMUM_MANDATE_ACCOUNTS = 20;
/** Transfers under one mandate; also where it names no number. */
export const MAXIMUM_MANDATE_USES = 1_000;
const MAXIMUM_MANDATE_DAYS = 731;
export const MAXIMUM_MANDATE_PURPOSE_LENGTH = 200;
/** In force or waiting for signatures, of one key. */
export const MAXIMUM_MANDATES_OF_KEY = 20;
const MAXIMUM_DAYS_APART = 366;

const accountIds = z
  .array(z.guid("must be the UUID of an account").toLowerCase())
  .min(1, "must name one")
  .max(MAXIMUM_MANDATE_ACCOUNTS)
  .refine((ids) => new Set(ids).size === ids.length, "must not repeat one");
const amount = centsBetween(MINIMUM_TRANSFER_IN_CENTS, MAXIMUM_TRANSFER_IN_CENTS);

/** A stretch of time in which a mandate counts. Days, weeks from Monday, and months are those of its time zone. */
export const mandatePeriodSchema = z.enum(["DAY", "WEEK", "MONTH"]);
export type MandatePeriod = z.infer<typeof mandatePeriodSchema>;

/**
 * What a mandate lets one key do without asking. Each part is a limit that is enforced, except the purpose. A day, a week,
 * a month and 30 days each have a budget of their own; null: none beyond the others.
 */
export const mandateTermsSchema = z
  .strictObject({
    sourceAccountIds: accountIds.describe("Where the money may come from: accounts that Sluice manages."),
    destinationAccountIds: accountIds.describe("Where it may go: accounts or payees."),
    minimumInCents: amount.nullable().default(null).describe("Of one transfer; null: none."),
    maximumInCents: amount.describe("Of one transfer."),
    dayInCents: amount.nullable().default(null).describe("In all within a calendar day."),
    weekInCents: amount.nullable().default(null).describe("In all within a week, from Monday."),
    monthInCents: amount.nullable().default(null).describe("In all within a calendar month."),
    thirtyDaysInCents: amount.nullable().default(null).describe("In all within any 30 days."),
    totalInCents: amount.nullable().default(null).describe("In all."),
    maximumUses: z
      .int()
      .min(1)
      .max(MAXIMUM_MANDATE_USES)
      .nullable()
      .default(null)
      .describe(`Transfers in all; null: ${MAXIMUM_MANDATE_USES}.`),
    recurrence: z
      .strictObject({
        period: mandatePeriodSchema,
        atMost: z.int().min(1).max(MAXIMUM_MANDATE_USES),
        daysApart: z.int().min(1).max(MAXIMUM_DAYS_APART).nullable().default(null),
      })
      .nullable()
      .default(null)
      .describe("At most so many in each period, at least so many calendar days apart."),
    from: z.iso.date().describe("The first day, in the organization's time zone."),
    until: z.iso.date().describe("The last day."),
    keepsInCents: z
      .int()
      .min(0)
      .max(MAXIMUM_TRANSFER_IN_CENTS)
      .nullable()
      .default(null)
      .describe(
        "The source must hold at least this much afterwards, beside its floor; null: only the floor counts.",
      ),
    purpose: plainText(MAXIMUM_MANDATE_PURPOSE_LENGTH)
      .nullable()
      .default(null)
      .describe("In the words of who asked. Not a limit."),
  })
  .refine(({ minimumInCents, maximumInCents }) => (minimumInCents ?? 0) <= maximumInCents, {
    path: ["minimumInCents"],
    message: "must not be more than maximumInCents",
    when: onceReadable("minimumInCents", "maximumInCents"),
  })
  .refine(({ from, until }) => from <= until, {
    path: ["until"],
    message: "must not be before from",
    when: onceReadable("from", "until"),
  })
  .refine(({ from, until }) => daysBetween(from, until) < MAXIMUM_MANDATE_DAYS, {
    path: ["until"],
    message: `must be within ${MAXIMUM_MANDATE_DAYS} days of from`,
    when: onceReadable("from", "until"),
  })
  .refine(
    ({ sourceAccountIds, destinationAccountIds }) =>
      !sourceAccountIds.some((id) => destinationAccountIds.includes(id)),
    {
      path: ["destinationAccountIds"],
      message: "must not name a source",
      when: onceReadable("sourceAccountIds", "destinationAccountIds"),
    },
  );
export type MandateTerms = z.output<typeof mandateTermsSchema>;

const DAY_MS = 86_400_000;
const daysBetween = (from: string, until: string) => (Date.parse(until) - Date.parse(from)) / DAY_MS;

/**
 * The first part that a transfer breaks, in this order. `SIGNATURES`: a newer policy is in force, or a signer no longer
 * decides, so it has to be signed again. `DESTINATION_CHANGED`: its bank account is another one than was signed for.
 */
export const mandateConstraintSchema = z
  .enum([
    "ROUTE",
    "NOT_YET",
    "OVER",
    "SIGNATURES",
    "DESTINATION_CHANGED",
    "BELOW_MINIMUM",
    "ABOVE_MAXIMUM",
    "USES",
    "RECURRENCE",
    "DAYS_APART",
    "DAY",
    "WEEK",
    "MONTH",
    "THIRTY_DAYS",
    "TOTAL",
    "BALANCE",
  ])
  .meta({
    id: "MandateConstraint",
    description: "Which part of a mandate a transfer breaks. More may be added.",
  });
export type MandateConstraint = z.infer<typeof mandateConstraintSchema>;

/** Why a transfer is not inside a mandate of its route, in cents, uses or days. */
export const brokenMandateSchema = z.object({
  mandateId: z.uuid(),
  constraint: mandateConstraintSchema,
  /** Null: it has no amount. */
  limit: z.int().nullish(),
  /** What this transfer would have made of it; of `BALANCE` what the source would hold. */
  reached: z.int().nullish(),
});
export type BrokenMandate = z.infer<typeof brokenMandateSchema>;

/** `WAITING`: for signatures. `ENDED`: by a person, or with its key. `DENIED`: declined or withdrawn before it was signed. */
export const mandateStateSchema = z.enum(["WAITING", "IN_FORCE", "ENDED", "DENIED"]);
export type MandateState = z.infer<typeof mandateStateSchema>;

/** What is left of one limit; null where it has none. */
const leftSchema = z.int().min(0).nullable();
export const mandateLeftSchema = z.strictObject({
  dayInCents: leftSchema,
  weekInCents: leftSchema,
  monthInCents: leftSchema,
  thirtyDaysInCents: leftSchema,
  totalInCents: leftSchema,
  uses: z.int().min(0),
  usesInPeriod: leftSchema,
});
export type MandateLeft = z.infer<typeof mandateLeftSchema>;
