import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBankingDay } from "@/lib/contract/banking-days";
import { type RuleSchedule, ruleScheduleSchema } from "@/lib/contract/rules/trigger";
import {
  latestOccurrences,
  nextOccurrence,
  occurrencesBetween,
  previousOccurrence,
  upcoming,
} from "@/lib/engine/schedule/occurrences";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

/** A schedule as in the API; omitted fields have the schema's defaults. */
function schedule(input: Record<string, unknown>): RuleSchedule {
  return ruleScheduleSchema.parse({
    startAt: "2020-01-01T00:00:00Z",
    timeZone: "America/New_York",
    ...input,
  });
}

interface Example {
  what: string;
  schedule: Record<string, unknown>;
  after: string;
  /** By hand, from a paper calendar and the rules of each zone. */
  expected: string[];
}

const examples: Example[] = [
  // ONE_TIME
  {
    what: "ONE_TIME: at its time on the day of startAt, and never again",
    schedule: { frequency: "ONE_TIME", startAt: "2026-03-16T00:00:00-04:00", time: "15:30" },
    after: "2026-01-01T00:00:00Z",
    expected: ["2026-03-16T19:30:00.000Z"],
  },
  {
    what: "ONE_TIME: the time of day has passed when it starts, so on the day after",
    schedule: { frequency: "ONE_TIME", startAt: "2026-03-16T16:00:00-04:00", time: "15:30" },
    after: "2026-01-01T00:00:00Z",
    expected: ["2026-03-17T19:30:00.000Z"],
  },
  {
    what: "ONE_TIME: a Saturday moves on to Monday",
    schedule: {
      frequency: "ONE_TIME",
      startAt: "2026-08-01T00:00:00-04:00",
      onNonBankingDay: "NEXT_BANKING_DAY",
    },
    after: "2026-01-01T00:00:00Z",
    expected: ["2026-08-03T13:00:00.000Z"],
  },
  {
    what: "ONE_TIME: a Saturday that would move to before its start runs on the first banking day from there",
    schedule: {
      frequency: "ONE_TIME",
      startAt: "2026-08-01T00:00:00-04:00",
      onNonBankingDay: "PREVIOUS_BANKING_DAY",
    },
    after: "2026-01-01T00:00:00Z",
    expected: ["2026-08-03T13:00:00.000Z"],
  },
  {
    what: "ONE_TIME: the day is that of its own zone (1 April in Auckland begins on 31 March in UTC)",
    schedule: {
      frequency: "ONE_TIME",
      startAt: "2026-03-31T12:00:00Z",
      timeZone: "Pacific/Auckland",
      time: "07:00",
    },
    after: "2026-01-01T00:00:00Z",
    expected: ["2026-03-31T18:00:00.000Z"],
  },
  // DAILY
  {
    what: "DAILY: a time that spring skips in New York runs the same minutes after the gap",
    schedule: { frequency: "DAILY", time: "02:30" },
    after: "2026-03-07T12:00:00Z",
    expected: ["2026-03-08T07:30:00.000Z", "2026-03-09T06:30:00.000Z"],
  },
  {
    what: "DAILY: a time that autumn repeats in New York runs once, the first",
    schedule: { frequency: "DAILY", time: "01:30" },
    after: "2026-10-31T12:00:00Z",
    expected: ["2026-11-01T05:30:00.000Z", "2026-11-02T06:30:00.000Z"],
  },
  {
    what: "DAILY: the same in Zurich, a gap and a repetition three weeks from New York's",
    schedule: { frequency: "DAILY", time: "02:15", timeZone: "Europe/Zurich" },
    after: "2026-03-28T12:00:00Z",
    expected: ["2026-03-29T01:15:00.000Z", "2026-03-30T00:15:00.000Z"],
  },
  {
    what: "DAILY: 02:15 comes twice in Zurich on 25 October",
    schedule: { frequency: "DAILY", time: "02:15", timeZone: "Europe/Zurich" },
    after: "2026-10-24T12:00:00Z",
    expected: ["2026-10-25T00:15:00.000Z", "2026-10-26T01:15:00.000Z"],
  },
  {
    what: "DAILY: a zone of half an hour, over the year's end",
    schedule: { frequency: "DAILY", time: "00:00", timeZone: "Asia/Kolkata" },
    after: "2026-12-30T18:30:00Z",
    expected: ["2026-12-31T18:30:00.000Z", "2027-01-01T18:30:00.000Z"],
  },
  {
    what: "DAILY: on banking days, once each (Thanksgiving is 26 November 2026)",
    schedule: { frequency: "DAILY", onNonBankingDay: "NEXT_BANKING_DAY" },
    after: "2026-11-25T14:00:00Z",
    expected: ["2026-11-27T14:00:00.000Z", "2026-11-30T14:00:00.000Z", "2026-12-01T14:00:00.000Z"],
  },
  {
    what: "DAILY: Nuuk's clocks go from 23:00 on Saturday to midnight: 23:30 is half past midnight on Sunday",
    schedule: { frequency: "DAILY", time: "23:30", timeZone: "America/Nuuk" },
    after: "2026-03-28T12:00:00Z",
    expected: ["2026-03-29T01:30:00.000Z", "2026-03-30T00:30:00.000Z"],
  },
  // WEEKLY
  {
    what: "WEEKLY: Saturdays at 23:30 in Nuuk, which the night of the change skips: half past midnight on Sunday",
    schedule: { frequency: "WEEKLY", dayOfWeek: 6, time: "23:30", timeZone: "America/Nuuk" },
    after: "2026-03-22T12:00:00Z",
    expected: ["2026-03-29T01:30:00.000Z", "2026-04-05T00:30:00.000Z"],
  },
  {
    what: "WEEKLY: Fridays at five, over the change of clocks",
    schedule: { frequency: "WEEKLY", dayOfWeek: 5, time: "17:00" },
    after: "2026-03-01T00:00:00Z",
    expected: ["2026-03-06T22:00:00.000Z", "2026-03-13T21:00:00.000Z"],
  },
  {
    what: "WEEKLY: Mondays, but Labor Day's runs on Tuesday",
    schedule: { frequency: "WEEKLY", dayOfWeek: 1, onNonBankingDay: "NEXT_BANKING_DAY" },
    after: "2026-08-31T14:00:00Z",
    expected: ["2026-09-08T13:00:00.000Z", "2026-09-14T13:00:00.000Z"],
  },
  {
    what: "WEEKLY: Sundays in Auckland, which are Saturdays in UTC; its clocks go back on 5 April",
    schedule: { frequency: "WEEKLY", dayOfWeek: 7, time: "08:00", timeZone: "Pacific/Auckland" },
    after: "2026-03-28T12:00:00Z",
    expected: ["2026-03-28T19:00:00.000Z", "2026-04-04T20:00:00.000Z"],
  },
  {
    what: "WEEKLY: Fridays before a long weekend stay; 3 July 2026 is open, for the 4th is a Saturday",
    schedule: { frequency: "WEEKLY", dayOfWeek: 5, onNonBankingDay: "PREVIOUS_BANKING_DAY" },
    after: "2026-06-27T00:00:00Z",
    expected: ["2026-07-03T13:00:00.000Z", "2026-07-10T13:00:00.000Z"],
  },
  // EVERY_OTHER_WEEK
  {
    what: "EVERY_OTHER_WEEK: counts from the week that it starts in",
    schedule: { frequency: "EVERY_OTHER_WEEK", dayOfWeek: 5, startAt: "2026-01-07T00:00:00-05:00" },
    after: "2026-01-01T00:00:00Z",
    expected: ["2026-01-09T14:00:00.000Z", "2026-01-23T14:00:00.000Z", "2026-02-06T14:00:00.000Z"],
  },
  {
    what: "EVERY_OTHER_WEEK: starts on a Wednesday, so Monday comes two weeks after that week's",
    schedule: { frequency: "EVERY_OTHER_WEEK", dayOfWeek: 1, startAt: "2026-01-07T00:00:00-05:00" },
    after: "2026-01-01T00:00:00Z",
    expected: ["2026-01-19T14:00:00.000Z", "2026-02-02T14:00:00.000Z"],
  },
  {
    what: "EVERY_OTHER_WEEK: 19 January 2026 is a holiday, so Tuesday",
    schedule: {
      frequency: "EVERY_OTHER_WEEK",
      dayOfWeek: 1,
      startAt: "2026-01-07T00:00:00-05:00",
      onNonBankingDay: "NEXT_BANKING_DAY",
    },
    after: "2026-01-01T00:00:00Z",
    expected: ["2026-01-20T14:00:00.000Z", "2026-02-02T14:00:00.000Z"],
  },
  {
    what: "EVERY_OTHER_WEEK: keeps its rhythm over a year of 53 weeks",
    schedule: { frequency: "EVERY_OTHER_WEEK", dayOfWeek: 4, startAt: "2026-12-17T00:00:00-05:00" },
    after: "2026-12-16T00:00:00Z",
    expected: ["2026-12-17T14:00:00.000Z", "2026-12-31T14:00:00.000Z", "2027-01-14T14:00:00.000Z"],
  },
  // TWICE_A_MONTH
  {
    what: "TWICE_A_MONTH: the 15th and the last day, in a leap year",
    schedule: { frequency: "TWICE_A_MONTH", daysOfMonth: [15, -1] },
    after: "2028-02-01T00:00:00Z",
    expected: ["2028-02-15T14:00:00.000Z", "2028-02-29T14:00:00.000Z", "2028-03-15T13:00:00.000Z"],
  },
  {
    what: "TWICE_A_MONTH: the 30th and 31st are one day in February and in April",
    schedule: { frequency: "TWICE_A_MONTH", daysOfMonth: [30, 31] },
    after: "2026-02-01T00:00:00Z",
    expected: [
      "2026-02-28T14:00:00.000Z",
      "2026-03-30T13:00:00.000Z",
      "2026-03-31T13:00:00.000Z",
      "2026-04-30T13:00:00.000Z",
      "2026-05-30T13:00:00.000Z",
    ],
  },
  {
    what: "TWICE_A_MONTH: the 1st and 2nd of August 2026 are a weekend, and run once, on Monday",
    schedule: { frequency: "TWICE_A_MONTH", daysOfMonth: [1, 2], onNonBankingDay: "NEXT_BANKING_DAY" },
    after: "2026-07-03T00:00:00Z",
    expected: ["2026-08-03T13:00:00.000Z", "2026-09-01T13:00:00.000Z", "2026-09-02T13:00:00.000Z"],
  },
  {
    what: "TWICE_A_MONTH: New Year's Day moves back into the old year",
    schedule: { frequency: "TWICE_A_MONTH", daysOfMonth: [1, 15], onNonBankingDay: "PREVIOUS_BANKING_DAY" },
    after: "2026-12-16T00:00:00Z",
    expected: ["2026-12-31T14:00:00.000Z", "2027-01-15T14:00:00.000Z"],
  },
  // MONTHLY
  {
    what: "MONTHLY: the last day, in an ordinary February and in a leap one",
    schedule: { frequency: "MONTHLY", daysOfMonth: [-1], timeZone: "Europe/Zurich", time: "23:00" },
    after: "2027-12-31T23:00:00Z",
    expected: ["2028-01-31T22:00:00.000Z", "2028-02-29T22:00:00.000Z", "2028-03-31T21:00:00.000Z"],
  },
  {
    what: "MONTHLY: the 29th is the 28th in an ordinary February",
    schedule: { frequency: "MONTHLY", daysOfMonth: [29] },
    after: "2027-02-01T00:00:00Z",
    expected: ["2027-02-28T14:00:00.000Z", "2027-03-29T13:00:00.000Z"],
  },
  {
    what: "MONTHLY: the 31st is the last day of shorter months",
    schedule: { frequency: "MONTHLY", daysOfMonth: [31] },
    after: "2026-04-01T00:00:00Z",
    expected: ["2026-04-30T13:00:00.000Z", "2026-05-31T13:00:00.000Z", "2026-06-30T13:00:00.000Z"],
  },
  {
    what: "MONTHLY: Christmas 2027 is a Saturday and not moved by the banks: it runs on Monday the 27th",
    schedule: { frequency: "MONTHLY", daysOfMonth: [25], onNonBankingDay: "NEXT_BANKING_DAY" },
    after: "2027-12-01T00:00:00Z",
    expected: ["2027-12-27T14:00:00.000Z", "2028-01-25T14:00:00.000Z"],
  },
  {
    what: "MONTHLY: the 31st of May 2026 is a Sunday, and moves back into its month",
    schedule: { frequency: "MONTHLY", daysOfMonth: [31], onNonBankingDay: "PREVIOUS_BANKING_DAY" },
    after: "2026-05-01T00:00:00Z",
    expected: ["2026-05-29T13:00:00.000Z", "2026-06-30T13:00:00.000Z"],
  },
  {
    what: "MONTHLY: what moves is kept to the zone's own calendar (Monday 4 May 2026 in Kolkata)",
    schedule: {
      frequency: "MONTHLY",
      daysOfMonth: [2],
      time: "03:00",
      timeZone: "Asia/Kolkata",
      onNonBankingDay: "NEXT_BANKING_DAY",
    },
    after: "2026-05-01T00:00:00Z",
    expected: ["2026-05-03T21:30:00.000Z", "2026-06-01T21:30:00.000Z"],
  },
  {
    what: "MONTHLY: nothing before it starts, and a day that moves to after the start runs",
    schedule: {
      frequency: "MONTHLY",
      daysOfMonth: [1],
      startAt: "2026-08-02T00:00:00-04:00",
      onNonBankingDay: "NEXT_BANKING_DAY",
    },
    after: "2026-01-01T00:00:00Z",
    expected: ["2026-08-03T13:00:00.000Z", "2026-09-01T13:00:00.000Z"],
  },
  // CRON
  {
    what: "CRON: working hours on weekdays",
    schedule: { frequency: "CRON", cron: "30 9,17 * * 1-5" },
    after: "2026-10-30T13:30:00Z",
    expected: ["2026-10-30T21:30:00.000Z", "2026-11-02T14:30:00.000Z", "2026-11-02T22:30:00.000Z"],
  },
  {
    what: "CRON: only on 29 February",
    schedule: { frequency: "CRON", cron: "0 12 29 2 *" },
    after: "2026-01-01T00:00:00Z",
    expected: ["2028-02-29T17:00:00.000Z", "2032-02-29T17:00:00.000Z"],
  },
  {
    what: "CRON: 2100 is not a leap year",
    schedule: { frequency: "CRON", cron: "0 12 29 2 *" },
    after: "2096-02-29T17:00:00Z",
    expected: ["2104-02-29T17:00:00.000Z"],
  },
  {
    what: "CRON: the 13th or a Friday, whichever comes",
    schedule: { frequency: "CRON", cron: "0 8 13 * 5" },
    after: "2026-05-08T12:00:00Z",
    expected: ["2026-05-13T12:00:00.000Z", "2026-05-15T12:00:00.000Z"],
  },
  {
    what: "CRON: the 31st skips shorter months, as cron does",
    schedule: { frequency: "CRON", cron: "0 9 31 * *" },
    after: "2026-03-31T13:00:00Z",
    expected: ["2026-05-31T13:00:00.000Z", "2026-07-31T13:00:00.000Z"],
  },
  {
    what: "CRON: every half hour over the gap in New York, the skipped ones after it and each moment once",
    schedule: { frequency: "CRON", cron: "*/30 1-3 * * *" },
    after: "2026-03-08T06:00:00Z",
    expected: [
      "2026-03-08T06:30:00.000Z",
      "2026-03-08T07:00:00.000Z",
      "2026-03-08T07:30:00.000Z",
      "2026-03-09T05:00:00.000Z",
    ],
  },
  {
    what: "CRON: every half hour over the repeated hour in New York, its times once",
    schedule: { frequency: "CRON", cron: "*/30 0-2 * * *" },
    after: "2026-11-01T04:30:00Z",
    expected: [
      "2026-11-01T05:00:00.000Z",
      "2026-11-01T05:30:00.000Z",
      "2026-11-01T07:00:00.000Z",
      "2026-11-01T07:30:00.000Z",
    ],
  },
  {
    what: "CRON: a step from Sunday on, 0 and 7 both Sunday",
    schedule: { frequency: "CRON", cron: "0 12 * * */3", timeZone: "UTC" },
    after: "2026-05-02T12:00:00Z",
    expected: ["2026-05-03T12:00:00.000Z", "2026-05-06T12:00:00.000Z", "2026-05-09T12:00:00.000Z"],
  },
  {
    what: "CRON: weekends move on to one Monday, with all their times",
    schedule: { frequency: "CRON", cron: "0 9,10 * * 6-7", onNonBankingDay: "NEXT_BANKING_DAY" },
    after: "2026-05-01T00:00:00Z",
    expected: ["2026-05-04T13:00:00.000Z", "2026-05-04T14:00:00.000Z", "2026-05-11T13:00:00.000Z"],
  },
];

