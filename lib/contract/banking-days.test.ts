import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import {
  addBankingDays,
  bankHolidayOn,
  bankingDateOf,
  bankingDayAt,
  bankingInstant,
  bankingTimeOf,
  isBankingDay,
  nextBankingDay,
  previousBankingDay,
} from "@/lib/contract/banking-days";

/**
 * Weekdays on which the Reserve Banks are closed, typed from the Federal Reserve's published schedules (K.8, 2025 to
 * 2030). Holidays on a Saturday are absent (the banks are open on the Friday), those on a Sunday appear as their Monday.
 */
const published: Record<number, string[]> = {
  2025: ["01-01", "01-20", "02-17", "05-26", "06-19", "07-04", "09-01", "10-13", "11-11", "11-27", "12-25"],
  2026: ["01-01", "01-19", "02-16", "05-25", "06-19", "09-07", "10-12", "11-11", "11-26", "12-25"],
  2027: ["01-01", "01-18", "02-15", "05-31", "07-05", "09-06", "10-11", "11-11", "11-25"],
  2028: ["01-17", "02-21", "05-29", "06-19", "07-04", "09-04", "10-09", "11-23", "12-25"],
  2029: ["01-01", "01-15", "02-19", "05-28", "06-19", "07-04", "09-03", "10-08", "11-12", "11-22", "12-25"],
  2030: ["01-01", "01-21", "02-18", "05-27", "06-19", "07-04", "09-02", "10-14", "11-11", "11-28", "12-25"],
};

const DAY_MS = 86_400_000;
const anyDate = fc
  .integer({ min: Date.UTC(1990, 0, 1) / DAY_MS, max: Date.UTC(2199, 11, 31) / DAY_MS })
  .map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10));

function daysOf(year: number): string[] {
  const days: string[] = [];
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

const isWeekend = (date: string) => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

describe("the Federal Reserve's calendar", () => {
  test.each(Object.entries(published))(
    "%s: closed on the published days and on no other weekday",
    (year, days) => {
      const closed = daysOf(Number(year)).filter((date) => !isWeekend(date) && !isBankingDay(date));
      expect(closed).toEqual(days.map((day) => `${year}-${day}`));
    },
  );

  test.each(["2026-07-03", "2027-06-18", "2027-12-24", "2028-11-10", "2027-12-31"])(
    "%s, the Friday before a holiday on a Saturday, is open",
    (date) => expect(isBankingDay(date)).toBe(true),
  );

  test("Juneteenth closes banks from 2022 on", () => {
    expect(isBankingDay("2020-06-19")).toBe(true);
    expect(isBankingDay("2022-06-20")).toBe(false);
    expect(bankHolidayOn("2022-06-20")).toBe("Juneteenth");
  });

  test("New Year's Day on a Sunday closes 2 January", () => {
    expect(isBankingDay("2023-01-02")).toBe(false);
    expect(bankHolidayOn("2023-01-02")).toBe("New Year\u2019s Day");
    expect(isBankingDay("2023-01-03")).toBe(true);
  });

  test("a holiday is named, a weekend and an ordinary day are not", () => {
    expect(bankHolidayOn("2026-11-26")).toBe("Thanksgiving");
    expect(bankHolidayOn("2026-07-04")).toBeNull();
    expect(bankHolidayOn("2026-11-27")).toBeNull();
  });

  test.each(["2026-02-30", "2026-2-3", "26-02-03", "", "2026-13-01", "2026-02-03T00:00:00Z"])(
    "%j is not a date",
    (date) => expect(() => isBankingDay(date)).toThrow(RangeError),
  );
});

describe("moving by banking days", () => {
  test("next and previous step over weekends and holidays, and never stay", () => {
    expect(nextBankingDay("2026-11-25")).toBe("2026-11-27");
    expect(nextBankingDay("2026-11-27")).toBe("2026-11-30");
    expect(previousBankingDay("2026-11-27")).toBe("2026-11-25");
    expect(nextBankingDay("2026-12-31")).toBe("2027-01-04");
    expect(previousBankingDay("2027-01-04")).toBe("2026-12-31");
  });

  test("a start on a closed day counts as the next banking day", () => {
    expect(addBankingDays("2026-11-21", 0)).toBe("2026-11-23");
    expect(addBankingDays("2026-11-21", 1)).toBe("2026-11-24");
    expect(addBankingDays("2026-11-20", 0)).toBe("2026-11-20");
    expect(addBankingDays("2026-11-24", 2)).toBe("2026-11-27");
  });

  test("an instant counts by its date in New York", () => {
    // 02:00 UTC on Saturday is still Friday evening in New York.
    expect(addBankingDays(new Date("2026-11-21T02:00:00Z"), 0)).toBe("2026-11-20");
    expect(addBankingDays(new Date("2026-11-21T05:00:00Z"), 0)).toBe("2026-11-23");
  });

  test.each([-1, 0.5, Number.NaN, 1_000_000])("%d days are refused", (count) => {
    expect(() => addBankingDays("2026-11-20", count)).toThrow(RangeError);
  });

  test("always lands on a banking day with no banking day in between", () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const next = nextBankingDay(date);
        expect(isBankingDay(next) && next > date).toBe(true);
        expect(previousBankingDay(next) <= date).toBe(true);
        expect(previousBankingDay(next) === date).toBe(isBankingDay(date));
      }),
    );
  });

  test("moving by a and then by b is moving by a + b, and never goes back", () => {
    const few = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(anyDate, few, few, (date, first, second) => {
        const there = addBankingDays(addBankingDays(date, first), second);
        expect(there).toBe(addBankingDays(date, first + second));
        expect(there >= date && isBankingDay(there)).toBe(true);
      }),
    );
  });
});

