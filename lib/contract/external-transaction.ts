import { z } from "zod";
import { spendingCategorySchema } from "@/lib/contract/spending-category";

export const flowDirectionSchema = z.enum(["MONEY_IN", "MONEY_OUT"]);
export type FlowDirection = z.infer<typeof flowDirectionSchema>;

export const externalTransactionStatusSchema = z.enum(["PENDING", "COMPLETE"]);
export type ExternalTransactionStatus = z.infer<typeof externalTransactionStatusSchema>;

/** Specification, Part 2, "External transaction": a movement on a connected account, seen and not made by us. */
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
    description: "A movement on a connected account, seen and not made by Sluice.",
  });
export type ExternalTransaction = z.infer<typeof externalTransactionSchema>;
