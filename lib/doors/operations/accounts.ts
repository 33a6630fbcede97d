import { z } from "zod";
import { accountSchema, accountSummarySchema, accountTypeSchema } from "@/lib/contract/account";
import { pageOf, pageQueryShape } from "@/lib/contract/page";
import { getAccount } from "@/lib/core/accounts/get-account";
import { listAccounts } from "@/lib/core/accounts/list-accounts";
import { EXAMPLE_IDS, EXAMPLE_TIMES, PAGE_OF_TEN } from "@/lib/doors/operations/examples";
import { operation } from "@/lib/doors/operations/operation";

const OPERATING_SUMMARY = {
  id: EXAMPLE_IDS.operating,
  name: "Operating",
  type: "POD",
  description: "Day-to-day costs",
  externalAccountType: null,
  beneficiaryName: "Northwind Studio",
  institutionName: null,
  canBeSource: true,
  canBeDestination: true,
  createdAt: EXAMPLE_TIMES.opened,
  updatedAt: EXAMPLE_TIMES.opened,
  deletedAt: null,
  linkedAccount: null,
} as const;

export const accountOperations = [
  operation({
    operationId: "listAccounts",
    tag: "Accounts",
    method: "GET",
    path: "/accounts",
    summary: "List all accounts",
    description:
      "Every account of the organization, oldest first, whatever the key's list says. Summaries carry no balances and no numbers: read one account for those.",
    example: {
      request: { type: ["POD"], pageSize: "10" },
      answer: { items: [OPERATING_SUMMARY], pagination: PAGE_OF_TEN },
    },
    permission: "READ_ACCOUNTS",
    auditAction: "LIST_ACCOUNTS",
    pathParameters: null,
    input: z.strictObject({
      ...pageQueryShape,
      type: z
        .array(accountTypeSchema)
        .max(accountTypeSchema.options.length)
        .default([])
        .describe("Only these types; repeat it or separate with commas. Without it, all."),
      state: z.enum(["ALL", "ACTIVE"]).default("ALL").describe("`ACTIVE` leaves out closed accounts."),
    }),
    listFields: ["type"],
    output: pageOf(accountSummarySchema),
    successes: [{ status: 200, when: "A page of accounts." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await listAccounts(services, context, { ...input, types: input.type }),
    }),
  }),
  operation({
    operationId: "getAccount",
    tag: "Accounts",
    method: "GET",
    path: "/accounts/:id",
    summary: "Read one account with its balance",
    description:
      "One account with its balance. Routing and account numbers are always masked to their last four digits. The balance of an account outside is the provider's, as of `balanceLastUpdatedAt`; it refreshes about once per banking day, so read it at most every six hours.",
    example: {
      request: { id: EXAMPLE_IDS.operating },
      answer: {
        ...OPERATING_SUMMARY,
        routingNumber: "••••0211",
        bankAccountNumber: "••••4471",
        balance: {
          balanceInCents: 1_842_055,
          availableBalanceInCents: 1_837_155,
          lastStatementBalanceInCents: null,
          lastStatementDate: null,
          nextPaymentMinimumInCents: null,
          nextPaymentDueDate: null,
          balanceLastUpdatedAt: EXAMPLE_TIMES.asked,
          error: null,
          interestRatePercentage: null,
          originalLoanAmountInCents: null,
        },
        savingsTargetInCents: null,
      },
    },
    permission: "READ_ACCOUNTS",
    auditAction: "GET_ACCOUNT",
    pathParameters: { schema: z.object({ id: z.uuid().toLowerCase() }), notFound: "ACCOUNT_NOT_FOUND" },
    input: z.strictObject({ id: z.uuid().describe("The account.") }),
    listFields: [],
    output: accountSchema,
    successes: [{ status: 200, when: "The account." }],
    errors: ["ACCOUNT_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await getAccount(services, context, input.id),
    }),
  }),
];
