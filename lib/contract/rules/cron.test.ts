import { describe, expect, it } from "vitest";
import { parseCron } from "@/lib/contract/rules/cron";
import { ruleScheduleSchema } from "@/lib/contract/rules/trigger";

describe("a cron expression", () => {
  it("reads lists, ranges and steps; 7 is Sunday too", () => {
    const times = parseCron("0,30 8-10/2 1-3,*/10 12 5-7");
    expect(times.minutesOfDay).toEqual([480, 510, 600, 630]);
    expect([...times.daysOfMonth]).toEqual([1, 2, 3, 11, 21, 31]);
    expect([...times.months]).toEqual([12]);
    expect([...times.daysOfWeek].sort()).toEqual([0, 5, 6]);
    expect(times.isEitherDay).toBe(false);
    expect(parseCron("0 0 1 * 1").isEitherDay).toBe(true);
  });

  it.each([
    ["0 9 * * MON-FRI", "0 9 * * 1-5"],
    ["0 9 * * mon,Wed,FRI", "0 9 * * 1,3,5"],
    ["0 9 * * SAT-SUN", "0 9 * * 6-7"],
    ["0 9 * * SUN-TUE", "0 9 * * 0-2"],
    ["0 9 * * SUN", "0 9 * * 0"],
    ["0 9 * * MON-FRI/2", "0 9 * * 1-5/2"],
    ["0 9 1 JAN,APR,jul-SEP *", "0 9 1 1,4,7-9 *"],
    ["0 9 * * 1-FRI", "0 9 * * 1-5"],
  ])("reads the names of crontab(5): %s is %s", (named, numbered) => {
    expect(parseCron(named)).toEqual(parseCron(numbered));
  });

  it.each([
    ["60 * * * *", "the minute is 0 to 59, not «60»"],
    ["* 24 * * *", "the hour is 0 to 23, not «24»"],
    ["* * 0 * *", "the day of the month is 1 to 31, not «0»"],
    ["* * * 13 *", "the month is 1 to 12, not «13»"],
    ["* * * * 8", "the day of the week is 0 to 7, not «8»"],
    ["30-10 * * * *", "the minute has ranges from the lower to the higher, not «30-10»"],
    ["*/0 * * * *", "the minute has steps of at least 1, not «*/0»"],
    ["5/15 * * * *", "the minute has steps of * or of a range only, not «5/15»"],
    [
      "* * * * MOO",
      "the day of the week is a list of *, numbers, names like MON, and ranges with steps, not «MOO»",
    ],
    ["* * * MON *", "the month is a list of *, numbers, names like FEB, and ranges with steps, not «MON»"],
    ["MON * * * *", "the minute is a list of *, numbers, and ranges with steps, not «MON»"],
    ["* * * * FRI-MON", "the day of the week has ranges from the lower to the higher, not «FRI-MON»"],
    ["0 9 ? * MON-FRI", "the day of the month is a list of *, numbers, and ranges with steps, not «?»"],
    ["0 9 * *", "must be a cron expression of five fields"],
    ["0 9 * * 1 2026", "must be a cron expression of five fields"],
    ["@daily", "must be a cron expression of five fields"],
    ["0 9 * * 1\n", "must be a cron expression of five fields"],
    ["1,,2 * * * *", "the minute is a list of *, numbers, and ranges with steps, not «»"],
    ["0 0 31 2 *", "day 31 of month 2 never comes"],
    ["0 0 30-31 2 *", "day 30-31 of month 2 never comes"],
    ["0 0 31 4,6,9,11 *", "day 31 of month 4,6,9,11 never comes"],
  ])("refuses %s: %s", (cron, problem) => {
    const parsed = ruleScheduleSchema.safeParse({
      frequency: "CRON",
      cron,
      startAt: "2026-01-01T00:00:00Z",
      timeZone: "UTC",
    });
    expect(parsed.error?.issues.map(({ path, message }) => [path, message])).toEqual([
      [["cron"], expect.stringContaining(problem)],
    ]);
  });

  it.each(["0 0 29 2 *", "0 0 31 2 1", "0 0 31 1,2 *", "*/15 * * * *"])("takes %s", (cron) => {
    expect(() => parseCron(cron)).not.toThrow();
  });
});
