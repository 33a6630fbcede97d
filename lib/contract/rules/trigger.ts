import { z } from "zod";
import { onceReadable } from "@/lib/contract/input/across-fields";
import { centsBetween } from "@/lib/contract/input/cents";
import { anyInstantText, instantText } from "@/lib/contract/input/instants";
import {
  MAXIMUM_CHAIN_DEPTH,
  MAXIMUM_RUNS_OF_A_CAUSE,
  MAXIMUM_TRANSFER_IN_CENTS,
} from "@/lib/contract/limits";
import { CronProblem, parseCron } from "@/lib/contract/rules/cron";

export const ruleAccountId = z.guid("must be the UUID of an account").toLowerCase();

const VERSION_WORDS = "must be the number of a version of this rule";

/** The number of a rule's version. Above the maximum the database has no number to compare it with. */
export const ruleVersionNumber = z.int(VERSION_WORDS).min(1, VERSION_WORDS).max(2_147_483_647, VERSION_WORDS);

/** An amount in a rule: to move, compare or keep. */
export const ruleCents = (minimum: number) => centsBetween(minimum, MAXIMUM_TRANSFER_IN_CENTS);

const frequencySchema = z.enum([
  "ONE_TIME",
  "DAILY",
  "WEEKLY",
  "EVERY_OTHER_WEEK",
  "TWICE_A_MONTH",
  "MONTHLY",
  "CRON",
]);

const DAY_OF_WEEK_WORDS = "must be a number, 1 to 7; Monday is 1";
const DAY_OF_MONTH_WORDS = "must be 1 to 31, or -1 for the last day of the month";

const dayOfMonth = z
  .int(DAY_OF_MONTH_WORDS)
  .min(-1, DAY_OF_MONTH_WORDS)
  .max(31, DAY_OF_MONTH_WORDS)
  .refine((day) => day !== 0, { message: DAY_OF_MONTH_WORDS })
  .meta({ not: { const: 0 } });

/** Days of the month that each frequency needs. */
const DAYS_NAMED: Partial<Record<z.infer<typeof frequencySchema>, number>> = { TWICE_A_MONTH: 2, MONTHLY: 1 };

const absent = { type: "null" };
/** What `superRefine` below requires, for the OpenAPI document. */
const SCHEDULE_SHAPES = [
  shapeOf("RuleScheduleOfDays", ["ONE_TIME", "DAILY"], {}),
  shapeOf("RuleScheduleOfWeeks", ["WEEKLY", "EVERY_OTHER_WEEK"], { dayOfWeek: { type: "integer" } }),
  shapeOf("RuleScheduleTwiceAMonth", ["TWICE_A_MONTH"], {
    daysOfMonth: { type: "array", minItems: 2, uniqueItems: true },
  }),
  // The same day twice is one day.
  shapeOf("RuleScheduleOfMonths", ["MONTHLY"], {
    daysOfMonth: { type: "array", not: { minItems: 2, uniqueItems: true } },
  }),
  shapeOf("RuleScheduleOfCron", ["CRON"], { cron: { type: "string" } }),
];

/** The fields that these frequencies need, and may not have. */
function shapeOf(
  title: string,
  frequencies: z.infer<typeof frequencySchema>[],
  needed: Record<string, object>,
) {
  return {
    title,
    properties: {
      frequency: { enum: frequencies },
      dayOfWeek: absent,
      daysOfMonth: absent,
      cron: absent,
      ...needed,
    },
    ...(Object.keys(needed).length > 0 && { required: Object.keys(needed) }),
  };
}

