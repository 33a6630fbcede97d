import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ProfilePage } from "@/app/profile/_components/profile-page";
import { partOfMonth } from "@/app/profile/_components/profile-words";
import type { FinancialProfile, StreamFrequency } from "@/lib/contract/financial-profile";
import { monthlyAmount } from "@/lib/contract/monthly-amount";
import { spendingCategorySchema } from "@/lib/contract/transactions";
import type { ProfileView } from "@/lib/views/read-profile-page";

const time = { nowAt: "2026-11-23T14:00:00Z", timeZone: "America/New_York", locale: "en-US" };

type Bill = FinancialProfile["recurringBills"]["items"][number];

function bill(
  name: string,
  averageInCents: number,
  frequency: StreamFrequency,
  more: Partial<Bill> = {},
): Bill {
  return {
    name,
    frequency,
    averageInCents,
    category: "SHOPPING",
    lastDate: "2026-11-03",
    nextExpectedDate: "2026-12-03",
    status: "ACTIVE",
    priceChangeInCents: 0,
    ...more,
  };
}

function viewOf(bills: Bill[], incomeInCents = 300_000, spentInCents = 290_000): ProfileView {
  return {
    profile: {
      window: { from: "2026-08-25T14:00:00.000Z", to: time.nowAt },
      currency: "USD",
      generatedAt: time.nowAt,
      coverage: {
        accounts: [],
        staleConnections: [],
        firstDate: null,
        transactionCount: 9,
        uncategorizedShare: 0,
      },
      income: { totalInCents: incomeInCents, monthlyAverageInCents: 101_458, streams: [] },
      recurringBills: {
        monthlyTotalInCents: bills.reduce((sum, each) => sum + monthlyAmount(each), 0),
        items: bills,
      },
      fees: { totalInCents: 0, byKind: [] },
      savings: { netTransferredInCents: 17_400, rate: 0.058, targets: [] },
      cashFlow: {
        months: ["2026-08", "2026-09", "2026-10", "2026-11"].map((month) => ({
          month,
          inInCents: 0,
          outInCents: 0,
          netInCents: 0,
        })),
      },
      discretionary: { totalInCents: 0, monthlyAverageInCents: 0, share: 0 },
      categoryBreakdown: spendingCategorySchema.options.map((category) => ({
        category,
        amountInCents: category === "OTHER" ? spentInCents : 0,
        share: category === "OTHER" ? 1 : 0,
        transactionCount: 0,
      })),
    },
    spendingMonths: [],
    otherPayees: [{ name: "Brightpay", amountInCents: 200_000 }],
    isKept: false,
    days: 90,
    hrefs: { 30: "/profile?days=30", 90: "/profile", 365: "/profile?days=365" },
    time,
  };
}

const render = (view: ProfileView) => renderToStaticMarkup(<ProfilePage view={view} />);
/** The text of each row of the table with this caption. */
function rowsOf(html: string, caption: string): string[] {
  const table = html.split(`${caption}</caption>`)[1]?.split("</table>")[0] ?? "";
  return [...table.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row]) =>
    (row ?? "")
      .replaceAll(/<(?!span data-cents)[^>]*>/g, " ")
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/ +/g, " ")
      .trim(),
  );
}
const lastCents = (row: string) =>
  Number((/\$([\d,]+\.\d\d)\D*$/.exec(row.replace(/ \./g, "."))?.[1] ?? "x").replace(/[,.]/g, ""));

test("the bills add up to their total: per month, the ones not listed in one row, ended ones as nothing", () => {
  const bills = [
    bill("Weekly", 10_000, "WEEKLY"),
    bill("Yearly", 120_000, "YEARLY"),
    bill("Ended", 99_900, "MONTHLY", { status: "ENDED", nextExpectedDate: null }),
    ...Array.from({ length: 15 }, (_, index) => bill(`Bill ${index}`, 1_001 + index, "MONTHLY")),
  ];
  const html = render(viewOf(bills));
  const rows = rowsOf(html, "Recurring bills with next date and amount").slice(1);
  const total = rows.at(-1) ?? "";
  expect(total).toContain("Each month");
  expect(rows.at(-2)).toContain("6 more bills");
  expect(rows.slice(0, -1).reduce((sum, row) => sum + lastCents(row), 0)).toBe(lastCents(total));
  expect(html).toContain("Weekly, ");
});

test("a date that has passed is not called the next one", () => {
  const html = render(viewOf([bill("Stackline", 8_400, "MONTHLY", { nextExpectedDate: "2026-11-19" })]));
  const [row] = rowsOf(html, "Recurring bills with next date and amount").slice(1);
  expect(row?.replaceAll("\u00a0", " ")).toMatch(/Expected .*19.*, not seen yet/);
});

test("what was kept is the same above and below, and apart from what was set aside", () => {
  const html = render(viewOf([]));
  expect(html).toContain("You kept 3% of what came in");
  const text = html.replaceAll(/<[^>]*>/g, "");
  // 290,000 over 90 days is 980.76 a month.
  expect(text).toContain("Monthly spending$980.76");
  expect(text).toContain("Kept each month$33.82");
  expect(text).not.toContain("Savings rate");
  expect(text).toContain("Set aside $174.00, 5.8% of income");
});

test("the largest category names its payees, and adds up", () => {
  const rows = rowsOf(render(viewOf([])), "Payees without a spending category");
  expect(rows.map((row) => [row.split(" $")[0], lastCents(row)])).toEqual([
    ["Brightpay", 200_000],
    ["All others", 90_000],
    ["Other categories", 290_000],
  ]);
});

test("months that the period covers in part are named", () => {
  const { window } = viewOf([]).profile;
  const parts = ["2026-08", "2026-09", "2026-11"].map((month) => partOfMonth(month, window, time));
  expect(parts.map((part) => part?.replaceAll("\u00a0", " ") ?? null)).toEqual([
    expect.stringMatching(/^from .*25/),
    null,
    "so far",
  ]);
  const text = render(viewOf([]))
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("\u00a0", " ");
  expect(text).toMatch(/Not whole months: August from .*25.* and November so far\./);
  const whole = { from: "2026-08-01T04:00:00Z", to: "2026-12-01T04:59:59Z" };
  expect(["2026-08", "2026-11"].map((month) => partOfMonth(month, whole, time))).toEqual([null, null]);
});
