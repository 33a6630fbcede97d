import { EXAMPLE_IDS, EXAMPLE_TIMES } from "@/lib/api/operations/examples";
import type { FinancialProfile } from "@/lib/contract/financial-profile";

const none = { amountInCents: 0, share: 0, transactionCount: 0 };

/** The profile of the reference: ninety days of the small organization. */
export const EXAMPLE_PROFILE: FinancialProfile = {
  window: { from: "2026-08-22T00:00:00.000Z", to: "2026-11-20T00:00:00.000Z" },
  currency: "USD",
  generatedAt: EXAMPLE_TIMES.asked,
  coverage: {
    accounts: [
      {
        id: EXAMPLE_IDS.operating,
        name: "Operating",
        type: "POD",
        externalAccountType: null,
        firstDate: "2026-08-03",
      },
    ],
    staleConnections: [],
    firstDate: "2026-08-03",
    transactionCount: 21,
    uncategorizedShare: 0,
  },
  income: {
    totalInCents: 3_600_000,
    monthlyAverageInCents: 1_217_500,
    streams: [
      {
        name: "Halden Health",
        frequency: "EVERY_OTHER_WEEK",
        averageInCents: 600_000,
        lastDate: "2026-11-13",
        nextExpectedDate: "2026-11-27",
        status: "ACTIVE",
      },
    ],
  },
  recurringBills: {
    monthlyTotalInCents: 195_000,
    items: [
      {
        name: "Dockside Lofts",
        category: "HOUSING_AND_UTILITIES",
        frequency: "MONTHLY",
        averageInCents: 195_000,
        lastDate: "2026-11-01",
        nextExpectedDate: "2026-12-01",
        status: "ACTIVE",
        priceChangeInCents: 0,
      },
    ],
  },
  fees: { totalInCents: 3_500, byKind: [{ kind: "WIRE", amountInCents: 3_500, count: 1 }] },
  savings: {
    netTransferredInCents: 900_000,
    rate: 0.25,
    targets: [
      {
        accountId: EXAMPLE_IDS.taxes,
        name: "Taxes",
        targetInCents: 1_800_000,
        balanceInCents: 900_000,
        share: 0.5,
      },
    ],
  },
  cashFlow: {
    months: [
      { month: "2026-08", inInCents: 600_000, outInCents: 0, netInCents: 600_000 },
      { month: "2026-09", inInCents: 1_200_000, outInCents: 223_500, netInCents: 976_500 },
      { month: "2026-10", inInCents: 1_200_000, outInCents: 225_000, netInCents: 975_000 },
      { month: "2026-11", inInCents: 600_000, outInCents: 230_000, netInCents: 370_000 },
    ],
  },
  discretionary: { totalInCents: 90_000, monthlyAverageInCents: 30_438, share: 0.1326 },
  categoryBreakdown: [
    { category: "HOUSING_AND_UTILITIES", amountInCents: 585_000, share: 0.8622, transactionCount: 3 },
    { category: "FOOD_AND_DRINK", amountInCents: 90_000, share: 0.1326, transactionCount: 11 },
    { category: "TRANSPORTATION", ...none },
    { category: "SHOPPING", ...none },
    { category: "HEALTH_AND_PERSONAL_CARE", ...none },
    { category: "ENTERTAINMENT_AND_TRAVEL", ...none },
    { category: "DEBT_AND_FEES", amountInCents: 3_500, share: 0.0052, transactionCount: 1 },
    { category: "OTHER", ...none },
  ],
};
