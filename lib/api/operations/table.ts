import { z } from "zod";
import { accountOperations } from "@/lib/api/operations/accounts";
import { auditOperations } from "@/lib/api/operations/audit-log";
import { callerOperations } from "@/lib/api/operations/caller";
import { documentOperations } from "@/lib/api/operations/documents";
import { EXAMPLE_IDS, EXAMPLE_PROFILE, PAGE_OF_TEN } from "@/lib/api/operations/examples";
import { mandateOperations } from "@/lib/api/operations/mandates";
import { type Operation, operation, READS, READS_STRANGERS } from "@/lib/api/operations/operation";
import { payeeOperations } from "@/lib/api/operations/payees";
import { proposalOperations } from "@/lib/api/operations/proposals";
import { ruleOperations } from "@/lib/api/operations/rules";
import { sandboxOperations } from "@/lib/api/operations/sandbox";
import { cardTransactionOperations, externalTransactionOperations } from "@/lib/api/operations/transactions";
import { transferBatchOperations } from "@/lib/api/operations/transfer-batches";
import { transferOperations } from "@/lib/api/operations/transfers";
import { beneficiarySchema } from "@/lib/contract/account";
import { financialProfileSchema } from "@/lib/contract/financial-profile";
import { DATE_RANGE_PROBLEM, dateRangeShape, isDateRange, pageOf, pageQueryShape } from "@/lib/contract/page";
import { listBeneficiaries } from "@/lib/core/ledger/beneficiaries";
import { getFinancialProfile } from "@/lib/core/profile/get-financial-profile";

const financialProfileOperations = [
  operation({
    operationId: "getFinancialProfile",
    tag: "Financial profile",
    method: "GET",
    path: "/financial-profile",
    summary: "Read the financial profile",
    description:
      "Income, recurring bills, fees, savings, cash flow and spending by category over a window: the last 90 days unless `from` and `to` say otherwise, at most two years. Sums only, never single transactions. Without `from` and `to`, the profile of a large organization may be up to 75 minutes old: see `generatedAt` and the end of `window`. With either, it is computed on request. `coverage` says what the figures are based on.\n\nTransfers between own accounts and card payments count as neither income nor spending, and refunds reduce their category. The permission must cover all accounts: the figures cannot be split by account.",
    tool: {
      useWhen:
        "Use when asked about income, bills, fees, savings, cash flow or spending by category. Not for single transactions (listTransactions).",
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

const beneficiaryOperations = [
  operation({
    operationId: "listBeneficiaries",
    tag: "Accounts",
    method: "GET",
    path: "/beneficiaries",
    summary: "List who may own an account",
    description:
      "The people and businesses that can own accounts of this organization, oldest first. Pass an `id` as `beneficiaryId` when you create an account. Needs no permission.",
    tool: {
      useWhen: "Use when a new account needs an owner. Not to add one.",
      hints: READS,
      leadsTo: ["READ_ACCOUNTS", "CREATE_ACCOUNTS"],
    },
    example: {
      request: { pageSize: "10" },
      answer: {
        items: [{ id: EXAMPLE_IDS.beneficiary, name: "Northwind Studio", beneficiaryType: "BUSINESS" }],
        pagination: PAGE_OF_TEN,
      },
    },
    permission: null,
    auditAction: "LIST_BENEFICIARIES",
    pathParameters: null,
    input: z.strictObject(pageQueryShape),
    listFields: [],
    output: pageOf(beneficiarySchema),
    successes: [{ status: 200, when: "A page of beneficiaries." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await listBeneficiaries(services, context, input),
    }),
  }),
];

/** Every operation of the API. */
export const operations: readonly Operation[] = [
  ...callerOperations,
  ...accountOperations,
  ...beneficiaryOperations,
  ...payeeOperations,
  ...transferOperations,
  ...documentOperations,
  ...transferBatchOperations,
  ...proposalOperations,
  ...mandateOperations,
  ...cardTransactionOperations,
  ...externalTransactionOperations,
  ...ruleOperations,
  ...auditOperations,
  ...sandboxOperations,
  ...financialProfileOperations,
];

/** Those that are tools as well. */
export const toolOperations = operations.filter(({ isHttpOnly }) => !isHttpOnly);
