import { z } from "zod";
import {
  feeKindSchema,
  financialProfileSchema,
  spendingMonthSchema,
  streamFrequencySchema,
} from "@/lib/contract/financial-profile";
import { DAYS_IN_A_MONTH, monthlyAmount } from "@/lib/contract/monthly-amount";
import { spendingCategorySchema } from "@/lib/contract/transactions";
import type { ProfileWindow } from "@/lib/core/profile/choose-profile-window";

const DAY_MS = 86_400_000;

/** The profile with what only its page shows. */
export const pageProfileSchema = financialProfileSchema.extend({
  /** The same months as the cash flow's. */
  spendingMonths: z.array(spendingMonthSchema),
  /** The largest payees in `OTHER`, as far as they have a name. */
  otherPayees: z.array(z.strictObject({ name: z.string(), amountInCents: z.int() })),
});
export type PageProfile = z.infer<typeof pageProfileSchema>;

type Figures = Omit<PageProfile, "window" | "currency" | "generatedAt" | "coverage" | "savings">;

/** Shares and monthly averages of the database's sums. A window shorter than a day counts as one day. Pure. */
export function shapeProfile(row: ProfileRow, window: ProfileWindow): Figures {
  const days = Math.max(1, (window.to.getTime() - window.from.getTime()) / DAY_MS);
  const monthly = (totalInCents: number) => Math.round((totalInCents * DAYS_IN_A_MONTH) / days);
  const { income, spending } = row.totals;
  const bills = row.streams
    .filter((stream) => stream.kind === "SPENDING")
    .map((bill) => ({
      ...toStream(bill),
      category: bill.category ?? ("OTHER" as const),
      priceChangeInCents: bill.priceChange,
    }));
  return {
    income: {
      totalInCents: income,
      monthlyAverageInCents: monthly(income),
      streams: row.streams.filter((stream) => stream.kind === "INCOME").map(toStream),
    },
    recurringBills: {
      monthlyTotalInCents: bills.reduce((sum, bill) => sum + monthlyAmount(bill), 0),
      items: bills,
    },
    fees: {
      totalInCents: row.fees.reduce((sum, fee) => sum + fee.amount, 0),
      byKind: row.fees.map((fee) => ({ kind: fee.feeKind, amountInCents: fee.amount, count: fee.charges })),
    },
    cashFlow: {
      months: row.months.map(({ month, cameIn, wentOut }) => ({
        month,
        inInCents: cameIn,
        outInCents: wentOut,
        netInCents: cameIn - wentOut,
      })),
    },
    discretionary: {
      totalInCents: row.discretionary,
      monthlyAverageInCents: monthly(row.discretionary),
      share: shareOf(row.discretionary, spending),
    },
    categoryBreakdown: spendingCategorySchema.options.map((category) => {
      const found = row.categories.find((candidate) => candidate.category === category);
      const amountInCents = found?.amount ?? 0;
      return {
        category,
        amountInCents,
        share: shareOf(amountInCents, spending),
        transactionCount: found?.purchases ?? 0,
      };
    }),
    spendingMonths: row.months.map(({ month }) => ({
      month,
      categories: spendingCategorySchema.options.map((category) => ({
        category,
        amountInCents:
          row.categoryMonths.find((found) => found.month === month && found.category === category)?.amount ??
          0,
      })),
    })),
    otherPayees: row.payees.map(({ name, amount }) => ({ name, amountInCents: amount })),
  };
}

function toStream(stream: ProfileRow["streams"][number]) {
  return {
    name: stream.name,
    frequency: stream.frequency,
    averageInCents: stream.average,
    lastDate: stream.lastDay,
    nextExpectedDate: stream.nextDate,
    status: stream.isActive ? ("ACTIVE" as const) : ("ENDED" as const),
  };
}

/** Between 0 and 1, four digits; clamped because refunds can make a part negative or larger than the whole. */
export function shareOf(part: number, whole: number): number {
  if (whole <= 0) return 0;
  return roundTo4(Math.min(1, Math.max(0, part / whole)));
}

export function roundTo4(value: number): number {
  // `+ 0` avoids negative zero.
  return Math.round(value * 10_000) / 10_000 + 0;
}

/** The result of the SQL function `financial_profile`; validated because JSON silently rounds sums beyond 2^53. */
export const profileRowSchema = z.object({
  totals: z.object({
    income: z.int(),
    spending: z.int(),
    flows: z.int(),
    purchases: z.int(),
    uncategorized: z.int(),
    saved: z.int(),
  }),
  discretionary: z.int(),
  months: z.array(z.object({ month: z.string(), cameIn: z.int(), wentOut: z.int() })),
  categories: z.array(z.object({ category: spendingCategorySchema, amount: z.int(), purchases: z.int() })),
  categoryMonths: z.array(z.object({ month: z.string(), category: spendingCategorySchema, amount: z.int() })),
  /** The largest in `OTHER`. */
  payees: z.array(z.object({ name: z.string(), amount: z.int() })),
  fees: z.array(z.object({ feeKind: feeKindSchema, amount: z.int(), charges: z.int() })),
  streams: z.array(
    z.object({
      kind: z.enum(["INCOME", "SPENDING"]),
      name: z.string(),
      category: spendingCategorySchema.nullable(),
      frequency: streamFrequencySchema,
      average: z.int(),
      lastDay: z.iso.date(),
      nextDate: z.iso.date().nullable(),
      isActive: z.boolean(),
      priceChange: z.int(),
    }),
  ),
});
type ProfileRow = z.infer<typeof profileRowSchema>;
