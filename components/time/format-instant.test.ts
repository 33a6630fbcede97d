import { describe, expect, test } from "vitest";
import {
  formatClock,
  formatDate,
  formatDay,
  formatInSentence,
  formatMoment,
  formatShortDay,
  formatToSecond,
  formatUtcStamp,
  formatWeekdayMoment,
} from "@/components/time/format-instant";
import type { TimeContext } from "@/lib/contract/views/time-context";

const newYork: TimeContext = { nowAt: "2026-11-20T16:26:00Z", timeZone: "America/New_York", locale: "en-US" };

describe("instants on a page", () => {
  test("today is named, other days show their weekday, other years their year", () => {
    expect(formatMoment("2026-11-20T13:40:00Z", newYork)).toBe("Today, 08:40");
    expect(formatMoment("2026-11-19T21:40:00Z", newYork)).toBe("Thu 19\u00a0Nov, 16:40");
    expect(formatMoment("2025-08-03T12:00:00Z", newYork)).toBe("3\u00a0Aug\u00a02025");
  });

  test("the day is the viewer's, not that of UTC", () => {
    const at = "2026-11-21T03:30:00Z";
    expect(formatMoment(at, newYork)).toBe("Today, 22:30");
    expect(formatMoment(at, { ...newYork, timeZone: "UTC" })).toBe("Sat 21\u00a0Nov, 03:30");
  });

  test("the same day of another month is not today", () => {
    expect(formatMoment("2026-10-20T16:26:00Z", newYork)).toBe("Tue 20\u00a0Oct, 12:26");
  });

  test("midnight reads 00:00, not 24:00", () => {
    expect(formatClock("2026-11-20T05:00:00Z", newYork)).toBe("00:00");
  });

  test("a deadline names its day even if it is today", () => {
    expect(formatWeekdayMoment("2026-11-20T22:00:00Z", newYork)).toBe("Fri 20\u00a0Nov, 17:00");
  });

  test("attempts within the same minute are shown with seconds", () => {
    expect(formatToSecond("2026-11-20T16:26:05Z", newYork)).toBe("11:26:05");
    expect(formatToSecond("2026-11-19T21:40:12.345Z", newYork)).toBe("Thu 19\u00a0Nov, 16:40:12");
    expect(formatToSecond("2025-11-19T21:40:12Z", newYork)).toBe("19\u00a0Nov\u00a02025");
  });

  test("long-lived facts show their year, near ones only in another year", () => {
    expect(formatDay("2026-08-03T12:00:00Z", newYork)).toBe("3\u00a0Aug\u00a02026");
    expect(formatShortDay("2026-08-03T12:00:00Z", newYork)).toBe("3\u00a0Aug");
    expect(formatShortDay("2025-08-03T12:00:00Z", newYork)).toBe("3\u00a0Aug\u00a02025");
  });

  test("a calendar date is the same date in every zone", () => {
    for (const timeZone of ["Pacific/Honolulu", "UTC", "Pacific/Auckland"]) {
      expect(formatDate("2026-11-25", { ...newYork, timeZone })).toBe("25\u00a0Nov");
    }
  });

  test("the title has the full UTC timestamp", () => {
    expect(formatUtcStamp("2026-11-20T11:26:02-05:00")).toBe("2026-11-20 16:26:02 UTC");
  });
});

const time = { nowAt: "2026-11-20T16:26:00Z", timeZone: "America/New_York", locale: "en-US" };

test.each([
  ["2026-11-20T13:52:00Z", "today at 08:52"],
  ["2026-11-19T21:40:00Z", "on Thu 19\u00a0Nov at 16:40"],
  ["2025-08-03T12:00:00Z", "on 3\u00a0Aug\u00a02025"],
])("%s reads as part of a sentence", (at, words) => {
  expect(formatInSentence(at, time)).toBe(words);
});
