import { z } from "zod";
import { accountReferenceSchema } from "@/lib/contract/transfer";

/** The eight spending categories (docs/behavior/accounts.md). */
export const spendingCategorySchema = z
  .enum([
    "HOUSING_AND_UTILITIES",
    "FOOD_AND_DRINK",
    "TRANSPORTATION",
    "SHOPPING",
    "HEALTH_AND_PERSONAL_CARE",
    "ENTERTAINMENT_AND_TRAVEL",
    "DEBT_AND_FEES",
    "OTHER",
  ])
  .meta({ id: "SpendingCategory" });
export type SpendingCategory = z.infer<typeof spendingCategorySchema>;

export const flowDirectionSchema = z.enum(["MONEY_IN", "MONEY_OUT"]);
export type FlowDirection = z.infer<typeof flowDirectionSchema>;

export const cardTypeSchema = z.enum(["DEBIT_CARD", "OMNI_CARD"]);
export type CardType = z.infer<typeof cardTypeSchema>;

export const cardTransactionSubtypeSchema = z.enum(["PURCHASE", "REFUND", "PAYOUT"]);
export type CardTransactionSubtype = z.infer<typeof cardTransactionSubtypeSchema>;

/** Specification, Part 2, "Card transaction": settled only. */
export const cardTransactionSchema = z
  .strictObject({
    id: z.uuid(),
    cardId: z.uuid(),
    cardType: cardTypeSchema,
    account: accountReferenceSchema.describe("The pod that funded or received the money."),
    direction: flowDirectionSchema.describe("A purchase is out; a refund or a payout is in."),
    subtype: cardTransactionSubtypeSchema.describe(
      "`PAYOUT`: an incoming push-to-card payment, counted as income.",
    ),
    status: z.enum(["COMPLETE"]).describe("More values may be added."),
    amountInCents: z.int().positive(),
    description: z.string().describe("Typically the merchant's name; may be empty."),
    createdAt: z.iso.datetime().describe("When it was recorded."),
    completedAt: z.iso.datetime().describe("When it settled."),
  })
  .meta({ id: "CardTransaction", description: "A settled purchase, refund or payout of an issued card." });
export type CardTransaction = z.infer<typeof cardTransactionSchema>;

export const externalTransactionStatusSchema = z.enum(["PENDING", "COMPLETE"]);
export type ExternalTransactionStatus = z.infer<typeof externalTransactionStatusSchema>;

/**
 * Specification, Part 2, "External transaction": a movement on a connected account that Sluice sees but did not make.
 */
export const externalTransactionSchema = z
  .strictObject({
    id: z.uuid(),
    accountId: z.uuid(),
    amountInCents: z.int().positive(),
    direction: flowDirectionSchema,
    status: externalTransactionStatusSchema.describe("`PENDING`: not settled yet. `COMPLETE`: posted."),
    description: z.string(),
    transactionDate: z.iso.datetime(),
    merchantName: z
      .string()
      .nullable()
      .describe("Normalized by the provider; null when absent or not yet known."),
    category: spendingCategorySchema.nullable().describe("Null when not yet known."),
  })
  .meta({
    id: "ExternalTransaction",
    description: "A movement on a connected account that Sluice sees but did not make.",
  });
export type ExternalTransaction = z.infer<typeof externalTransactionSchema>;
