import { z } from "zod";
import { accountTypeSchema, externalAccountTypeSchema } from "@/lib/contract/account";
import { spendingCategorySchema } from "@/lib/contract/transactions";

export const streamFrequencySchema = z.enum([
  "WEEKLY",
  "EVERY_OTHER_WEEK",
  "TWICE_A_MONTH",
  "MONTHLY",
  "QUARTERLY",
  "YEARLY",
  "IRREGULAR",
]);
export type StreamFrequency = z.infer<typeof streamFrequencySchema>;

/** ENDED: the next one did not arrive in time. */
export const streamStatusSchema = z.enum(["ACTIVE", "ENDED"]);
export type StreamStatus = z.infer<typeof streamStatusSchema>;

export const feeKindSchema = z.enum([
  "BANK",
  "INTEREST",
  "OVERDRAFT",
  "ATM",
  "FOREIGN_TRANSACTION",
  "LATE_PAYMENT",
  "WIRE",
]);

const cents = z.int();
/** 0 to 1, four digits. */
const share = z.number().min(0).max(1);

const streamShape = {
  name: z.string(),
  frequency: streamFrequencySchema,
  averageInCents: cents,
  lastDate: z.iso.date(),
  /** Null when it ended, or has no regular interval. */
  nextExpectedDate: z.iso.date().nullable(),
  status: streamStatusSchema,
};

const coverageSchema = z.strictObject({
  /** Where the figures come from; `firstDate` is null without any transactions. */
  accounts: z.array(
    z.strictObject({
      id: z.uuid(),
      name: z.string(),
      type: accountTypeSchema,
      externalAccountType: externalAccountTypeSchema.nullable(),
      firstDate: z.iso.date().nullable(),
    }),
  ),
  /** Connections whose transactions may be missing: sign-in required, in error, or not refreshed for two days. */
  staleConnections: z.array(
    z.strictObject({
      id: z.uuid(),
      institutionName: z.string(),
      status: z.enum(["ACTIVE", "NEEDS_SIGN_IN", "DISCONNECTED"]),
      errorCode: z.string().nullable(),
      lastRefreshedAt: z.iso.datetime().nullable(),
    }),
  ),
  firstDate: z.iso.date().nullable(),
  /** Income, purchases and refunds behind the figures. */
  transactionCount: z.int().nonnegative(),
  /** Share of purchases, by number. */
  uncategorizedShare: share,
});

/** Decisions page, "Financial profile"; docs/financial-profile.md defines each category. Never raw transactions. */
export const financialProfileSchema = z.strictObject({
  /** Both inclusive. */
  window: z.strictObject({ from: z.iso.datetime(), to: z.iso.datetime() }),
  currency: z.literal("USD"),
  generatedAt: z.iso.datetime(),
  coverage: coverageSchema,
  income: z.strictObject({
    totalInCents: cents,
    monthlyAverageInCents: cents,
    streams: z.array(z.strictObject(streamShape)),
  }),
  recurringBills: z.strictObject({
    /** Monthly total of the active bills. */
    monthlyTotalInCents: cents,
    items: z.array(
      z.strictObject({
        ...streamShape,
        category: spendingCategorySchema,
        /** The last charge minus the one before it. */
        priceChangeInCents: cents,
      }),
    ),
  }),
  fees: z.strictObject({
    totalInCents: cents,
    byKind: z.array(
      z.strictObject({ kind: feeKindSchema, amountInCents: cents, count: z.int().nonnegative() }),
    ),
  }),
  savings: z.strictObject({
    netTransferredInCents: cents,
    /** Share of income; negative when more was withdrawn than set aside; null without income. */
    rate: z.number().nullable(),
    targets: z.array(
      z.strictObject({
        accountId: z.uuid(),
        name: z.string(),
        targetInCents: cents,
        balanceInCents: cents,
        share,
      }),
    ),
  }),
  cashFlow: z.strictObject({
    months: z.array(
      z.strictObject({
        /** `YYYY-MM`, in the organization's time zone. */
        month: z.string().regex(/^\d{4}-\d{2}$/),
        inInCents: cents,
        outInCents: cents,
        netInCents: cents,
      }),
    ),
  }),
  discretionary: z.strictObject({ totalInCents: cents, monthlyAverageInCents: cents, share }),
  /** Always all eight. */
  categoryBreakdown: z
    .array(
      z.strictObject({
        category: spendingCategorySchema,
        amountInCents: cents,
        share,
        transactionCount: z.int().nonnegative(),
      }),
    )
    .length(spendingCategorySchema.options.length),
});
export type FinancialProfile = z.infer<typeof financialProfileSchema>;

/** Spending in one month by category, always all eight: for the page, not part of the API's profile. */
export const spendingMonthSchema = z.object({
  /** `YYYY-MM`, in the organization's time zone. */
  month: z.string(),
  categories: z.array(z.object({ category: spendingCategorySchema, amountInCents: cents })),
});
