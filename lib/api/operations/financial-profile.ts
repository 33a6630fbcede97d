import { z } from "zod";
import { EXAMPLE_PROFILE } from "@/lib/api/operations/example-profile";
import { operation } from "@/lib/api/operations/operation";
import { READS_STRANGERS } from "@/lib/api/operations/tool-hints";
import { DATE_RANGE_PROBLEM, dateRangeShape, isDateRange } from "@/lib/contract/date-window";
import { financialProfileSchema } from "@/lib/contract/financial-profile";
import { getFinancialProfile } from "@/lib/core/profile/get-financial-profile";

export const financialProfileOperations = [
  operation({
    operationId: "getFinancialProfile",
    tag: "Financial profile",
    method: "GET",
    path: "/financial-profile",
    summary: "Read the financial profile",
    description:
      "Income, recurring bills, fees, savings, cash flow and spending by category over a window: the last 90 days unless `from` and `to` say otherwise, at most two years. Sums only, never a transaction. Without `from` and `to`, that of a big organization may be up to 75 minutes old: `generatedAt` and the end of `window` say of when it is. With either, it is computed when asked. `coverage` says what the figures rest on.\n\nMoves between own accounts and card payments count as neither income nor spending, and refunds reduce their category. The permission must be for all accounts: the figures cannot be taken apart.",
    tool: {
      useWhen:
        "Use when the question is about income, bills, fees, savings, cash flow or spending by category over time. Not for single transactions: listTransactions and listExternalTransactions list those.",
      hints: READS_STRANGERS,
    },
    example: {
      request: { from: "2026-08-22T00:00:00Z", to: "2026-11-20T00:00:00Z" },
      answer: EXAMPLE_PROFILE,
    },
    permission: "READ_TRANSFERS",
    auditAction: "GET_FINANCIAL_PROFILE",
    pathParameters: null,
    input: z.strictObject(dateRangeShape).refine(isDateRange, DATE_RANGE_PROBLEM),
    listFields: [],
    output: financialProfileSchema,
    successes: [{ status: 200, when: "The profile." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await getFinancialProfile(services, context, {
        from: input.from ?? null,
        to: input.to ?? null,
      }),
    }),
  }),
];
