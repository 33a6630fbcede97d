import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { periodStart } from "@/lib/engine/limits";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { factsArbitrary, ruleArbitrary } from "@/lib/testing/rules/rule-arbitraries";
import { planOf } from "@/lib/testing/rules/rule-examples";

vi.setConfig({ testTimeout: 600_000 });

const DAY_MS = 86_400_000;
type Limit = RuleDefinition["limits"][number];

interface Counted {
  date: string;
  limitId: string;
  amountInCents: number;
}

/** Computes the period of a date independently of the product. */
function periodOf(period: Limit["period"], date: string): string {
  const days = Date.parse(date) / DAY_MS;
  switch (period) {
    case "TRANSFER":
      return "";
    case "DAY":
      return String(days);
    // 1 January 1970 was a Thursday.
    case "WEEK":
      return String(Math.floor((days + 3) / 7));
    case "MONTH":
      return date.split("-").slice(0, 2).join(" ");
    case "YEAR":
      return date.split("-").slice(0, 1).join(" ");
  }
}

function usedBefore(limits: readonly Limit[], date: string, counted: readonly Counted[]) {
  return Object.fromEntries(
    limits.map(({ id, period }) => {
      const from = periodStart(period, date);
      const within = counted.filter((move) => move.limitId === id && from !== null && move.date >= from);
      return [id, within.reduce((sum, { amountInCents }) => sum + amountInCents, 0)];
    }),
  );
}

describe("a limit", () => {
  it("is kept over a sequence of runs, for every period, shared or not", () => {
    let reached = 0;
    const run = fc.record({
      daysLater: fc.constantFrom(0, 0, 0, 1, 1, 3, 8, 32, 366),
      facts: factsArbitrary(),
    });
    const runs = proofSize(200, 10_000);
    fc.assert(
      fc.property(ruleArbitrary(), fc.array(run, { minLength: 2, maxLength: 8 }), (rule, sequence) => {
        const counted: Counted[] = [];
        let at = Date.parse(sequence[0]?.facts.date ?? "");
        for (const { daysLater, facts } of sequence) {
          at += daysLater * DAY_MS;
          const date = new Date(at).toISOString().slice(0, 10);
          const limitsUsedInCents = usedBefore(rule.limits, date, counted);
          const { moves } = planOf(rule, { ...facts, date, limitsUsedInCents });
          for (const { actionIndex, outcome, amountInCents } of moves) {
            const limitId = rule.steps[0]?.actions[actionIndex]?.limitId;
            if (outcome === "MOVE" && limitId) counted.push({ date, limitId, amountInCents });
          }
        }
        for (const limit of rule.limits) {
          for (const sum of sumsOf(limit, counted)) {
            expect(sum).toBeLessThanOrEqual(limit.amountInCents);
            if (sum === limit.amountInCents) reached += 1;
          }
        }
      }),
      { numRuns: runs, seed: proofSeed },
    );
    expect(reached, "hardly any limit was reached: the proof is empty").toBeGreaterThan(runs / 20);
  });

  // By hand. 14 March 2027 is a Sunday, 1 March a Monday; 2 January 2028 is a Sunday in a week that began in 2027.
  it.each<[Limit["period"], string, string | null]>([
    ["TRANSFER", "2027-03-14", null],
    ["DAY", "2027-03-14", "2027-03-14"],
    ["WEEK", "2027-03-14", "2027-03-08"],
    ["WEEK", "2027-03-15", "2027-03-15"],
    ["WEEK", "2027-03-01", "2027-03-01"],
    ["WEEK", "2028-01-02", "2027-12-27"],
    ["WEEK", "2028-02-29", "2028-02-28"],
    ["MONTH", "2028-02-29", "2028-02-01"],
    ["MONTH", "2027-12-31", "2027-12-01"],
    ["YEAR", "2027-12-31", "2027-01-01"],
    ["YEAR", "2028-01-01", "2028-01-01"],
  ])("of a %s counts on %s from %s", (period, date, from) => {
    expect(periodStart(period, date)).toBe(from);
  });

  it("counts from the first day of the same period", () => {
    const period = fc.constantFrom<Limit["period"]>("DAY", "WEEK", "MONTH", "YEAR");
    const day = fc.integer({ min: 0, max: 60_000 });
    fc.assert(
      fc.property(period, day, (of, number) => {
        const date = new Date(number * DAY_MS).toISOString().slice(0, 10);
        const from = periodStart(of, date) ?? "";
        const eve = new Date(Date.parse(from) - DAY_MS).toISOString().slice(0, 10);
        expect(periodOf(of, from)).toBe(periodOf(of, date));
        expect(periodOf(of, eve)).not.toBe(periodOf(of, date));
      }),
      { numRuns: proofSize(1_000, 10_000), seed: proofSeed },
    );
  });
});

/** The amount per period of the limit; for `TRANSFER`, each transfer is a period. */
function sumsOf({ id, period }: Limit, counted: readonly Counted[]): Iterable<number> {
  const sums = new Map<string, number>();
  for (const [index, move] of counted.entries()) {
    if (move.limitId !== id) continue;
    const key = period === "TRANSFER" ? String(index) : periodOf(period, move.date);
    sums.set(key, (sums.get(key) ?? 0) + move.amountInCents);
  }
  return sums.values();
}
