import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type MandateConstraint,
  type MandateTerms,
  mandateConstraintSchema,
  mandateLeftSchema,
} from "@/lib/contract/mandates/mandate";
import { findBreach, type MandateFacts } from "@/lib/engine/mandates/find-broken-part";
import { leftOf } from "@/lib/testing/mandates/left-of";
import { NEW_YORK, routeFacts, routeTerms, tryTransfer } from "@/lib/testing/mandates/route-terms";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

const use = (acceptedAt: string, amountInCents = 100) => ({
  acceptedAt: new Date(acceptedAt),
  amountInCents,
});
const at = (text: string) => new Date(text);

/** Each breaks its part, and with the last column is just inside. Friday, 20 November 2026, 11:00 in New York. */
const CASES: [MandateConstraint, Partial<MandateTerms>, Partial<MandateFacts>, Partial<MandateFacts>][] = [
  ["ROUTE", {}, { destinationAccountId: "elsewhere" }, {}],
  [
    "NOT_YET",
    { from: "2026-11-21" },
    { now: at("2026-11-21T04:59:59.999Z") },
    { now: at("2026-11-21T05:00:00Z") },
  ],
  [
    "OVER",
    { until: "2026-11-19" },
    { now: at("2026-11-20T05:00:00Z") },
    { now: at("2026-11-20T04:59:59.999Z") },
  ],
  ["SIGNATURES", {}, { needsSignatures: true }, {}],
  ["DESTINATION_CHANGED", {}, { isDestinationChanged: true }, {}],
  ["BELOW_MINIMUM", { minimumInCents: 100 }, { amountInCents: 99 }, { amountInCents: 100 }],
  ["ABOVE_MAXIMUM", { maximumInCents: 100 }, { amountInCents: 101 }, { amountInCents: 100 }],
  ["USES", { maximumUses: 1 }, { uses: [use("2026-01-01T16:00:00Z")] }, {}],
  [
    "RECURRENCE",
    { recurrence: { period: "WEEK", atMost: 1, daysApart: null } },
    { uses: [use("2026-11-16T05:00:00Z")] },
    { uses: [use("2026-11-16T04:59:59.999Z")] },
  ],
  [
    "DAYS_APART",
    { recurrence: { period: "DAY", atMost: 9, daysApart: 2 } },
    { uses: [use("2026-11-19T05:00:00Z")] },
    { uses: [use("2026-11-19T04:59:59.999Z")] },
  ],
  [
    "DAY",
    { dayInCents: 200 },
    { uses: [use("2026-11-20T05:00:00Z", 101)] },
    { uses: [use("2026-11-20T04:59:59.999Z", 101)] },
  ],
  [
    "WEEK",
    { weekInCents: 200 },
    { uses: [use("2026-11-16T05:00:00Z", 101)] },
    { uses: [use("2026-11-16T04:59:59.999Z", 101)] },
  ],
  [
    "MONTH",
    { monthInCents: 200 },
    { uses: [use("2026-11-01T04:00:00Z", 101)] },
    { uses: [use("2026-11-01T03:59:59.999Z", 101)] },
  ],
  [
    "THIRTY_DAYS",
    { thirtyDaysInCents: 200 },
    { uses: [use("2026-10-21T16:00:00.001Z", 101)] },
    { uses: [use("2026-10-21T16:00:00Z", 101)] },
  ],
  [
    "TOTAL",
    { totalInCents: 200 },
    { uses: [use("2026-01-01T16:00:00Z", 101)] },
    { uses: [use("2026-01-01T16:00:00Z", 100)] },
  ],
  ["BALANCE", { keepsInCents: 500 }, { heldAfterInCents: 499 }, { heldAfterInCents: 500 }],
];