const scheduleOf = (startAt: z.ZodType<string, string>) =>
  z
    .strictObject({
      frequency: frequencySchema.describe(
        "`ONE_TIME`: the first moment from `startAt` on at which clocks show `time`. `EVERY_OTHER_WEEK`: counted from the week of `startAt`.",
      ),
      startAt: startAt.describe("The first moment at which it may run: years 1970 to 9999 of UTC."),
      dayOfWeek: z
        .int(DAY_OF_WEEK_WORDS)
        .min(1, DAY_OF_WEEK_WORDS)
        .max(7, DAY_OF_WEEK_WORDS)
        .nullable()
        .default(null)
        .describe("1 (Monday) to 7: with `WEEKLY` and `EVERY_OTHER_WEEK`, and only there."),
      daysOfMonth: z
        .array(dayOfMonth)
        .min(1)
        .max(2)
        .nullable()
        .default(null)
        .describe(
          "1 to 31, or -1 for the last day: one with `MONTHLY`, two different ones with `TWICE_A_MONTH`, and only there. In a month without that day, its last day.",
        ),
      time: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, HH:MM")
        .default("09:00")
        .describe("Local time in `timeZone`, HH:MM. `CRON` has its own instead."),
      cron: z
        .string()
        .max(100, "must be at most 100 characters")
        // `parseCron` says what is wrong with an expression; the pattern is for readers of the schema.
        .meta({ pattern: "^[0-9A-Za-z*,/-]+( [0-9A-Za-z*,/-]+){4}$" })
        .nullable()
        .default(null)
        .describe(
          "Minute, hour, day of month, month, day of week, as crontab(5) has them, names like `MON-FRI` and `JAN` included: with `CRON`, and only there.",
        ),
      timeZone: z
        .string()
        .max(64)
        .refine(isTimeZone, { message: "must be an IANA time zone" })
        .describe(
          "The IANA name of an area, e.g. `America/New_York`, or `UTC`. `EST` and the like are refused: they have no daylight saving time.",
        ),
      onNonBankingDay: z
        .enum(["SAME_DAY", "NEXT_BANKING_DAY", "PREVIOUS_BANKING_DAY"])
        .default("SAME_DAY")
        .describe("What to do on days when banks are closed."),
    })
    .superRefine(
      (schedule, issues) => {
        const require = (field: "dayOfWeek" | "daysOfMonth" | "cron", isWanted: boolean) => {
          if ((schedule[field] !== null) === isWanted) return;
          const message = `${isWanted ? "is required" : "must be left out"} with ${schedule.frequency}`;
          issues.addIssue({ code: "custom", path: [field], message });
        };
        require("dayOfWeek", schedule.frequency === "WEEKLY" || schedule.frequency === "EVERY_OTHER_WEEK");
        const daysNamed = DAYS_NAMED[schedule.frequency] ?? null;
        require("daysOfMonth", daysNamed !== null);
        require("cron", schedule.frequency === "CRON");
        if (daysNamed !== null && new Set(schedule.daysOfMonth ?? []).size !== daysNamed) {
          const message = `must name ${daysNamed} different ${daysNamed === 1 ? "day" : "days"} with ${schedule.frequency}`;
          issues.addIssue({ code: "custom", path: ["daysOfMonth"], message });
        }
        const message = schedule.cron === null ? null : cronProblem(schedule.cron);
        if (message !== null) issues.addIssue({ code: "custom", path: ["cron"], message });
      },
      { when: onceReadable("frequency", "dayOfWeek", "daysOfMonth", "cron") },
    )
    .meta({ id: "RuleSchedule", anyOf: SCHEDULE_SHAPES });

/** When a `SCHEDULED` rule runs; `lib/engine/schedule` computes the moments. */
export const ruleScheduleSchema = scheduleOf(instantText);
export type RuleSchedule = z.output<typeof ruleScheduleSchema>;

/** A schedule that can never run would look active and do nothing. */
function cronProblem(expression: string): string | null {
  try {
    parseCron(expression);
    return null;
  } catch (error) {
    if (error instanceof CronProblem) return error.message;
    throw error;
  }
}

/** More names than zones: a zone may be written in any case. */
const MAXIMUM_ZONES = 1_000;
const knownZones = new Set<string>();

/** Asking Intl takes as long as reading the rest of a rule, and an organization's rules use one zone. */
function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  try {
    const isKnown =
      new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone.length > 0;
    if (isKnown && knownZones.size < MAXIMUM_ZONES) knownZones.add(name);
    return isKnown;
  } catch {
    // Intl reports it by throwing.
    return false;
  }
}

const triggerOf = (schedule: typeof ruleScheduleSchema) =>
  z
    .discriminatedUnion("type", [
      z
        .strictObject({ type: z.literal("MANUAL"), accountId: ruleAccountId })
        .describe("Only when someone runs it; every other rule can be run that way too."),
      z
        .strictObject({
          type: z.literal("SCHEDULED"),
          accountId: ruleAccountId,
          schedule,
        })
        .describe("At the times of its schedule."),
      z
        .strictObject({
          type: z.literal("ON_FUNDS_TRANSFERRED"),
          accountId: ruleAccountId,
          minimumAmountInCents: ruleCents(0)
            .nullable()
            .default(null)
            .describe("Smaller arrivals do not start it; null: all do."),
        })
        .describe(
          `When settled money arrives in the account. Only one active rule per account may have this. Rules may start each other, ${MAXIMUM_CHAIN_DEPTH} in a row and ${MAXIMUM_RUNS_OF_A_CAUSE} runs in all; the next run is FAILED and says so.`,
        ),
    ])
    .meta({
      id: "RuleTrigger",
      description: "When a rule runs. `accountId`: the account whose money it starts from.",
    });

/** When a rule runs (docs/behavior/rules.md). `accountId`: the account whose money it starts from. */
export const ruleTriggerSchema = triggerOf(ruleScheduleSchema);
/** The same as stored, with a `startAt` of any year. */
export const storedRuleTriggerSchema = triggerOf(scheduleOf(anyInstantText));
export type RuleTrigger = z.output<typeof ruleTriggerSchema>;
