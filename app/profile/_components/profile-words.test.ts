import { expect, it } from "vitest";
import { aMonth, percent, profileTitle, rate } from "@/app/profile/_components/profile-words";
import type { FinancialProfile } from "@/lib/contract/financial-profile";

function title(incomeInCents: number, spentInCents: number): string {
  const profile: Pick<FinancialProfile, "income" | "categoryBreakdown"> = {
    income: { totalInCents: incomeInCents, monthlyAverageInCents: 0, streams: [] },
    categoryBreakdown: [{ category: "SHOPPING", amountInCents: spentInCents, share: 1, transactionCount: 1 }],
  };
  return profileTitle(profile);
}

it("says how much of the income was kept, or by how much spending exceeded it", () => {
  expect(title(100_000, 71_000)).toBe("You kept 29% of what came in");
  expect(title(100_000, 100_000)).toBe("You kept 0% of what came in");
  expect(title(100_000, 112_000)).toBe("You spent 12% more than came in");
  expect(title(100_000, 100_100)).toBe("You spent <1% more than came in");
  expect(title(0, 500)).toBe("You spent money but had no income");
  expect(title(0, 0)).toBe("No income and no spending");
});

it("states a window's sum per month, and never rounds a share down to zero", () => {
  const window = { from: "2025-01-01T00:00:00.000Z", to: "2026-01-01T06:00:00.000Z" };
  expect(aMonth(1_200_000, window)).toBe(100_000);
  expect([percent(0), percent(0.001), percent(0.286)]).toEqual(["0%", "<1%", "29%"]);
  expect([rate(0.291), rate(-0.05)]).toEqual(["29.1%", "−5.0%"]);
});
