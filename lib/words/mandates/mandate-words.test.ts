import { describe, expect, it } from "vitest";
import {
  type BrokenMandate,
  type MandateTerms,
  mandateConstraintSchema,
} from "@/lib/contract/mandates/mandate";
import { worstCase } from "@/lib/engine/mandates/worst-case";
import { DESTINATION_ID, NEW_YORK, routeTerms, SOURCE_ID } from "@/lib/testing/mandates/route-terms";
import { breachForProgram, breachWords } from "@/lib/words/mandates/breach-words";
import {
  mandateBrief,
  mandateChanges,
  mandateSentence,
  mandateText,
  mandateTitle,
  worstCaseBrief,
  worstCaseSentence,
} from "@/lib/words/mandates/mandate-sentence";
import { phrasesText } from "@/lib/words/rules/phrases";

const names = { [SOURCE_ID]: "Operating", [DESTINATION_ID]: "Redline Print", other: "Comcast" };
const example: Partial<MandateTerms> = {
  maximumInCents: 35_000,
  dayInCents: 70_000,
  monthInCents: 150_000,
  totalInCents: 450_000,
  maximumUses: 20,
  from: "2026-11-20",
  until: "2027-02-28",
  keepsInCents: 1_000_000,
};
const sentence = (change: Partial<MandateTerms>, today = "2026-11-20") =>
  mandateText(
    mandateSentence(routeTerms({ from: "2026-11-20", until: "2026-12-31", ...change }), { names, today }),
  );

describe("the sentence of a mandate", () => {
  it("says the example as its page does, with every limit a part", () => {
    const phrases = mandateSentence(routeTerms(example), { names, today: "2026-11-20" });
    expect(mandateText(phrases)).toBe(
      "may move $350.00 or less at a time from Operating to Redline Print, up to $700.00 a day, $1,500.00 a calendar month and $4,500.00 in all, at most 20 times, from today until Feb 28, 2027, while Operating holds at least $10,000.00.",
    );
    expect(phrases.flatMap(({ part }) => part ?? [])).toEqual([
      "AMOUNT",
      "SOURCES",
      "DESTINATIONS",
      "DAY",
      "MONTH",
      "TOTAL",
      "USES",
      "FROM",
      "UNTIL",
      "BALANCE",
    ]);
  });

  it.each<[Partial<MandateTerms>, string]>([
    [
      {
        maximumInCents: 14_000,
        minimumInCents: 14_000,
        recurrence: { period: "MONTH", atMost: 1, daysApart: 7 },
      },
      "may move exactly $140.00 at a time from Operating to Redline Print, at most once a calendar month, at least 7 days apart, from today until Dec 31, 2026.",
    ],
    [
      {
        minimumInCents: 5_000,
        maximumInCents: 10_000,
        weekInCents: 20_000,
        destinationAccountIds: [DESTINATION_ID, "other", "gone"],
      },
      "may move $50.00 to $100.00 at a time from Operating to Redline Print, Comcast or a removed account, up to $200.00 a week, from today until Dec 31, 2026.",
    ],
    [
      {
        maximumInCents: 100,
        thirtyDaysInCents: 500,
        recurrence: { period: "WEEK", atMost: 2, daysApart: null },
        maximumUses: 1,
        from: "2026-12-01",
      },
      "may move $1.00 or less at a time from Operating to Redline Print, up to $5.00 in any 30 days, at most 2 times a week and once in all, from Dec 1, 2026 until Dec 31, 2026.",
    ],
    [
      { maximumInCents: 100, from: "2026-11-01", keepsInCents: 0, sourceAccountIds: [SOURCE_ID, "other"] },
      "may move $1.00 or less at a time from Operating or Comcast to Redline Print, until Dec 31, 2026, while the source holds at least $0.00.",
    ],
  ])("%#", (terms, expected) => {
    expect(sentence(terms)).toBe(expected);
  });

  it("has a title and a short form", () => {
    expect(mandateTitle(routeTerms(example), names)).toBe("Redline Print, up to $350.00 at a time");
    expect(mandateBrief(routeTerms(example))).toBe("$350.00 at a time, $700.00 a day");
    expect(
      mandateBrief(
        routeTerms({ maximumInCents: 14_000, recurrence: { period: "MONTH", atMost: 1, daysApart: null } }),
      ),
    ).toBe("$140.00 once a calendar month");
    expect(mandateBrief(routeTerms({ maximumInCents: 14_000 }))).toBe("$140.00 at a time");
  });

  it("lists the limits that a person narrowed", () => {
    const asked = routeTerms({
      ...example,
      maximumInCents: 50_000,
      weekInCents: 90_000,
      until: "2027-12-31",
    });
    expect(mandateChanges(asked, routeTerms(example), names)).toEqual([
      { part: "AMOUNT", label: "At a time", was: "$500.00 or less", now: "$350.00 or less" },
      { part: "WEEK", label: "A week", was: "$900.00", now: null },
      { part: "UNTIL", label: "Last day", was: "Dec 31, 2027", now: "Feb 28, 2027" },
    ]);
  });
});

