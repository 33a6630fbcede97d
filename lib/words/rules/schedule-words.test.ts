import { expect, test } from "vitest";
import { ruleTriggerSchema } from "@/lib/contract/rules/trigger";
import { scheduled } from "@/lib/testing/rules/example-rules";
import { phrasesText } from "@/lib/words/rules/phrases";
import { scheduleWords, shortScheduleWords } from "@/lib/words/rules/schedule-words";

const parse = (input: Record<string, unknown>) => {
  const trigger = ruleTriggerSchema.parse(scheduled(input));
  if (trigger.type !== "SCHEDULED") throw new Error("not scheduled");
  return trigger.schedule;
};

test.each([
  [{ frequency: "ONE_TIME", time: "09:00" }, "once, on Aug 3, 2026 at 9:00 AM (New York time)"],
  // It starts at 8:00 AM in New York, when 7:30 AM has passed.
  [{ frequency: "ONE_TIME", time: "07:30" }, "once, on Aug 4, 2026 at 7:30 AM (New York time)"],
  [{ frequency: "DAILY", timeZone: "UTC" }, "every day at 9:00 AM (UTC), from Aug 3, 2026"],
  [
    { frequency: "WEEKLY", dayOfWeek: 5, onNonBankingDay: "NEXT_BANKING_DAY" },
    "every Friday at 9:00 AM (New York time), from Aug 3, 2026, or on the next banking day when banks are closed",
  ],
  [
    { frequency: "EVERY_OTHER_WEEK", dayOfWeek: 1, timeZone: "America/Argentina/Buenos_Aires" },
    "every other Monday at 9:00 AM (Buenos Aires time), from Aug 3, 2026",
  ],
  [
    { frequency: "TWICE_A_MONTH", daysOfMonth: [-1, 15], onNonBankingDay: "PREVIOUS_BANKING_DAY" },
    "on the 15th and the last day of each month at 9:00 AM (New York time), from Aug 3, 2026, or on the banking day before when banks are closed",
  ],
  [
    { frequency: "MONTHLY", daysOfMonth: [31], timeZone: "Etc/GMT+5" },
    "on the 31st of each month at 9:00 AM (time zone Etc/GMT+5), in shorter months on the last day, from Aug 3, 2026",
  ],
  [
    { frequency: "MONTHLY", daysOfMonth: [25] },
    "on the 25th of each month at 9:00 AM (New York time), from Aug 3, 2026",
  ],
])("every frequency shows its zone, start and closed days: %#", (schedule, words) => {
  expect(phrasesText(scheduleWords(parse(schedule)))).toBe(words);
});

test.each([
  ["0 9 * * *", "every day at 9:00 AM"],
  ["30 9,17 * * 1-5", "every day from Monday to Friday at 9:30 AM and 5:30 PM"],
  ["0 12 * * 0,6", "every Saturday and Sunday at 12:00 PM"],
  ["0 12 * * 7", "every Sunday at 12:00 PM"],
  ["0 9 1 * *", "on the 1st of each month at 9:00 AM"],
  ["0 9 31 * *", "on the 31st of each month that has it at 9:00 AM"],
  ["0 9 1,15 3 *", "on the 1st and the 15th of March at 9:00 AM"],
  ["0 9 * 6-8 *", "every day in June, July and August at 9:00 AM"],
  ["* * * * *", "every minute"],
  ["*/5 * * * *", "every 5 minutes"],
  ["15 * * * 1", "every hour, at 15 minutes past, every Monday"],
  // Two days together mean one or the other.
  ["0 8 13 * 5", "on the 13th of each month, and every Friday, at 8:00 AM"],
  ["0 9 1,15 6 1", "on the 1st and the 15th of June, and every Monday in June, at 9:00 AM"],
  ["0 9 1-7 * 1", "on the schedule 0 9 1-7 * 1, on matching days of the month or the week"],
  ["0 9 */2 * 1", "on the schedule 0 9 */2 * 1"],
  // "Every 7 minutes" would be wrong at the full hour.
  ["*/7 * * * *", "on the schedule */7 * * * *"],
  ["0 0-23/2 * * *", "on the schedule 0 0-23/2 * * *"],
  ["0 99 * * *", "on the schedule 0 99 * * *"],
])("cron %s is put in words exactly, or shown as is", (cron, words) => {
  expect(shortScheduleWords({ ...parse({ frequency: "DAILY" }), frequency: "CRON", cron })).toBe(words);
});
