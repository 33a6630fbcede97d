import { expect, it } from "vitest";
import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import { backtestMandate, type PastTransfer } from "@/lib/engine/mandates/backtest-mandate";
import { DESTINATION_ID, NEW_YORK, routeTerms, SOURCE_ID } from "@/lib/testing/mandates/route-terms";

const terms = (change: Partial<MandateTerms> = {}) =>
  routeTerms({
    maximumInCents: 35_000,
    monthInCents: 150_000,
    from: "2026-11-20",
    until: "2027-02-28",
    ...change,
  });

const transfer = (at: string, amountInCents: number, change: Partial<PastTransfer> = {}): PastTransfer => ({
  id: `${at} ${amountInCents}`,
  sourceAccountId: SOURCE_ID,
  destinationAccountId: DESTINATION_ID,
  amountInCents,
  requestedAt: new Date(`${at}T16:00:00Z`),
  outcome: "MOVED",
  heldAfterInCents: null,
  ...change,
});

it("sums what it would have accepted by month, also before its first day", () => {
  const past = [
    transfer("2026-10-02", 20_000),
    transfer("2026-09-03", 10_000),
    transfer("2026-09-30", 5_000),
  ];
  const { months, accepted, transferCount, waiting, denied } = backtestMandate(terms(), past, NEW_YORK);
  expect(months).toEqual([
    { month: "2026-09", count: 2, inCents: 15_000 },
    { month: "2026-10", count: 1, inCents: 20_000 },
  ]);
  expect({ accepted, transferCount, waiting, denied }).toEqual({
    accepted: { count: 3, inCents: 35_000 },
    transferCount: 3,
    waiting: [],
    denied: [],
  });
});

it("counts a month in the mandate's time zone", () => {
  const late = transfer("2026-09-30", 100, { requestedAt: new Date("2026-10-01T03:59:59Z") });
  expect(backtestMandate(terms(), [late], NEW_YORK).months).toMatchObject([{ month: "2026-09" }]);
});

it("names what would have waited and why, and does not count it", () => {
  const past = [
    transfer("2026-10-01", 42_000),
    ...Array.from({ length: 4 }, (_, day) => transfer(`2026-10-0${day + 2}`, 35_000)),
    transfer("2026-10-09", 14_000),
    transfer("2026-10-10", 10_000),
  ];
  const { waiting, accepted } = backtestMandate(terms(), past, NEW_YORK);
  expect(waiting.map(({ transfer: { id }, breach }) => [id, breach])).toEqual([
    ["2026-10-01 42000", { constraint: "ABOVE_MAXIMUM", limit: 35_000, reached: 42_000 }],
    ["2026-10-09 14000", { constraint: "MONTH", limit: 150_000, reached: 154_000 }],
  ]);
  expect(accepted).toEqual({ count: 5, inCents: 150_000 });
});

it("shows what a person denied that it would have accepted, and counts it as used", () => {
  const past = [
    transfer("2026-10-01", 35_000, { outcome: "DENIED" }),
    transfer("2026-10-02", 50_000, { outcome: "DENIED" }),
    transfer("2026-10-03", 10_000),
  ];
  const { denied, accepted, waiting } = backtestMandate(terms({ monthInCents: 40_000 }), past, NEW_YORK);
  expect(denied.map(({ id }) => id)).toEqual(["2026-10-01 35000"]);
  expect(accepted).toEqual({ count: 1, inCents: 35_000 });
  expect(waiting.map(({ breach }) => breach.constraint)).toEqual(["ABOVE_MAXIMUM", "MONTH"]);
});

it("does not count what failed later, and keeps waiting what the balance did not allow", () => {
  const past = [
    transfer("2026-10-01", 35_000, { outcome: "FAILED" }),
    transfer("2026-10-02", 35_000, { heldAfterInCents: 999 }),
    transfer("2026-10-03", 35_000, { heldAfterInCents: 1_000 }),
  ];
  const { accepted, waiting } = backtestMandate(
    terms({ monthInCents: 40_000, keepsInCents: 1_000 }),
    past,
    NEW_YORK,
  );
  expect(accepted).toEqual({ count: 2, inCents: 70_000 });
  expect(waiting.map(({ breach }) => breach.constraint)).toEqual(["BALANCE"]);
});

it("keeps other routes out of the mandate", () => {
  const { waiting } = backtestMandate(
    terms(),
    [transfer("2026-10-01", 100, { destinationAccountId: "elsewhere" })],
    NEW_YORK,
  );
  expect(waiting).toMatchObject([{ breach: { constraint: "ROUTE" } }]);
});
