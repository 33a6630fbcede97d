import { z } from "zod";
import { centsBetween } from "@/lib/contract/input/cents";
import { MAXIMUM_TRANSFER_IN_CENTS, MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { nameText } from "@/lib/contract/plain-text";
import { cardTypeSchema, spendingCategorySchema } from "@/lib/contract/transactions";

export const cardStatusSchema = z.enum(["ACTIVE", "FROZEN", "CLOSED"]);
export type CardStatus = z.infer<typeof cardStatusSchema>;

/** Why a purchase was declined. */
export const cardDeclineReasonSchema = z.enum([
  "CARD_UNKNOWN",
  "CARD_CLOSED",
  "CARD_FROZEN",
  "GATES_CLOSED",
  "ACCOUNT_CLOSED",
  "MONTHLY_LIMIT",
  "INSUFFICIENT_FUNDS",
  "BELOW_FLOOR",
  /** The network's reference was used before, with another card or amount. */
  "REFERENCE_REUSED",
  /** The network reversed this authorization before it requested it. */
  "RELEASED",
]);
export type CardDeclineReason = z.infer<typeof cardDeclineReasonSchema>;

export const MAXIMUM_CARD_NAME_LENGTH = 60;
const MAXIMUM_MERCHANT_LENGTH = 60;

/** What an owner or co-owner enters to issue a card. */
export const issueCardSchema = z.strictObject({
  cardType: cardTypeSchema,
  name: nameText(MAXIMUM_CARD_NAME_LENGTH),
  /** The pod it spends from. */
  accountId: z.uuid("must be the UUID of a pod").toLowerCase(),
  /** The member who carries it; null for no one in particular. */
  holderId: z.uuid("must be the UUID of a member").toLowerCase().nullable(),
  /** Spending limit for a calendar month of the organization; null for no limit of its own. */
  monthlyLimitInCents: centsBetween(MINIMUM_TRANSFER_IN_CENTS, MAXIMUM_TRANSFER_IN_CENTS).nullable(),
});
export type IssueCardInput = z.input<typeof issueCardSchema>;

/** What a member has a sandbox merchant do with a card. */
export const sandboxCardMoneySchema = z.strictObject({
  cardId: z.uuid("must be the UUID of a card").toLowerCase(),
  amountInCents: centsBetween(1, MAXIMUM_TRANSFER_IN_CENTS),
  /** The merchant's name. */
  merchant: nameText(MAXIMUM_MERCHANT_LENGTH),
  category: spendingCategorySchema.nullable(),
});
export type SandboxCardMoney = z.output<typeof sandboxCardMoneySchema>;