describe("New York's clock", () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  test("midnight in New York starts the date, in winter and in summer", () => {
    expect(bankingDateOf(new Date("2026-01-15T04:59:59.999Z"))).toBe("2026-01-14");
    expect(bankingDateOf(new Date("2026-01-15T05:00:00Z"))).toBe("2026-01-15");
    expect(bankingDateOf(new Date("2026-07-15T03:59:59.999Z"))).toBe("2026-07-14");
    expect(bankingDateOf(new Date("2026-07-15T04:00:00Z"))).toBe("2026-07-15");
    expect(bankingTimeOf(new Date("2026-01-15T05:00:00Z"))).toBe("00:00");
  });

  test("08:30 is 13:30 UTC before and 12:30 UTC after the clocks go forward, and back again in autumn", () => {
    expect(bankingInstant("2026-03-06", "08:30").toISOString()).toBe("2026-03-06T13:30:00.000Z");
    expect(bankingInstant("2026-03-09", "08:30").toISOString()).toBe("2026-03-09T12:30:00.000Z");
    expect(bankingInstant("2026-10-30", "08:30").toISOString()).toBe("2026-10-30T12:30:00.000Z");
    expect(bankingInstant("2026-11-02", "08:30").toISOString()).toBe("2026-11-02T13:30:00.000Z");
  });

  test("a time that spring skips moves past the gap; of an hour that autumn repeats the first counts", () => {
    expect(bankingInstant("2026-03-08", "01:59").toISOString()).toBe("2026-03-08T06:59:00.000Z");
    expect(bankingInstant("2026-03-08", "02:30").toISOString()).toBe("2026-03-08T07:30:00.000Z");
    expect(bankingTimeOf(bankingInstant("2026-03-08", "02:30"))).toBe("03:30");
    expect(bankingInstant("2026-11-01", "01:30").toISOString()).toBe("2026-11-01T05:30:00.000Z");
    expect(bankingInstant("2026-11-01", "02:00").toISOString()).toBe("2026-11-01T07:00:00.000Z");
  });

  test.each(["24:00", "8:30", "08:60", ""])("%j is not a time", (time) => {
    expect(() => bankingInstant("2026-03-06", time)).toThrow(RangeError);
  });

  test("date and time of an instant lead back to its minute", () => {
    const anyInstant = fc.date({
      min: new Date("2007-04-01"),
      max: new Date("2150-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const minute = Math.floor(instant.getTime() / 60_000) * 60_000;
        const again = bankingInstant(bankingDateOf(instant), bankingTimeOf(instant)).getTime();
        // The second pass of autumn's repeated hour reads like the first.
        expect([0, 3_600_000]).toContain(minute - again);
      }),
    );
  });

  test.each(["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu"])(
    "a process in %s computes the same",
    (processZone) => {
      process.env.TZ = processZone;
      expect(bankingDateOf(new Date("2026-11-21T02:00:00Z"))).toBe("2026-11-20");
      expect(bankingInstant("2026-11-23", "08:30").toISOString()).toBe("2026-11-23T13:30:00.000Z");
      expect(isBankingDay("2026-11-26")).toBe(false);
      expect(nextBankingDay("2026-11-25")).toBe("2026-11-27");
    },
  );
});

describe("the banking day of a moment", () => {
  test.each([
    ["a Friday at noon", "2026-11-20T17:00:00Z", "2026-11-20"],
    ["a Friday at 17:00", "2026-11-20T22:00:00Z", "2026-11-23"],
    ["a Sunday", "2026-11-22T17:00:00Z", "2026-11-23"],
    ["a Sunday evening that is Monday in UTC", "2026-11-23T02:00:00Z", "2026-11-23"],
    ["a Tuesday evening that is Wednesday in UTC", "2026-11-25T02:00:00Z", "2026-11-25"],
    ["the evening before Thanksgiving", "2026-11-26T02:00:00Z", "2026-11-27"],
  ])("%s", (_, at, day) => expect(bankingDayAt(new Date(at))).toBe(day));

  test("is open, and never before the moment's own date", () => {
    const anyInstant = fc.date({
      min: new Date("2007-04-01"),
      max: new Date("2150-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const day = bankingDayAt(instant);
        expect(isBankingDay(day)).toBe(true);
        expect(day >= instant.toISOString().slice(0, 10)).toBe(true);
      }),
    );
  });
});
