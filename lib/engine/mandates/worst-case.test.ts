import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import type { MandateUse } from "@/lib/engine/mandates/find-broken-part";
import { type WorstCase, worstCase } from "@/lib/engine/mandates/worst-case";
import { NEW_YORK, routeTerms, tryTransfer } from "@/lib/testing/mandates/route-terms";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

/** What worstCase says is compared with what findBrokenPart lets through: by hand, and by trying every sequence. */

const money = (change: Partial<MandateTerms>, timeZone = NEW_YORK) => worstCase(routeTerms(change), timeZone);

describe("by hand", () => {
  it("says of the example what its page shows", () => {
    expect(
      money({
        maximumInCents: 35_000,
        dayInCents: 70_000,
        monthInCents: 150_000,
        totalInCents: 450_000,
        maximumUses: 20,
        from: "2026-11-20",
        until: "2027-02-28",
      }),
    ).toEqual({
      dayInCents: 70_000,
      weekInCents: 300_000,
      monthInCents: 150_000,
      thirtyDaysInCents: 300_000,
      totalInCents: 450_000,
    });
  });

  it.each<[string, Partial<MandateTerms>, Partial<WorstCase>]>([
    [
      "only its size and its uses",
      { maximumInCents: 100, maximumUses: 3 },
      { dayInCents: 300, totalInCents: 300 },
    ],
    [
      "once a month, two months touch 30 days",
      {
        maximumInCents: 100,
        recurrence: { period: "MONTH", atMost: 1, daysApart: null },
        from: "2026-04-01",
        until: "2026-12-31",
      },
      { monthInCents: 100, thirtyDaysInCents: 200, totalInCents: 900 },
    ],
    [
      "three months touch 30 days over February",
      { maximumInCents: 100, monthInCents: 100, from: "2027-01-01", until: "2027-03-31" },
      { thirtyDaysInCents: 300 },
    ],
    [
      "once a month, 7 days apart",
      { maximumInCents: 100, recurrence: { period: "MONTH", atMost: 1, daysApart: 7 } },
      { weekInCents: 100 },
    ],
    [
      "days apart alone",
      {
        maximumInCents: 100,
        recurrence: { period: "DAY", atMost: 1, daysApart: 7 },
        from: "2026-06-01",
        until: "2026-06-30",
      },
      { weekInCents: 100, monthInCents: 500, totalInCents: 500 },
    ],
    [
      "a budget that whole transfers cannot use up",
      { minimumInCents: 25_000, maximumInCents: 30_000, dayInCents: 40_000, maximumUses: 1 },
      { dayInCents: 30_000 },
    ],
    [
      "a minimum above every budget",
      { minimumInCents: 500, maximumInCents: 900, dayInCents: 400 },
      { dayInCents: 0, totalInCents: 0 },
    ],
    [
      "a rest that takes a use",
      { maximumInCents: 80, dayInCents: 100, maximumUses: 3, from: "2026-06-01", until: "2026-06-02" },
      { dayInCents: 100, totalInCents: 180 },
    ],
    [
      "a week budget in a month",
      { maximumInCents: 100, weekInCents: 100, from: "2026-06-01", until: "2026-06-30" },
      { weekInCents: 100, monthInCents: 500, totalInCents: 500 },
    ],
    [
      "a single day",
      { maximumInCents: 100, dayInCents: 250, from: "2026-06-01", until: "2026-06-01" },
      { dayInCents: 250, weekInCents: 250, monthInCents: 250, thirtyDaysInCents: 250, totalInCents: 250 },
    ],
  ])("%s", (_, terms, expected) => {
    expect(money(terms)).toMatchObject(expected);
  });

  it("30 days hold it once, a month of 31 days twice, one of 30 only where clocks go back", () => {
    const rolling = (from: string, until: string, timeZone: string) =>
      money({ maximumInCents: 100, thirtyDaysInCents: 100, from, until }, timeZone);
    expect(rolling("2026-06-01", "2026-06-30", NEW_YORK).monthInCents).toBe(100);
    expect(rolling("2026-07-01", "2026-07-31", NEW_YORK)).toMatchObject({
      monthInCents: 200,
      thirtyDaysInCents: 100,
    });
    expect(rolling("2026-11-01", "2026-11-30", NEW_YORK).monthInCents).toBe(200);
    expect(rolling("2026-11-01", "2026-11-30", "Asia/Tokyo").monthInCents).toBe(100);
    // 30 days later is an hour past midnight of the 31st day.
    expect(rolling("2026-03-01", "2026-03-31", NEW_YORK).monthInCents).toBe(200);
  });

  it("30 days that begin in the last moment of a day touch 31 days, and 32 where clocks go forward", () => {
    const daily = (from: string) =>
      money({ maximumInCents: 100, dayInCents: 100, from, until: "2027-12-31" });
    expect(daily("2027-06-01").thirtyDaysInCents).toBe(3_100);
    expect(daily("2027-01-01").thirtyDaysInCents).toBe(3_200);
  });

  it("reads a zone that left out a day", () => {
    const terms = { maximumInCents: 100, dayInCents: 100, from: "2011-12-29", until: "2011-12-31" };
    expect(money(terms, "Pacific/Apia").totalInCents).toBeGreaterThanOrEqual(200);
  });

  it("stays a number that can be counted, however large the limits are", () => {
    const { totalInCents } = money({ maximumInCents: 100_000_000_000_000 });
    expect(Number.isSafeInteger(totalInCents)).toBe(true);
  });
});

