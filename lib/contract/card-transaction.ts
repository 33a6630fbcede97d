import { z } from "zod";
import { flowDirectionSchema } from "@/lib/contract/external-transaction";
import { accountReferenceSchema } from "@/lib/contract/transfer";

export const cardTypeSchema = z.enum(["DEBIT_CARD", "OMNI_CARD"]);
export type CardType = z.infer<typeof cardTypeSchema>;

export const cardTransactionSubtypeSchema = z.enum(["PURCHASE", "REFUND", "PAYOUT"]);
export type CardTransactionSubtype = z.infer<typeof cardTransactionSubtypeSchema>;

/** Specification, Part 2, "Card transaction": settled only. */
export const cardTransactionSchema = z.strictObject({
  id: z.uuid(),
  cardId: z.uuid(),
  cardType: cardTypeSchema,
  /** The pod that funded or received the money. */
  account: accountReferenceSchema,
  direction: flowDirectionSchema,
  subtype: cardTransactionSubtypeSchema,
  /** More may be added. */
  status: z.enum(["COMPLETE"]),
  amountInCents: z.int().positive(),
  /** Typically the merchant's name; may be empty. */
  description: z.string(),
  createdAt: z.iso.datetime(),
  completedAt: z.iso.datetime(),
});
export type CardTransaction = z.infer<typeof cardTransactionSchema>;
