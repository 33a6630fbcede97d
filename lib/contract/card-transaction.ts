import { z } from "zod";
import { flowDirectionSchema } from "@/lib/contract/external-transaction";
import { accountReferenceSchema } from "@/lib/contract/transfer";

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
    subtype: cardTransactionSubtypeSchema.describe("`PAYOUT`: an incoming push-to-card payment, income."),
    status: z.enum(["COMPLETE"]).describe("More values may be added."),
    amountInCents: z.int().positive(),
    description: z.string().describe("Typically the merchant's name; may be empty."),
    createdAt: z.iso.datetime().describe("When it was recorded."),
    completedAt: z.iso.datetime().describe("When it settled."),
  })
  .meta({ id: "CardTransaction", description: "A settled purchase, refund or payout of an issued card." });
export type CardTransaction = z.infer<typeof cardTransactionSchema>;
