import { afterEach, describe, expect, test } from "vitest";
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
  inZone,
} from "@/components/time/format-instant";
import { processValues } from "@/lib/contract/process-values";
import { PLAIN_MONEY } from "@/lib/contract/reader";
import type { TimeContext } from "@/lib/contract/time-context";

const newYork: TimeContext = { nowAt: "2026-11-20T16:26:00Z", timeZone: "America/New_York", locale: "en-US" };

describe("instants on a page", () => {
  test("today is named, other days show their weekday, other years their year", () => {
    expect(formatMoment("2026-11-20T13:40:00Z", newYork)).toBe("Today, 8:40\u00a0AM");
    expect(formatMoment("2026-11-19T21:40:00Z", newYork)).toBe("Thu, Nov\u00a019, 4:40\u00a0PM");
    expect(formatMoment("2025-08-03T12:00:00Z", newYork)).toBe("Aug\u00a03,\u00a02025");
  });

  test("the day is the viewer's, not that of UTC", () => {
    const at = "2026-11-21T03:30:00Z";
    expect(formatMoment(at, newYork)).toBe("Today, 10:30\u00a0PM");
    expect(formatMoment(at, { ...newYork, timeZone: "UTC" })).toBe("Sat, Nov\u00a021, 3:30\u00a0AM");
  });

  test("the same day of another month is not today", () => {
    expect(formatMoment("2026-10-20T16:26:00Z", newYork)).toBe("Tue, Oct\u00a020, 12:26\u00a0PM");
  });

  test("midnight is 12:00 AM, noon 12:00 PM", () => {
    expect(formatClock("2026-11-20T17:00:00Z", newYork)).toBe("12:00\u00a0PM");
    expect(formatClock("2026-11-20T05:00:00Z", newYork)).toBe("12:00\u00a0AM");
  });

  test("a deadline names its day even if it is today", () => {
    expect(formatWeekdayMoment("2026-11-20T22:00:00Z", newYork)).toBe("Fri, Nov\u00a020, 5:00\u00a0PM");
  });

  test("attempts within the same minute are shown with seconds", () => {
    expect(formatToSecond("2026-11-20T16:26:05Z", newYork)).toBe("11:26:05\u00a0AM");
    expect(formatToSecond("2026-11-19T21:40:12.345Z", newYork)).toBe("Thu, Nov\u00a019, 4:40:12\u00a0PM");
    expect(formatToSecond("2025-11-19T21:40:12Z", newYork)).toBe("Nov\u00a019,\u00a02025");
  });

  test("long-lived facts show their year, near ones only in another year", () => {
    expect(formatDay("2026-08-03T12:00:00Z", newYork)).toBe("Aug\u00a03,\u00a02026");
    expect(formatShortDay("2026-08-03T12:00:00Z", newYork)).toBe("Aug\u00a03");
    expect(formatShortDay("2025-08-03T12:00:00Z", newYork)).toBe("Aug\u00a03,\u00a02025");
  });

  test("a calendar date is the same date in every zone", () => {
    for (const timeZone of ["Pacific/Honolulu", "UTC", "Pacific/Auckland"]) {
      expect(formatDate("2026-11-25", { ...newYork, timeZone })).toBe("Nov\u00a025");
    }
  });

  test("the title has the full UTC timestamp", () => {
    expect(formatUtcStamp("2026-11-20T11:26:02-05:00")).toBe("2026-11-20 16:26:02 UTC");
  });
});

const time = { nowAt: "2026-11-20T16:26:00Z", timeZone: "America/New_York", locale: "en-US" };

test.each([
  ["2026-11-20T13:52:00Z", "today at 8:52\u00a0AM"],
  ["2026-11-19T21:40:00Z", "on Thu, Nov\u00a019 at 4:40\u00a0PM"],
  ["2025-08-03T12:00:00Z", "on Aug\u00a03,\u00a02025"],
])("%s reads as part of a sentence", (at, words) => {
  expect(formatInSentence(at, time)).toBe(words);
});

describe("a reader in another zone", () => {
  const berlin: TimeContext = { ...newYork, viewerTimeZone: "Europe/Berlin" };

  test("sees the zone with each time of day, and never with a day alone", () => {
    expect(formatMoment("2026-11-20T13:40:00Z", berlin)).toBe("Today, 2:40\u00a0PM GMT+1");
    expect(formatWeekdayMoment("2026-11-21T13:40:00Z", berlin)).toBe("Sat, Nov\u00a021, 2:40\u00a0PM GMT+1");
    expect(formatInSentence("2026-11-20T13:40:00Z", berlin)).toBe("today at 2:40\u00a0PM GMT+1");
    expect(formatClock("2026-07-20T13:40:00Z", { ...newYork, viewerTimeZone: "America/Los_Angeles" })).toBe(
      "6:40\u00a0AM PDT",
    );
    expect(formatShortDay("2026-11-19T13:40:00Z", berlin)).toBe("Nov\u00a019");
  });

  test("does not see it where both clocks agree", () => {
    expect(formatClock("2026-11-20T13:40:00Z", { ...newYork, viewerTimeZone: "America/Toronto" })).toBe(
      "8:40\u00a0AM",
    );
  });

  test("sees a schedule's times by its own clock, named, as its sentence has them", () => {
    const at = "2026-11-27T22:00:00Z";
    expect(formatMoment(at, inZone(berlin, "America/New_York"))).toBe("Fri, Nov\u00a027, 5:00\u00a0PM EST");
    expect(formatMoment(at, inZone(newYork, "America/New_York"))).toBe("Fri, Nov\u00a027, 5:00\u00a0PM");
    expect(formatMoment(at, inZone(berlin, null))).toBe(formatMoment(at, berlin));
  });
});

describe("a reader who puts the day first", () => {
  afterEach(() => {
    globalThis.sluiceProcess = undefined;
  });

  test("sees 24 hours and no comma", () => {
    processValues().currentReader = () => ({
      money: PLAIN_MONEY,
      dates: { order: "DAY_FIRST", clock: "24" },
      timeZone: null,
    });
    expect(formatMoment("2026-11-19T21:40:00Z", newYork)).toBe("Thu 19\u00a0Nov, 16:40");
    expect(formatDay("2026-08-03T12:00:00Z", newYork)).toBe("3\u00a0Aug\u00a02026");
    expect(formatToSecond("2026-11-20T05:00:09Z", newYork)).toBe("00:00:09");
  });
});