describe("the part that a transfer breaks", () => {
  it("has a case for every one, in their order", () => {
    expect(CASES.map(([constraint]) => constraint)).toEqual(mandateConstraintSchema.options);
  });

  it.each(CASES)("%s", (constraint, terms, breaking, inside) => {
    expect(tryTransfer(routeTerms(terms), breaking)).toBe(constraint);
    expect(tryTransfer(routeTerms(terms), inside)).toBe(null);
  });

  it("is the first of all that it breaks", () => {
    for (const [earlier, [constraint, terms, facts]] of CASES.entries()) {
      for (const [, otherTerms, otherFacts] of CASES.slice(earlier + 1)) {
        // Two cases that set the same fact or the same term cannot be broken at once by it.
        if (shares(terms, otherTerms) || shares(facts, otherFacts)) continue;
        const both = { ...otherFacts, ...facts };
        expect(tryTransfer(routeTerms({ ...otherTerms, ...terms }), both)).toBe(constraint);
      }
    }
  });

  it("says the limit and what it would have made of it", () => {
    const breach = findBreach(
      routeTerms({ monthInCents: 150_000 }),
      routeFacts({ amountInCents: 14_000, uses: [use("2026-11-02T16:00:00Z", 146_200)] }),
    );
    expect(breach).toEqual({ constraint: "MONTH", limit: 150_000, reached: 160_200 });
  });

  it("counts what another process accepted by a clock ahead", () => {
    const ahead = { uses: [use("2026-12-01T05:00:01Z", 101)], now: at("2026-12-01T04:59:59Z") };
    for (const limit of ["dayInCents", "weekInCents", "monthInCents", "thirtyDaysInCents"])
      expect(tryTransfer(routeTerms({ [limit]: 200 }), ahead)).not.toBe(null);
    const apart = routeTerms({ recurrence: { period: "DAY", atMost: 9, daysApart: 1 } });
    expect(tryTransfer(apart, ahead)).toBe("DAYS_APART");
  });

  it("keeps a day whole where clocks show its first hour twice", () => {
    // In Havana, 1 November 2026 has the hour after midnight twice.
    const facts = {
      timeZone: "America/Havana",
      now: at("2026-11-01T05:30:00Z"),
      uses: [use("2026-11-01T04:30:00Z", 101)],
    };
    for (const limit of ["dayInCents", "monthInCents"])
      expect(tryTransfer(routeTerms({ [limit]: 200 }), facts)).not.toBe(null);
  });
});

const shares = (one: object, other: object) => Object.keys(one).some((key) => key in other);

describe("what is left", () => {
  it("is what the next transfer may have of each limit", () => {
    const day = fc.date({
      min: at("2026-10-15T00:00:00Z"),
      max: at("2026-12-05T00:00:00Z"),
      noInvalidDate: true,
    });
    const limit = fc.option(fc.integer({ min: 1, max: 900 }), { nil: null, freq: 2 });
    const terms = fc.record({
      dayInCents: limit,
      weekInCents: limit,
      monthInCents: limit,
      thirtyDaysInCents: limit,
      totalInCents: limit,
      maximumUses: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null, freq: 2 }),
      recurrence: fc.option(
        fc.record({
          period: fc.constantFrom("DAY" as const, "WEEK" as const, "MONTH" as const),
          atMost: fc.integer({ min: 1, max: 3 }),
          daysApart: fc.constant(null),
        }),
        { nil: null, freq: 2 },
      ),
    });
    const uses = fc.array(fc.record({ acceptedAt: day, amountInCents: fc.integer({ min: 1, max: 300 }) }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(terms, uses, day, (change, made, now) => {
        const all = routeTerms(change);
        const left = mandateLeftSchema.parse(leftOf(all, made, now, NEW_YORK));
        const hasUse = left.uses > 0 && left.usesInPeriod !== 0;
        const budgets = [
          left.dayInCents,
          left.weekInCents,
          left.monthInCents,
          left.thirtyDaysInCents,
          left.totalInCents,
        ];
        const most = Math.min(all.maximumInCents, ...budgets.filter((amount) => amount !== null));
        const isInside = (amountInCents: number) =>
          tryTransfer(all, { amountInCents, uses: made, now }) === null;
        if (most > 0) expect(isInside(most)).toBe(hasUse);
        expect(isInside(most + 1)).toBe(false);
      }),
      { numRuns: proofSize(500, 10_000), seed: proofSeed },
    );
  });
});
