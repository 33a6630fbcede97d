import { z } from "zod";
import { EXAMPLE_IDS, EXAMPLE_TIMES, OPERATING_REFERENCE, PAGE_OF_TEN } from "@/lib/api/operations/examples";
import { operation, READS_STRANGERS } from "@/lib/api/operations/operation";
import { MAXIMUM_ACCOUNT_FILTER } from "@/lib/contract/limits";
import {
  anyOf,
  clampWindow,
  DATE_RANGE_PROBLEM,
  dateRangeShape,
  dateWindowSchema,
  isDateRange,
  pageOf,
  pageQueryShape,
  toWindow,
} from "@/lib/contract/page";
import { plainText } from "@/lib/contract/plain-text";
import {
  amountFiltersShape,
  searchTextSchema,
  summaryQueryShape,
  withSummary,
} from "@/lib/contract/search/list-filters";
import {
  cardTransactionSchema,
  type ExternalTransaction,
  externalTransactionSchema,
  externalTransactionStatusSchema,
  flowDirectionSchema,
  spendingCategorySchema,
} from "@/lib/contract/transactions";
import { getCardTransaction, listCardTransactions } from "@/lib/core/cards/card-transactions";
import {
  getExternalTransaction,
  listExternalTransactions,
} from "@/lib/core/connections/external-transactions";

const searchShape = {
  q: searchTextSchema.optional().describe("In description or merchant's name."),
  merchantName: plainText(200).optional().describe("Only of this merchant: the whole name, in any case."),
  category: spendingCategorySchema.optional().describe("Only of this category."),
  ...amountFiltersShape,
  ...summaryQueryShape,
};

const searchSchema = z.object(searchShape);

function readSearch(input: z.output<typeof searchSchema>) {
  return {
    q: input.q ?? null,
    merchantName: input.merchantName ?? null,
    category: input.category ?? null,
    minimumAmountInCents: input.minimumAmountInCents ?? null,
    maximumAmountInCents: input.maximumAmountInCents ?? null,
    withSummary: input.summary,
  };
}

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
      "Settled purchases, refunds and payouts on issued cards, newest first. Pending authorizations and declines are not listed. Without `accountId`, covers all accounts that the key may read; an unknown `cardId` gives an empty list. `from` and `to` filter by `createdAt`, when it was recorded.",
    tool: {
      useWhen:
        "Use when you want purchases, refunds and payouts on issued cards. Not for transfers (listTransfers), nor other banks (listExternalTransactions).",
      hints: READS_STRANGERS,
    },
    example: {
      request: { cardId: EXAMPLE_IDS.card, from: "2026-11-01T00:00:00Z" },
      answer: { items: [EXAMPLE_CARD_TRANSACTION], pagination: PAGE_OF_TEN, summary: null },
    },
    permission: "READ_TRANSFERS",
    auditAction: null,
    pathParameters: null,
    input: z
      .strictObject({
        ...pageQueryShape,
        accountId: z
          .array(z.guid("must be the UUID of an account").toLowerCase())
          .max(MAXIMUM_ACCOUNT_FILTER, `must name at most ${MAXIMUM_ACCOUNT_FILTER} accounts`)
          .transform((ids) => [...new Set(ids)])
          .default([])
          .describe(
            "Only these accounts; repeat it or separate with commas. Without it, all readable accounts.",
          ),
        cardId: z.guid("must be the UUID of a card").toLowerCase().optional().describe("Only this card."),
        ...searchShape,
        ...dateRangeShape,
      })
      .refine(isDateRange, DATE_RANGE_PROBLEM),
    listFields: ["accountId"],
    output: pageOf(cardTransactionSchema).extend(withSummary),
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
        ...readSearch(input),
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
      useWhen: "Use when you have its id, e.g. from an event. Not to search (listTransactions).",
      hints: READS_STRANGERS,
    },
    example: { request: { id: EXAMPLE_IDS.cardTransaction }, answer: EXAMPLE_CARD_TRANSACTION },
    permission: "READ_TRANSFERS",
    auditAction: null,
    pathParameters: {
      schema: z.object({ id: z.guid().toLowerCase() }),
      notFound: "CARD_TRANSACTION_NOT_FOUND",
    },
    input: z.strictObject({ id: z.guid().describe("The card transaction.") }),
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