/** Moments at the edges of days, weeks, months and 30 days. */
const EDGES: Record<string, string[]> = {
  "a month's end": [
    "2026-10-31T16:00:00Z",
    "2026-11-01T03:59:59.999Z",
    "2026-11-01T04:00:00Z",
    "2026-11-01T16:00:00Z",
  ],
  "a week's end": [
    "2026-06-07T12:00:00Z",
    "2026-06-08T03:59:59.999Z",
    "2026-06-08T04:00:00Z",
    "2026-06-09T12:00:00Z",
  ],
  "30 days": [
    "2026-07-01T04:00:00Z",
    "2026-07-31T03:59:59.999Z",
    "2026-07-31T04:00:00Z",
    "2026-08-01T03:59:59.999Z",
  ],
  "30 days in which clocks go back": [
    "2026-11-01T04:00:00Z",
    "2026-12-01T03:59:59.999Z",
    "2026-12-01T04:00:00Z",
    "2026-12-01T05:00:00Z",
  ],
  "30 days in which clocks go forward": [
    "2027-03-01T05:00:00Z",
    "2027-03-31T04:00:00Z",
    "2027-03-31T05:00:00Z",
    "2027-04-01T03:59:59.999Z",
  ],
};
const MOST_CENTS = 4;
const USES_AT_ONCE = 2;

/** Every sequence of transfers at these moments that the mandate lets through, shown to `see`. */
function everySequence(
  terms: MandateTerms,
  moments: readonly Date[],
  see: (uses: readonly MandateUse[]) => void,
  uses: readonly MandateUse[] = [],
  triesLeft = USES_AT_ONCE,
): void {
  const [now, ...later] = moments;
  if (!now) {
    see(uses);
    return;
  }
  everySequence(terms, later, see, uses);
  if (triesLeft === 0) return;
  for (let amountInCents = 1; amountInCents <= MOST_CENTS; amountInCents += 1) {
    if (tryTransfer(terms, { uses, now, amountInCents }) !== null) continue;
    everySequence(terms, moments, see, [...uses, { acceptedAt: now, amountInCents }], triesLeft - 1);
  }
}

const dateFormat = new Intl.DateTimeFormat("en-CA", { timeZone: NEW_YORK });
const dateOf = (at: Date) => dateFormat.format(at);
/** Written apart from the product's calendar. 5 January 1970 was a Monday. */
const weekOf = (at: Date) => Math.floor((Date.parse(dateOf(at)) / 86_400_000 - 4) / 7);
const THIRTY_DAYS_MS = 720 * 3_600_000;

