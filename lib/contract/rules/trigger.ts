import { z } from "zod";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { CronProblem, parseCron } from "@/lib/contract/rules/cron";

export const ruleAccountId = z.uuid("must be the UUID of an account").toLowerCase();

/** Cents of a rule: what it moves, compares or keeps. */
export const ruleCents = (minimum: number) =>
  z
    .int({ error: "must be a whole number of cents", abort: true })
    .min(minimum, `must be at least ${minimum} cents`)
    .max(MAXIMUM_TRANSFER_IN_CENTS, `must be at most ${MAXIMUM_TRANSFER_IN_CENTS} cents`);

const frequencySchema = z.enum([
  "ONE_TIME",
  "DAILY",
  "WEEKLY",
  "EVERY_OTHER_WEEK",
  "TWICE_A_MONTH",
  "MONTHLY",
  "CRON",
]);

const dayOfMonth = z
  .int()
  .min(-1)
  .max(31)
  .refine((day) => day !== 0, { message: "must be 1 to 31, or -1 for the last day of the month" });

/** How many days of the month each frequency names. */
const DAYS_NAMED: Partial<Record<z.infer<typeof frequencySchema>, number>> = { TWICE_A_MONTH: 2, MONTHLY: 1 };

/** When a `SCHEDULED` rule runs; `lib/engine/schedule` says at which moments, and how the fields are read. */
export const ruleScheduleSchema = z
  .strictObject({
    frequency: frequencySchema,
    /** The first moment at which it may run. */
    startAt: z.iso.datetime({ offset: true, error: "must be an ISO 8601 date-time with a zone" }),
    /** 1 (Monday) to 7; of the two weekly frequencies only. */
    dayOfWeek: z.int().min(1).max(7).nullable().default(null),
    daysOfMonth: z.array(dayOfMonth).min(1).max(2).nullable().default(null),
    /** Wall-clock time in `timeZone`. */
    time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, HH:MM")
      .default("09:00"),
    /** Minute, hour, day of month, month, day of week; of `CRON` only. */
    cron: z
      .string()
      .max(100)
      .regex(/^[\d*,/-]+( [\d*,/-]+){4}$/, "must be a cron expression of five fields")
      .nullable()
      .default(null),
    timeZone: z.string().max(64).refine(isTimeZone, { message: "must be an IANA time zone" }),
    onNonBankingDay: z.enum(["SAME_DAY", "NEXT_BANKING_DAY", "PREVIOUS_BANKING_DAY"]).default("SAME_DAY"),
  })
  .superRefine((schedule, issues) => {
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
  })
  .meta({ id: "RuleSchedule" });
export type RuleSchedule = z.output<typeof ruleScheduleSchema>;

/** A schedule that could never run would look active and do nothing. */
function cronProblem(expression: string): string | null {
  try {
    parseCron(expression);
    return null;
  } catch (error) {
    if (error instanceof CronProblem) return error.message;
    throw error;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    // Intl says so by throwing.
    return false;
  }
}

/** When a rule runs (decisions page, "Rule"). `accountId`: the account whose money it starts from. */
export const ruleTriggerSchema = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("MANUAL"), accountId: ruleAccountId }),
    z.strictObject({ type: z.literal("SCHEDULED"), accountId: ruleAccountId, schedule: ruleScheduleSchema }),
    z.strictObject({
      type: z.literal("ON_FUNDS_TRANSFERRED"),
      accountId: ruleAccountId,
      minimumAmountInCents: ruleCents(0).nullable().default(null),
    }),
  ])
  .meta({
    id: "RuleTrigger",
    description: "When a rule runs. `accountId`: the account whose money it starts from.",
  });
