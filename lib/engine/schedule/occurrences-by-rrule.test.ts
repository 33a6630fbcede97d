/**
 * Compares schedules with rrule-temporal, which follows RFC 5545 and shares no code with ours, on random schedules in zones
 * with unusual clocks. No move to a banking day: RFC 5545 knows none. Where the two differ, as of 2.2.8:
 *
 * - A time that clocks skip: ours runs after the gap, theirs omits it, as RFC 5545 3.3.10 has it of generated times.
 * - A rule that begins in a gap keeps the moved time on all later days, the fault of its issue 136 in what is left of it.
 */
import fc from "fast-check";
import { RRuleTemporal } from "rrule-temporal";
import { expect, it } from "vitest";
import { ruleScheduleSchema } from "@/lib/contract/rules/trigger";
import { dateOf, describeDay } from "@/lib/engine/schedule/calendar-day";
import { occurrencesBetween } from "@/lib/engine/schedule/occurrences";
import { dayAt } from "@/lib/engine/schedule/wall-clock";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

const ZONES = [
  "UTC",
  "America/New_York",
  "Europe/Berlin",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
  "America/St_Johns",
];
const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const MAXIMUM = 400;

const given = fc.record({
  frequency: fc.constantFrom("DAILY", "WEEKLY", "EVERY_OTHER_WEEK", "MONTHLY", "TWICE_A_MONTH", "CRON"),
  dayOfWeek: fc.integer({ min: 1, max: 7 }),
  daysOfMonth: fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant(-1)), {
    minLength: 2,
    maxLength: 2,
  }),
  minutes: fc.oneof(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 60, max: 210 })),
  timeZone: fc.constantFrom(...ZONES),
  startDay: fc.integer({ min: 0, max: 1_500 }),
  days: fc.integer({ min: 1, max: 120 }),
});
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse("2023-01-01T00:00:00Z");

/** Gaps of these zones are on Sundays, and the Saturday before is in the same week. */
const SUNDAY = 7;

/** One rule for each day of the month that is named. */
function toRules({ frequency, dayOfWeek, daysOfMonth }: Given): string[] {
  const weekday = WEEKDAYS[dayOfWeek - 1];
  switch (frequency) {
    case "DAILY":
      return ["FREQ=DAILY"];
    case "WEEKLY":
      return [`FREQ=WEEKLY;BYDAY=${weekday}`];
    case "EVERY_OTHER_WEEK":
      return [`FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=${weekday}`];
    case "CRON":
      return [`FREQ=MONTHLY;BYMONTHDAY=${Math.abs(daysOfMonth[0] ?? 1)}`];
    case "MONTHLY":
      return daysOfMonth.slice(0, 1).map(toMonthly);
    default:
      return daysOfMonth.map(toMonthly);
  }
}

/** The last day in a month that lacks it. */
function toMonthly(day: number): string {
  if (day <= 28) return `FREQ=MONTHLY;BYMONTHDAY=${day}`;
  const days = Array.from({ length: day - 27 }, (_, index) => 28 + index);
  return `FREQ=MONTHLY;BYMONTHDAY=${days};BYSETPOS=-1`;
}

function ours(one: Given, startAt: Date, until: Date): string[] {
  const { frequency, dayOfWeek, daysOfMonth, minutes, timeZone } = one;
  const isWeekly = frequency === "WEEKLY" || frequency === "EVERY_OTHER_WEEK";
  const days = frequency === "TWICE_A_MONTH" ? daysOfMonth : daysOfMonth.slice(0, 1);
  const schedule = ruleScheduleSchema.parse({
    frequency,
    startAt: startAt.toISOString(),
    timeZone,
    ...(isWeekly && { dayOfWeek }),
    ...((frequency === "MONTHLY" || frequency === "TWICE_A_MONTH") && { daysOfMonth: days }),
    ...(frequency === "CRON"
      ? { cron: `${minutes % 60} ${Math.floor(minutes / 60)} ${Math.abs(days[0] ?? 1)} * *` }
      : { time: clockOf(minutes) }),
  });
  const before = new Date(startAt.getTime() - 1);
  return occurrencesBetween(schedule, before, until, MAXIMUM)
    .filter((moment) => clockAt(moment, timeZone) === clockOf(minutes))
    .map((moment) => moment.toISOString());
}

function theirs(one: Given, startAt: Date, until: Date): string[] {
  const startDay = dayAt(startAt.getTime(), one.timeZone);
  const beginsOn = describeDay(startDay).dayOfWeek === SUNDAY ? startDay - 1 : startDay;
  const moments = toRules(one).flatMap((rule) =>
    byRule(one.timeZone, dateOf(beginsOn), one.minutes, rule, startAt, until),
  );
  return [...new Set(moments)].sort();
}

function byRule(
  timeZone: string,
  date: string,
  minutes: number,
  rule: string,
  from: Date,
  until: Date,
): string[] {
  const begin = `${date}T${clockOf(minutes)}00`.replaceAll(/[-:]/g, "");
  return new RRuleTemporal({ rruleString: `DTSTART;TZID=${timeZone}:${begin}\nRRULE:${rule}` })
    .between(from, until, true)
    .map(({ epochMilliseconds }) => new Date(epochMilliseconds).toISOString());
}

function clockAt(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(moment);
}

function clockOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

it("random schedules run when RFC 5545 says", () => {
  fc.assert(
    fc.property(given, (one) => {
      const startAt = new Date(FIRST_MS + one.startDay * DAY_MS);
      const until = new Date(startAt.getTime() + one.days * DAY_MS);
      expect(ours(one, startAt, until)).toEqual(theirs(one, startAt, until));
    }),
    { numRuns: proofSize(100, 5_000), seed: proofSeed },
  );
});

it("the oracle omits times that clocks skip, and keeps the moved time of a rule that begins in a gap", () => {
  const spring = [new Date("2024-03-09T12:00:00Z"), new Date("2024-03-12T12:00:00Z")] as const;
  const daily = (date: string) => byRule("America/New_York", date, 150, "FREQ=DAILY", ...spring);
  expect(daily("2024-03-01")).toEqual(["2024-03-11T06:30:00.000Z", "2024-03-12T06:30:00.000Z"]);
  expect(daily("2024-03-10")).toEqual([
    "2024-03-10T07:30:00.000Z",
    "2024-03-11T07:30:00.000Z",
    "2024-03-12T07:30:00.000Z",
  ]);
});