function mostMoved(uses: readonly MandateUse[]): WorstCase {
  const most = (keyOf: (at: Date) => string | number) => {
    const sums = new Map<string | number, number>();
    for (const { acceptedAt, amountInCents } of uses)
      sums.set(keyOf(acceptedAt), (sums.get(keyOf(acceptedAt)) ?? 0) + amountInCents);
    return Math.max(0, ...sums.values());
  };
  const within = (from: Date) =>
    uses
      .filter(
        ({ acceptedAt }) => acceptedAt >= from && acceptedAt.getTime() < from.getTime() + THIRTY_DAYS_MS,
      )
      .reduce((sum, { amountInCents }) => sum + amountInCents, 0);
  return {
    dayInCents: most(dateOf),
    weekInCents: most(weekOf),
    monthInCents: most((at) => dateOf(at).slice(0, 7)),
    thirtyDaysInCents: Math.max(0, ...uses.map(({ acceptedAt }) => within(acceptedAt))),
    totalInCents: most(() => ""),
  };
}

const SPANS: (keyof WorstCase)[] = [
  "dayInCents",
  "weekInCents",
  "monthInCents",
  "thirtyDaysInCents",
  "totalInCents",
];
const none: WorstCase = {
  dayInCents: 0,
  weekInCents: 0,
  monthInCents: 0,
  thirtyDaysInCents: 0,
  totalInCents: 0,
};

function mostPossible(terms: MandateTerms, moments: readonly Date[]): WorstCase {
  const found = { ...none };
  everySequence(terms, moments, (uses) => {
    const moved = mostMoved(uses);
    for (const span of SPANS) found[span] = Math.max(found[span], moved[span]);
  });
  return found;
}

const cents = (most: number) => fc.option(fc.integer({ min: 1, max: most }), { nil: null, freq: 2 });
const anyTerms = fc.record({
  minimumInCents: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null, freq: 2 }),
  maximumInCents: fc.integer({ min: 1, max: MOST_CENTS }),
  dayInCents: cents(7),
  weekInCents: cents(9),
  monthInCents: cents(9),
  thirtyDaysInCents: cents(9),
  totalInCents: cents(14),
  maximumUses: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null, freq: 2 }),
  recurrence: fc.option(
    fc.record({
      period: fc.constantFrom("DAY" as const, "WEEK" as const, "MONTH" as const),
      atMost: fc.integer({ min: 1, max: 3 }),
      daysApart: fc.option(fc.constantFrom(1, 2, 3, 29, 30, 31), { nil: null, freq: 2 }),
    }),
    { nil: null, freq: 2 },
  ),
});

describe("every sequence of transfers that a mandate accepts", () => {
  it("moves no more than the worst case in any day, week, month, 30 days and in all", () => {
    const edges = fc.constantFrom(...Object.values(EDGES));
    fc.assert(
      fc.property(anyTerms, edges, (change, texts) => {
        const moments = texts.map((text) => new Date(text));
        const dates = moments.map(dateOf).toSorted();
        const terms = routeTerms({ ...change, from: dates.at(0) ?? "", until: dates.at(-1) ?? "" });
        const found = mostPossible(terms, moments);
        const says = worstCase(terms, NEW_YORK);
        for (const span of SPANS) expect(found[span], span).toBeLessThanOrEqual(says[span]);
      }),
      { numRuns: proofSize(150, 5_000), seed: proofSeed },
    );
  });

  it("reaches it where one limit counts over two days", () => {
    const one = fc.constantFrom<keyof MandateTerms>(
      "dayInCents",
      "weekInCents",
      "monthInCents",
      "thirtyDaysInCents",
      "totalInCents",
    );
    const amount = fc.integer({ min: 1, max: 2 * MOST_CENTS });
    fc.assert(
      fc.property(one, amount, fc.boolean(), (limit, inCents, isOverMonths) => {
        // Two transfers a day of at most 4 cents reach any limit up to 8 cents.
        const texts = isOverMonths
          ? ["2026-05-31T16:00:00Z", "2026-06-01T16:00:00Z"]
          : ["2026-06-09T16:00:00Z", "2026-06-10T16:00:00Z"];
        const moments = texts.map((text) => new Date(text));
        const [from = "", until = ""] = moments.map(dateOf);
        const recurrence = { period: "DAY" as const, atMost: USES_AT_ONCE, daysApart: null };
        const terms = routeTerms({ maximumInCents: MOST_CENTS, [limit]: inCents, recurrence, from, until });
        expect(mostPossible(terms, moments)).toEqual(worstCase(terms, NEW_YORK));
      }),
      { numRuns: 60, seed: proofSeed },
    );
  });
});