describe("worked examples", () => {
  it.each(examples)("$what", ({ schedule: input, after, expected }) => {
    const isLast = input.frequency === "ONE_TIME";
    const found = upcoming(schedule(input), new Date(after), expected.length + (isLast ? 1 : 0));
    expect(found.map((moment) => moment.toISOString())).toEqual(expected);
  });

  it("has at least three of every frequency", () => {
    for (const frequency of FREQUENCIES) {
      expect(examples.filter((example) => example.schedule.frequency === frequency).length).toBeGreaterThan(
        2,
      );
    }
  });
});

describe("the bounds of every search", () => {
  it("ends where the calendar ends, and where nothing comes before the start", () => {
    const late = schedule({ frequency: "DAILY", startAt: "9999-12-31T12:00:00Z" });
    expect(nextOccurrence(late, new Date("2026-01-01T00:00:00Z"))).toBeNull();
    const later = schedule({ frequency: "DAILY", startAt: "2030-01-01T00:00:00Z" });
    expect(previousOccurrence(later, new Date("2029-12-31T00:00:00Z"), new Date(0))).toBeNull();
  });

  it("finds the rarest schedule there is: 29 February on a Sunday, over a century without a leap day", () => {
    const rare = schedule({ frequency: "CRON", cron: "0 12 29 2 */7", timeZone: "UTC" });
    const [first, second] = upcoming(rare, new Date("2060-03-01T00:00:00Z"), 2);
    expect([first, second].map((moment) => moment?.toISOString())).toEqual([
      "2088-02-29T12:00:00.000Z",
      "2128-02-29T12:00:00.000Z",
    ]);
  });

  it("gives no more than it is asked for", () => {
    const minutely = schedule({ frequency: "CRON", cron: "* * * * *", timeZone: "UTC" });
    const from = new Date("2026-01-01T00:00:00Z");
    const to = new Date("2026-03-01T00:00:00Z");
    expect(occurrencesBetween(minutely, from, to, 3)).toHaveLength(3);
    expect(latestOccurrences(minutely, to, from, 10_000)).toHaveLength(10_000);
    expect(upcoming(minutely, from, 0)).toEqual([]);
  });
});