const EXAMPLE_EXTERNAL_TRANSACTION: ExternalTransaction = {
  id: EXAMPLE_IDS.externalTransaction,
  accountId: EXAMPLE_IDS.checking,
  amountInCents: 6_184,
  direction: "MONEY_OUT",
  status: "COMPLETE",
  description: "SQ *JUNIPER MARKET 0442 BROOKLYN NY",
  transactionDate: "2026-11-18T22:14:00.000Z",
  merchantName: "Juniper Market",
  category: "FOOD_AND_DRINK",
};

export const externalTransactionOperations = [
  operation({
    operationId: "listExternalTransactions",
    tag: "Transactions",
    method: "GET",
    path: "/external-transactions",
    summary: "List external transactions",
    description:
      "Movements on connected accounts, which Sluice sees but does not make, newest first by `transactionDate`; without `accountId`, those of every account that the key may read. `window` gives the range shown: at most the last 90 days. They are read from the institutions about once a day; merchant and category may follow later. The other side of your own transfers appears here too.",
    tool: {
      useWhen:
        "Use when you want movements at other banks, read daily, at most 90 days back. Not for transfers of Sluice (listTransfers).",
      hints: READS_STRANGERS,
    },
    example: {
      request: { accountId: [EXAMPLE_IDS.checking], direction: "MONEY_OUT", from: "2026-11-01T00:00:00Z" },
      answer: {
        items: [EXAMPLE_EXTERNAL_TRANSACTION],
        pagination: PAGE_OF_TEN,
        window: { from: "2026-11-01T00:00:00.000Z", to: "2026-11-20T13:40:12.345Z", truncated: false },
        summary: null,
      },
    },
    permission: "READ_TRANSFERS",
    auditAction: null,
    pathParameters: null,
    input: z
      .strictObject({
        ...pageQueryShape,
        accountId: z
          .array(z.guid("must be the UUID of an account").toLowerCase())
          .max(MAXIMUM_ACCOUNT_FILTER, `must name at most ${MAXIMUM_ACCOUNT_FILTER} accounts`)
          .transform((ids) => [...new Set(ids)])
          .default([])
          .describe(
            "Only these accounts; repeat it or separate with commas. Without it, all readable accounts.",
          ),
        direction: flowDirectionSchema.optional().describe("Only money that came in, or went out."),
        status: anyOf(externalTransactionStatusSchema).describe(
          "`PENDING`: not settled yet. `COMPLETE`: posted; repeat it or separate with commas.",
        ),
        ...searchShape,
        ...dateRangeShape,
      })
      .refine(isDateRange, DATE_RANGE_PROBLEM),
    listFields: ["accountId", "status"],
    output: pageOf(externalTransactionSchema).extend({ window: dateWindowSchema, ...withSummary }),
    successes: [{ status: 200, when: "A page of external transactions." }],
    errors: ["ACCOUNT_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, input) => {
      const window = clampWindow(input, context.now);
      const page = await listExternalTransactions(services, context, {
        page: input.page,
        pageSize: input.pageSize,
        accountIds: input.accountId,
        direction: input.direction ?? null,
        statuses: input.status,
        window,
        ...readSearch(input),
      });
      return { kind: "DATA", data: { ...page, window: toWindow(window) } };
    },
  }),
  operation({
    operationId: "getExternalTransaction",
    tag: "Transactions",
    method: "GET",
    path: "/external-transactions/:id",
    summary: "Read one external transaction",
    description:
      "A movement on a connected account with its current status, however old it is. A pending transaction keeps its id when it is posted; one that the institution withdraws can no longer be read.",
    tool: {
      useWhen: "Use when you ask whether a pending one was posted. Not to search (listExternalTransactions).",
      hints: READS_STRANGERS,
    },
    example: { request: { id: EXAMPLE_IDS.externalTransaction }, answer: EXAMPLE_EXTERNAL_TRANSACTION },
    permission: "READ_TRANSFERS",
    auditAction: null,
    pathParameters: {
      schema: z.object({ id: z.guid().toLowerCase() }),
      notFound: "EXTERNAL_TRANSACTION_NOT_FOUND",
    },
    input: z.strictObject({ id: z.guid().describe("The external transaction.") }),
    listFields: [],
    output: externalTransactionSchema,
    successes: [{ status: 200, when: "The transaction." }],
    errors: ["EXTERNAL_TRANSACTION_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await getExternalTransaction(services, context, input.id),
    }),
  }),
];
