import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import type { SearchedKey, SearchSetting } from "@/proof/mandates/find-excess";

/** Random sets of keys with mandates at moments where counting is hardest, the same for the same numbers. */
export function randomSetting(between: (least: number, most: number) => number): SearchSetting {
  const isOften = (in10: number) => between(1, 10) <= in10;
  const pick = <T>(values: readonly [T, ...T[]]): T => values[between(0, values.length - 1)] ?? values[0];
  const perhaps = <T>(value: () => T): T | null => (isOften(5) ? value() : null);
  const edge = pick(EDGES);
  const accounts = () => pick([["Operating"], ["Profit"], ["Operating", "Profit"]]);
  const terms = (): MandateTerms => ({
    sourceAccountIds: accounts(),
    destinationAccountIds: ["Taxes"],
    minimumInCents: isOften(2) ? 2 : null,
    maximumInCents: between(2, 3),
    dayInCents: perhaps(() => between(2, 5)),
    weekInCents: perhaps(() => between(2, 6)),
    monthInCents: perhaps(() => between(2, 6)),
    thirtyDaysInCents: perhaps(() => between(2, 6)),
    totalInCents: perhaps(() => between(2, 9)),
    maximumUses: perhaps(() => between(1, 4)),
    recurrence: perhaps(() => ({
      period: pick(["DAY", "WEEK", "MONTH"]),
      atMost: between(1, 3),
      daysApart: perhaps(() => pick([1, 2, 7, 30])),
    })),
    from: edge.from,
    until: edge.until,
    keepsInCents: null,
    purpose: null,
  });
  const key = (name: string): SearchedKey => ({
    name,
    mandates: Array.from({ length: between(1, 2) }, () => ({
      terms: terms(),
      timeZone: isOften(8) ? edge.timeZone : pick(["America/New_York", "Asia/Tokyo", "UTC"]),
    })),
    dailyCapInCents: isOften(3) ? between(3, 6) : null,
  });
  return {
    keys: isOften(8) ? [key("one")] : [key("one"), key("two")],
    moments: edge.moments.map((text) => new Date(text)),
    amounts: [2, 3],
    depth: 4,
    timeZone: edge.timeZone,
  };
}

const EDGES: [Edge, ...Edge[]] = [
  {
    timeZone: "America/New_York",
    from: "2026-10-31",
    until: "2026-12-01",
    moments: ["2026-11-01T03:59:59.999Z", "2026-11-01T04:00:00Z", "2026-12-01T04:59:59.999Z"],
  },
  {
    timeZone: "America/Havana",
    from: "2026-10-31",
    until: "2026-11-02",
    moments: [
      "2026-11-01T03:59:59.999Z",
      "2026-11-01T04:30:00Z",
      "2026-11-01T05:30:00Z",
      "2026-11-02T04:59:59Z",
    ],
  },
  {
    timeZone: "Asia/Tokyo",
    from: "2026-07-01",
    until: "2026-07-31",
    moments: ["2026-06-30T15:00:00Z", "2026-07-05T15:00:00Z", "2026-07-30T15:00:00Z"],
  },
  {
    timeZone: "Africa/Cairo",
    from: "2026-04-23",
    until: "2026-05-31",
    moments: ["2026-04-23T21:59:59.999Z", "2026-04-23T22:00:00Z", "2026-04-30T21:00:00Z"],
  },
];

interface Edge {
  timeZone: string;
  from: string;
  until: string;
  moments: string[];
}
