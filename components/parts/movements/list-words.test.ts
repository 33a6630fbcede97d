import { expect, test } from "vitest";
import { listSums, listTitle, positionWords, windowWords } from "@/components/parts/movements/list-words";
import type { MovementTab } from "@/lib/contract/search/movement-search";
import { movementSearchSchema, refusedAmountOf } from "@/lib/contract/search/search-schemas";

const time = { nowAt: "2026-11-20T16:26:00Z", timeZone: "America/New_York", locale: "en-US" };
const search = movementSearchSchema.parse({});
const title = (
  tab: MovementTab,
  count: number,
  totals: { inInCents: number; outInCents: number } | null,
  isMore = false,
) => listTitle({ tab, totals, count: { count, isMore }, search, time });

test("the title shows totals, or a count where totals would be too costly", () => {
  const totals = { inInCents: 3_275_000, outInCents: 1_744_475 };
  expect(title("TRANSFERS", 186, totals)).toBe("$32,750.00 came in, $17,444.75 went out");
  expect(title("TRANSFERS", 10_000, null, true)).toBe("10,000+ transfers");
  expect(title("TRANSFERS", 1, { inInCents: 0, outInCents: 0 })).toBe("1 transfer");
  expect(title("TRANSFERS", 0, { inInCents: 0, outInCents: 0 })).toBe("Nothing moved");
  expect(title("CARDS", 61, { inInCents: 0, outInCents: 320_814 })).toBe(
    "Your cards spent $3,208.14 in 30 days",
  );
  expect(title("CARDS", 2, { inInCents: 0, outInCents: -500 })).toBe(
    "Your cards got back $5.00 more than they spent in 30 days",
  );
  expect(title("OUTSIDE", 1, null)).toBe("1 transaction outside Sluice");
});

test("a narrowed list ends with what it comes to", () => {
  const sums = (tab: MovementTab, inInCents: number) =>
    listSums({ tab, sum: { summedCount: 1, sumInCents: 700 }, totals: { inInCents, outInCents: 500 } });
  expect(sums("TRANSFERS", 0)).toEqual([{ label: "Sum of 1 transfer", cents: 700 }]);
  expect(sums("CARDS", 0)).toEqual([{ label: "Spent, less refunds", cents: 500 }]);
  expect(sums("CARDS", 200).map(({ label }) => label)).toEqual(["Paid out to you", "Spent, less refunds"]);
  expect(sums("OUTSIDE", 0)).toEqual([
    { label: "Came in", cents: 0 },
    { label: "Went out", cents: 500 },
  ]);
  expect(listSums({ tab: "TRANSFERS", sum: null, totals: null })).toEqual([]);
});

test("an amount to search for that cannot be read is refused, not ignored", () => {
  expect(refusedAmountOf("twelve")).toBe("twelve");
  expect(refusedAmountOf(["12.345", "1"])).toBe("12.345");
  expect(refusedAmountOf("0")).toBe("0");
  expect(refusedAmountOf("x".repeat(500))).toHaveLength(24);
  for (const typed of [undefined, "", " ", "$1,250.00", "12"]) expect(refusedAmountOf(typed)).toBeNull();
});

test("the position is shown as far as the list is counted", () => {
  const count = { count: 10_000, isMore: true };
  const rows = Array.from({ length: 25 });
  expect(positionWords({ rows, firstPosition: 26, count })).toBe("26 to 50 of 10,000+");
  expect(positionWords({ rows, firstPosition: null, count })).toBe("25 more, of 10,000+");
});

test("the window is shown in days or as a date range", () => {
  expect(windowWords(search, time)).toBe("the last 30 days");
  const range = movementSearchSchema.parse({ from: "2026-11-01", to: "2026-11-05" });
  expect(windowWords(range, time).replaceAll("\u00a0", " ")).toBe("Nov 1 to Nov 5");
});
