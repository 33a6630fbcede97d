import { afterEach, describe, expect, it, vi } from "vitest";
import { organizationTimeOf, realTimeOf, timeOf } from "@/app/page-setting";
import { formatDay, formatWeekdayMoment } from "@/components/time/format-instant";
import { processValues } from "@/lib/contract/process-values";
import { PLAIN_DATES, PLAIN_MONEY } from "@/lib/contract/reader";

vi.mock("next/headers", () => ({ cookies: async () => ({ get: () => undefined }) }));

const member = { organization: { timeZone: "America/New_York" } };
/** Of the sandbox, which is three weeks ahead. */
const context = { now: new Date("2026-12-13T15:30:00Z") };
const services = { clock: { now: () => new Date("2026-11-20T15:30:00Z") } };
const at = "2026-11-20T15:00:00Z";

const readIn = (timeZone: string | null) => {
  processValues().currentReader = () => ({ money: PLAIN_MONEY, dates: PLAIN_DATES, timeZone });
};
afterEach(() => {
  globalThis.sluiceProcess = undefined;
});

describe("the moment and the zone of a page", () => {
  it("are the reader's for sessions, passkeys and members, in real time, with the zone named", () => {
    readIn("Asia/Tokyo");
    const time = realTimeOf(services, member);
    expect(time.nowAt).toBe("2026-11-20T15:30:00.000Z");
    expect(formatWeekdayMoment(at, time)).toBe("Sat, Nov\u00a021, 12:00\u00a0AM GMT+9");
    expect(formatDay(at, time)).toBe("Nov\u00a021,\u00a02026");
  });

  it("are the reader's for what moves, in the organization's time", () => {
    readIn("Asia/Tokyo");
    const time = timeOf(member, context);
    expect(time.nowAt).toBe("2026-12-13T15:30:00.000Z");
    expect(formatWeekdayMoment(at, time)).toBe("Sat, Nov\u00a021, 12:00\u00a0AM GMT+9");
    // What is worked out by days stays the organization's.
    expect(time.timeZone).toBe("America/New_York");
  });

  it("are the organization's for statements, receipts and year-end, for every reader", () => {
    readIn("Asia/Tokyo");
    expect(formatWeekdayMoment(at, organizationTimeOf(member, context))).toBe(
      "Fri, Nov\u00a020, 10:00\u00a0AM",
    );
  });

  it("are the organization's while the reader's zone is not known", () => {
    readIn(null);
    expect(formatWeekdayMoment(at, realTimeOf(services, member))).toBe("Fri, Nov\u00a020, 10:00\u00a0AM");
  });
});