describe("at worst", () => {
  const atWorst = (change: Partial<MandateTerms>) => {
    const terms = routeTerms(change);
    const worst = worstCase(terms, NEW_YORK);
    return [phrasesText(worstCaseSentence(terms, worst, names)), worstCaseBrief(worst)];
  };

  it("says what can move in each stretch that tells something", () => {
    expect(atWorst(example)).toEqual([
      "At most $700.00 in a day, $1,500.00 in a calendar month, $3,000.00 in any 30 days and $4,500.00 in all, only to Redline Print, until Feb 28, 2027.",
      "At worst $1,500.00 in a calendar month, $4,500.00 in all",
    ]);
    expect(atWorst({ maximumInCents: 100, maximumUses: 1 })).toEqual([
      "At most $1.00 in all, only to Redline Print, until Dec 31, 2027.",
      "At worst $1.00 in all",
    ]);
    expect(atWorst({ maximumInCents: 100, weekInCents: 100, until: "2026-12-31" })[0]).toBe(
      "At most $1.00 in a week, $6.00 in a calendar month and $53.00 in all, only to Redline Print, until Dec 31, 2026.",
    );
  });
});

describe("the part that a transfer breaks", () => {
  const CASES: [Omit<BrokenMandate, "mandateId">, string, string][] = [
    [
      { constraint: "BELOW_MINIMUM", limit: 5_000, reached: 3_000 },
      "$20.00 below $50.00 at a time",
      "$20.00 below the mandate's $50.00 at a time.",
    ],
    [
      { constraint: "ABOVE_MAXIMUM", limit: 35_000, reached: 42_000 },
      "$70.00 above $350.00 at a time",
      "$70.00 above the mandate's $350.00 at a time.",
    ],
    [
      { constraint: "USES", limit: 20, reached: 21 },
      "Already used 20 times",
      "The mandate was already used 20 times.",
    ],
    [
      { constraint: "RECURRENCE", limit: 1, reached: 2 },
      "Already used once in the week of Oct 5",
      "The mandate has no uses left in this period.",
    ],
    [
      { constraint: "DAYS_APART", limit: 7, reached: 1 },
      "1 day after the last use, not 7",
      "1 day after the last use, not 7.",
    ],
    [
      { constraint: "DAYS_APART", limit: 7, reached: 0 },
      "On the day of the last use, not 7 days after",
      "On the day of the last use, not 7 days after.",
    ],
    [
      { constraint: "DAYS_APART", limit: 1, reached: -1 },
      "On the day of the last use",
      "On the day of the last use.",
    ],
    [
      { constraint: "DAY", limit: 70_000, reached: 80_200 },
      "Would make Oct 9 $802.00",
      "It would make $802.00 today; the mandate allows $700.00 a day.",
    ],
    [
      { constraint: "WEEK", limit: 70_000, reached: 80_200 },
      "Would make the week of Oct 5 $802.00",
      "It would make $802.00 this week; the mandate allows $700.00 a week.",
    ],
    [
      { constraint: "MONTH", limit: 150_000, reached: 160_200 },
      "Would make October $1,602.00",
      "It would make $1,602.00 this month; the mandate allows $1,500.00 a calendar month.",
    ],
    [
      { constraint: "THIRTY_DAYS", limit: 150_000, reached: 160_200 },
      "Would make 30 days $1,602.00",
      "It would make $1,602.00 within 30 days; the mandate allows $1,500.00 in any 30 days.",
    ],
    [
      { constraint: "TOTAL", limit: 450_000, reached: 460_200 },
      "Would make $4,602.00 in all",
      "It would make $4,602.00 in all; the mandate allows $4,500.00 in all.",
    ],
    [
      { constraint: "BALANCE", limit: 1_000_000, reached: -100 },
      "Operating would hold −$1.00, less than $10,000.00",
      "The source would hold less than the mandate's $10,000.00.",
    ],
    [
      { constraint: "ROUTE" },
      "The mandate does not name this route",
      "The mandate does not name this route.",
    ],
    [
      { constraint: "SIGNATURES", limit: null, reached: null },
      "The mandate has to be signed again",
      "The mandate has to be signed again.",
    ],
  ];

  it.each(CASES)("%j", (breach, forPeople, forPrograms) => {
    expect(breachWords(breach, { on: "2026-10-09", period: "WEEK", sourceName: "Operating" })).toBe(
      forPeople,
    );
    expect(breachForProgram(breach)).toBe(forPrograms);
  });

  it("needs no day where it goes without saying", () => {
    const words = (constraint: BrokenMandate["constraint"]) =>
      breachWords(
        { constraint, limit: 1, reached: 2 },
        { on: null, period: "MONTH", sourceName: "Operating" },
      );
    expect(words("DAY")).toBe("Would make the day $0.02");
    expect(words("WEEK")).toBe("Would make the week $0.02");
    expect(words("MONTH")).toBe("Would make the month $0.02");
    expect(words("RECURRENCE")).toBe("Already used once in its period");
  });

  it("tells a program nothing of what the source holds, and has words for every part", () => {
    expect(breachForProgram({ constraint: "BALANCE", limit: 1_000, reached: 12_345 })).not.toContain(
      "123.45",
    );
    for (const constraint of mandateConstraintSchema.options) {
      expect(breachForProgram({ constraint })).toMatch(/^[A-Z].*\.$/);
      expect(breachWords({ constraint }, { on: null, sourceName: "Operating" })).toMatch(/^[A-Z].*[^.]$/);
    }
  });
});
