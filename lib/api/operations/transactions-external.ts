import { z } from "zod";
import { EXAMPLE_IDS, PAGE_OF_TEN } from "@/lib/api/operations/examples";
import { operation } from "@/lib/api/operations/operation";
import { READS_STRANGERS } from "@/lib/api/operations/tool-hints";
import {
  clampWindow,
  DATE_RANGE_PROBLEM,
  dateRangeShape,
  dateWindowSchema,
  isDateRange,
  toWindow,
} from "@/lib/contract/date-window";
import {
  type ExternalTransaction,
  externalTransactionSchema,
  externalTransactionStatusSchema,
  flowDirectionSchema,
} from "@/lib/contract/external-transaction";
import { MAXIMUM_ACCOUNT_FILTER } from "@/lib/contract/limits";
import { pageOf, pageQueryShape } from "@/lib/contract/page";
import {
  getExternalTransaction,
  listExternalTransactions,
} from "@/lib/core/connections/external-transactions";

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
      "Movements on connected accounts, which Sluice sees and does not make, newest first by `transactionDate`; without `accountId`, those of every account that the key may read. `window` says which time is really shown: at most the last 90 days. They are read from the institutions about once a day; merchant and category may follow later. The other side of a transfer of your own appears here too.",
    tool: {
      useWhen:
        "Use when you want to see movements on connected accounts at other banks, of the last 90 days. Not for sums over time (getFinancialProfile), nor for transfers that Sluice made (listTransfers).",
      hints: READS_STRANGERS,
    },
    example: {
      request: { accountId: [EXAMPLE_IDS.checking], direction: "MONEY_OUT", from: "2026-11-01T00:00:00Z" },
      answer: {
        items: [EXAMPLE_EXTERNAL_TRANSACTION],
        pagination: PAGE_OF_TEN,
        window: { from: "2026-11-01T00:00:00.000Z", to: "2026-11-20T13:40:12.345Z", truncated: false },
      },
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
        direction: flowDirectionSchema.optional().describe("Only money that came in, or that went out."),
        status: externalTransactionStatusSchema
          .optional()
          .describe("`PENDING`: not settled yet. `COMPLETE`: posted."),
        ...dateRangeShape,
      })
      .refine(isDateRange, DATE_RANGE_PROBLEM),
    listFields: ["accountId"],
    output: pageOf(externalTransactionSchema).extend({ window: dateWindowSchema }),
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
        status: input.status ?? null,
        window,
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
      "A movement on a connected account with its present status, however old it is. A pending transaction keeps its id when it is posted; one that the institution takes back is not found any more.",
    tool: {
      useWhen:
        "Use when you have the id of an external transaction, e.g. from an event, or want to know whether a pending one was posted. Not to search: listExternalTransactions finds them.",
      hints: READS_STRANGERS,
    },
    example: { request: { id: EXAMPLE_IDS.externalTransaction }, answer: EXAMPLE_EXTERNAL_TRANSACTION },
    permission: "READ_TRANSFERS",
    auditAction: null,
    pathParameters: {
      schema: z.object({ id: z.uuid().toLowerCase() }),
      notFound: "EXTERNAL_TRANSACTION_NOT_FOUND",
    },
    input: z.strictObject({ id: z.uuid().describe("The external transaction.") }),
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
