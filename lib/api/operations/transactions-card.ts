import { z } from "zod";
import { EXAMPLE_IDS, EXAMPLE_TIMES, OPERATING_REFERENCE, PAGE_OF_TEN } from "@/lib/api/operations/examples";
import { operation } from "@/lib/api/operations/operation";
import { READS_STRANGERS } from "@/lib/api/operations/tool-hints";
import { cardTransactionSchema } from "@/lib/contract/card-transaction";
import { DATE_RANGE_PROBLEM, dateRangeShape, isDateRange } from "@/lib/contract/date-window";
import { MAXIMUM_ACCOUNT_FILTER } from "@/lib/contract/limits";
import { pageOf, pageQueryShape } from "@/lib/contract/page";
import { getCardTransaction, listCardTransactions } from "@/lib/core/cards/card-transactions";

const EXAMPLE_CARD_TRANSACTION: z.infer<typeof cardTransactionSchema> = {
  id: EXAMPLE_IDS.cardTransaction,
  cardId: EXAMPLE_IDS.card,
  cardType: "DEBIT_CARD",
  account: OPERATING_REFERENCE,
  direction: "MONEY_OUT",
  subtype: "PURCHASE",
  status: "COMPLETE",
  amountInCents: 4_900,
  description: "Harbor Cloud",
  createdAt: EXAMPLE_TIMES.settled,
  completedAt: EXAMPLE_TIMES.asked,
};

export const cardTransactionOperations = [
  operation({
    operationId: "listTransactions",
    tag: "Transactions",
    method: "GET",
    path: "/card-transactions",
    summary: "List card transactions",
    description:
      "Settled purchases, refunds and payouts on issued cards, newest first. What is only authorized, or was declined, is not listed. Without `accountId` it lists all accounts that the key may read; a `cardId` that does not exist gives an empty list. `from` and `to` are about `createdAt`, when it was recorded.",
    tool: {
      useWhen:
        "Use when you want purchases, refunds and payouts on issued cards. Not for transfers between accounts (listTransfers), nor for what happened on connected accounts at other banks (listExternalTransactions).",
      hints: READS_STRANGERS,
    },
    example: {
      request: { cardId: EXAMPLE_IDS.card, from: "2026-11-01T00:00:00Z" },
      answer: { items: [EXAMPLE_CARD_TRANSACTION], pagination: PAGE_OF_TEN },
    },
    permission: "READ_TRANSFERS",
    auditAction: null,
    pathParameters: null,
    input: z
      .strictObject({
        ...pageQueryShape,
        accountId: z
          .array(z.uuid("must be the UUID of an account").toLowerCase())
          .max(MAXIMUM_ACCOUNT_FILTER, `must name at most ${MAXIMUM_ACCOUNT_FILTER} accounts`)
          .transform((ids) => [...new Set(ids)])
          .default([])
          .describe(
            "Only these accounts; repeat it or separate with commas. Without it, all that may be read.",
          ),
        cardId: z.uuid("must be the UUID of a card").toLowerCase().optional().describe("Only this card."),
        ...dateRangeShape,
      })
      .refine(isDateRange, DATE_RANGE_PROBLEM),
    listFields: ["accountId"],
    output: pageOf(cardTransactionSchema),
    successes: [{ status: 200, when: "A page of card transactions." }],
    errors: ["ACCOUNT_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await listCardTransactions(services, context, {
        page: input.page,
        pageSize: input.pageSize,
        accountIds: input.accountId,
        cardId: input.cardId ?? null,
        from: input.from ?? null,
        to: input.to ?? null,
      }),
    }),
  }),
  operation({
    operationId: "getCardTransaction",
    tag: "Transactions",
    method: "GET",
    path: "/card-transactions/:id",
    summary: "Read one card transaction",
    description:
      "A settled purchase, refund or payout. A key may read it when it may read the transfers of its account.",
    tool: {
      useWhen:
        "Use when you have the id of a card transaction, e.g. from an event. Not to search: listTransactions finds card transactions.",
      hints: READS_STRANGERS,
    },
    example: { request: { id: EXAMPLE_IDS.cardTransaction }, answer: EXAMPLE_CARD_TRANSACTION },
    permission: "READ_TRANSFERS",
    auditAction: null,
    pathParameters: {
      schema: z.object({ id: z.uuid().toLowerCase() }),
      notFound: "CARD_TRANSACTION_NOT_FOUND",
    },
    input: z.strictObject({ id: z.uuid().describe("The card transaction.") }),
    listFields: [],
    output: cardTransactionSchema,
    successes: [{ status: 200, when: "The card transaction." }],
    errors: ["CARD_TRANSACTION_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await getCardTransaction(services, context, input.id),
    }),
  }),
];