const FREQUENCIES = [
  "ONE_TIME",
  "DAILY",
  "WEEKLY",
  "EVERY_OTHER_WEEK",
  "TWICE_A_MONTH",
  "MONTHLY",
  "CRON",
] as const;
const ZONES = [
  "UTC",
  "America/New_York",
  "Europe/Zurich",
  "Asia/Kolkata",
  "Pacific/Auckland",
  "America/Nuuk",
  "Australia/Lord_Howe",
  "Africa/Cairo",
];
const CRONS = [
  "*/20 * * * *",
  "0 9 * * 1-5",
  "30 2 * * *",
  "15 1,2 1,15 * *",
  "0 8 13 * 5",
  "59 23 31 * *",
  "0 0 29 2 *",
];

const someSchedule = fc
  .record({
    frequency: fc.constantFrom(...FREQUENCIES),
    startAt: moment("2024-01-01", "2028-01-01"),
    dayOfWeek: fc.integer({ min: 1, max: 7 }),
    days: fc.uniqueArray(fc.constantFrom(-1, ...Array.from({ length: 31 }, (_, index) => index + 1)), {
      minLength: 2,
      maxLength: 2,
    }),
    minutes: fc.integer({ min: 0, max: 1_439 }),
    cron: fc.constantFrom(...CRONS),
    timeZone: fc.constantFrom(...ZONES),
    onNonBankingDay: fc.constantFrom("SAME_DAY", "NEXT_BANKING_DAY", "PREVIOUS_BANKING_DAY"),
  })
  .map(({ frequency, startAt, dayOfWeek, days, minutes, cron, timeZone, onNonBankingDay }) => {
    const pad = (value: number) => String(value).padStart(2, "0");
    return ruleScheduleSchema.parse({
      frequency,
      startAt: startAt.toISOString(),
      timeZone,
      onNonBankingDay,
      time: `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`,
      dayOfWeek: frequency === "WEEKLY" || frequency === "EVERY_OTHER_WEEK" ? dayOfWeek : null,
      daysOfMonth: frequency === "TWICE_A_MONTH" ? days : frequency === "MONTHLY" ? days.slice(0, 1) : null,
      cron: frequency === "CRON" ? cron : null,
    });
  });

