import { describe, expect, it } from "vitest";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

describe("the calendar date of a moment", () => {
  // By hand: New York is 5 hours behind UTC in winter, 4 in summer; 2027 its summer is from 14 March to 7 November.
  it.each([
    ["2027-01-01T04:59:59Z", "America/New_York", "2026-12-31"],
    ["2027-01-01T05:00:00Z", "America/New_York", "2027-01-01"],
    ["2027-07-01T03:59:59Z", "America/New_York", "2027-06-30"],
    ["2027-07-01T04:00:00Z", "America/New_York", "2027-07-01"],
    // The day on which the clock goes forward has 23 hours, the one on which it goes back 25.
    ["2027-03-14T05:00:00Z", "America/New_York", "2027-03-14"],
    ["2027-03-15T03:59:59Z", "America/New_York", "2027-03-14"],
    ["2027-03-15T04:00:00Z", "America/New_York", "2027-03-15"],
    ["2027-11-08T04:59:59Z", "America/New_York", "2027-11-07"],
    ["2027-11-08T05:00:00Z", "America/New_York", "2027-11-08"],
    ["2028-02-29T12:00:00Z", "UTC", "2028-02-29"],
    // 14 hours ahead, and 5 hours 45 minutes.
    ["2027-12-31T10:00:00Z", "Pacific/Kiritimati", "2028-01-01"],
    ["2027-12-31T18:14:59Z", "Asia/Kathmandu", "2027-12-31"],
    ["2027-12-31T18:15:00Z", "Asia/Kathmandu", "2028-01-01"],
  ])("%s in %s is %s", (at, timeZone, date) => {
    expect(calendarDate(new Date(at), timeZone)).toBe(date);
  });
});