function moment(from: string, to: string) {
  return fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true });
}

/** What clocks in a zone show, by another way than the product's. */
function wallTime(at: Date, timeZone: string) {
  const text = at.toLocaleString("sv-SE", { timeZone });
  return { date: text.slice(0, 10), time: text.slice(11, 16) };
}

/** Whether a time of day exists on a date, found by looking at each quarter hour around it. */
function exists(date: string, time: string, timeZone: string): boolean {
  const asIfUtc = Date.parse(`${date}T${time}:00Z`);
  for (let offset = -14 * 4; offset <= 12 * 4; offset += 1) {
    const shown = wallTime(new Date(asIfUtc + offset * 900_000), timeZone);
    if (shown.date === date && shown.time === time) return true;
  }
  return false;
}

/** Ten thousand schedules on a machine that does other things too. */
const PROOF_TIMEOUT_MS = 240_000;
const settings = { seed: proofSeed, numRuns: proofSize(150, 10_000) };

describe("for every schedule and moment", () => {
  it(
    "moments rise strictly, come after what was asked for, and never before the start",
    () => {
      fc.assert(
        fc.property(someSchedule, moment("2023-06-01", "2029-01-01"), (given, after) => {
          const found = upcoming(given, after, 4);
          let last = Math.max(after.getTime(), Date.parse(given.startAt) - 1);
          for (const each of found) {
            expect(each.getTime()).toBeGreaterThan(last);
            last = each.getTime();
          }
        }),
        settings,
      );
    },
    PROOF_TIMEOUT_MS,
  );

  it(
    "looking back finds what looking ahead found, and nothing between",
    () => {
      fc.assert(
        fc.property(someSchedule, moment("2023-06-01", "2029-01-01"), (given, after) => {
          const found = upcoming(given, after, 3);
          for (const [index, each] of found.entries()) {
            expect(previousOccurrence(given, each, after)).toEqual(each);
            const justBefore = new Date(each.getTime() - 1);
            const before = found[index - 1] ?? null;
            expect(previousOccurrence(given, justBefore, new Date(after.getTime() + 1))).toEqual(before);
            expect(nextOccurrence(given, justBefore)).toEqual(each);
          }
          const last = found.at(-1);
          if (last) {
            expect(occurrencesBetween(given, after, last, 10)).toEqual(found);
            expect(latestOccurrences(given, last, new Date(after.getTime() + 1), 10).reverse()).toEqual(
              found,
            );
          }
        }),
        settings,
      );
    },
    PROOF_TIMEOUT_MS,
  );

  it(
    "clocks show the promised time, unless they skipped it",
    () => {
      fc.assert(
        fc.property(someSchedule, moment("2024-01-01", "2029-01-01"), (given, after) => {
          if (given.frequency === "CRON") return;
          for (const each of upcoming(given, after, 3)) {
            const shown = wallTime(each, given.timeZone);
            if (shown.time === given.time) continue;
            const yesterday = wallTime(new Date(each.getTime() - 86_400_000), given.timeZone).date;
            const isSkipped = [shown.date, yesterday].some(
              (date) => !exists(date, given.time, given.timeZone),
            );
            expect(isSkipped).toBe(true);
          }
        }),
        settings,
      );
    },
    PROOF_TIMEOUT_MS,
  );

  it(
    "what moves to banking days lands on them",
    () => {
      fc.assert(
        fc.property(someSchedule, moment("2024-01-01", "2029-01-01"), (given, after) => {
          // 23:30 that clocks skip into the next day keeps its banking day, and shows the day after.
          if (given.onNonBankingDay === "SAME_DAY" || given.timeZone === "America/Nuuk") return;
          for (const each of upcoming(given, after, 3)) {
            expect(isBankingDay(wallTime(each, given.timeZone).date)).toBe(true);
          }
        }),
        settings,
      );
    },
    PROOF_TIMEOUT_MS,
  );

  it(
    "a time of day runs at most once on a day",
    () => {
      fc.assert(
        fc.property(someSchedule, moment("2024-01-01", "2029-01-01"), (given, after) => {
          if (given.frequency === "CRON") return;
          const dates = upcoming(given, after, 4).map((each) => wallTime(each, given.timeZone).date);
          if (given.timeZone !== "America/Nuuk") expect(new Set(dates).size).toBe(dates.length);
        }),
        settings,
      );
    },
    PROOF_TIMEOUT_MS,
  );
});
