import { z } from "zod";
import { EXAMPLE_IDS, EXAMPLE_TIMES, EXAMPLE_TRANSFER, PAGE_OF_TEN } from "@/lib/api/operations/examples";
import { ADDS, operation, READS, READS_STRANGERS } from "@/lib/api/operations/operation";
import {
  accountBalanceSchema,
  accountSchema,
  accountSummarySchema,
  accountTypeSchema,
  createAccountBodySchema,
  managedMoneySchema,
} from "@/lib/contract/account";
import { pageOf, pageQueryShape } from "@/lib/contract/page";
import { accountRoleSchema, executionModeSchema, transferSchema } from "@/lib/contract/transfer";
import { createAccount } from "@/lib/core/ledger/create-account";
import { getAccount, listAccounts } from "@/lib/core/ledger/read-accounts";
import { listTransfers, NO_TRANSFER_SEARCH } from "@/lib/core/transfers/read-transfers";
import { listBalances } from "@/lib/views/accounts/list-balances";

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
  lookAlike: null,
} as const;

const CREATE_ACCOUNT_ACTION = "CREATE_ACCOUNT";

const NOTHING_OWED = {
  lastStatementBalanceInCents: null,
  lastStatementDate: null,
  nextPaymentMinimumInCents: null,
  nextPaymentDueDate: null,
  error: null,
  interestRatePercentage: null,
  originalLoanAmountInCents: null,
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
    tool: {
      useWhen:
        "Use when you need the id of an own account, or what rules may do with it. Not for balances (listBalances), nor people to pay (listPayees). Next: createTransfer, createRule or getAccount.",
      hints: READS,
    },
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
      "One account with its balance. Routing and account numbers are always masked to their last four digits. The balance of a connected account is the provider's, as of `balanceLastUpdatedAt`; it refreshes about once per banking day, so read it at most every six hours.",
    tool: {
      useWhen:
        "Use when you need one account's balance, debt, goal or masked numbers. Not to find it. First: listAccounts.",
      hints: READS,
    },
    example: {
      request: { id: EXAMPLE_IDS.operating },
      answer: {
        ...OPERATING_SUMMARY,
        routingNumber: "••••0211",
        bankAccountNumber: "••••4471",
        balance: {
          ...NOTHING_OWED,
          balanceInCents: 1_842_055,
          availableBalanceInCents: 1_837_155,
          balanceLastUpdatedAt: EXAMPLE_TIMES.asked,
        },
        savingsTargetInCents: null,
      },
    },
    permission: "READ_ACCOUNTS",
    auditAction: "GET_ACCOUNT",
    pathParameters: { schema: z.object({ id: z.guid().toLowerCase() }), notFound: "ACCOUNT_NOT_FOUND" },
    input: z.strictObject({ id: z.guid().describe("The account.") }),
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
  operation({
    operationId: "listBalances",
    tag: "Accounts",
    method: "GET",
    path: "/balances",
    summary: "Read all balances at once",
    description:
      "Every account that the key may read with its balance and what is on its way, oldest first, and the sums of managed money. Closed accounts are listed while they hold money. Balances of connected accounts are the provider's, as in `GET /accounts/{id}`.",
    tool: {
      useWhen:
        "Use when you need total cash, several balances or debts, or whether a card's payment is on its way. Not for goals or numbers (getAccount). Next: createTransfer.",
      hints: READS,
    },
    example: {
      request: { pageSize: "100" },
      answer: {
        items: [
          {
            accountId: EXAMPLE_IDS.operating,
            name: "Operating",
            type: "POD",
            externalAccountType: null,
            isClosed: false,
            lookAlike: null,
            balance: {
              ...NOTHING_OWED,
              balanceInCents: 1_842_055,
              availableBalanceInCents: 1_837_155,
              balanceLastUpdatedAt: EXAMPLE_TIMES.asked,
            },
            arrivingInCents: 25_000,
            leavingInCents: 4_900,
            paymentsOnTheirWayInCents: null,
          },
        ],
        pagination: { page: 1, pageSize: 100, hasNextPage: false },
        managed: {
          balanceInCents: 1_842_055,
          availableBalanceInCents: 1_837_155,
          arrivingInCents: 25_000,
          leavingInCents: 4_900,
        },
      },
    },
    permission: "READ_ACCOUNTS",
    auditAction: null,
    pathParameters: null,
    input: z.strictObject(pageQueryShape),
    listFields: [],
    output: pageOf(accountBalanceSchema).extend({ managed: managedMoneySchema }),
    successes: [{ status: 200, when: "A page of balances, and the sums." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await listBalances(services, context, input),
    }),
  }),
  operation({
    operationId: "createAccount",
    tag: "Accounts",
    method: "POST",
    path: "/accounts",
    summary: "Open a pod or an income source",
    description:
      "Opens a managed account with a zero balance. A pod has no account number of its own. An income source, where outside money enters, gets its institution and numbers from the bank a moment later: read the account again for them. With an `idempotency-key`, a second request that arrives while the first is running waits for it and gets its answer.",
    tool: {
      useWhen:
        "Use when the person wants a new pod (money set aside) or income source (where outside money arrives). Not for an account at another bank (connectExternalAccount). First: listAccounts, in case it exists. Next: createTransfer or createRule to fund it.",
      hints: ADDS,
    },
    example: {
      request: {
        type: "POD",
        name: "Operating",
        description: "Day-to-day costs",
        beneficiaryId: EXAMPLE_IDS.beneficiary,
      },
      answer: {
        ...OPERATING_SUMMARY,
        routingNumber: null,
        bankAccountNumber: null,
        balance: {
          ...NOTHING_OWED,
          balanceInCents: 0,
          availableBalanceInCents: 0,
          balanceLastUpdatedAt: EXAMPLE_TIMES.opened,
        },
        savingsTargetInCents: null,
      },
    },
    permission: "CREATE_ACCOUNTS",
    auditAction: CREATE_ACCOUNT_ACTION,
    pathParameters: null,
    input: createAccountBodySchema,
    listFields: [],
    output: accountSchema,
    successes: [{ status: 201, when: "The new account." }],
    errors: ["IDEMPOTENCY_KEY_MISMATCH"],
    isIdempotent: true,
    run: async ({ services, context, sent, idempotency }, body) =>
      createAccount(services, context, body, {
        sent,
        idempotency,
        auditAction: CREATE_ACCOUNT_ACTION,
        status: 201,
      }),
  }),
  operation({
    operationId: "listAccountTransfers",
    tag: "Accounts",
    method: "GET",
    path: "/accounts/:accountId/transfers",
    summary: "List the transfers of one account",
    description:
      "Transfers in or out of the account, newest first. With `accountRole`, only those that leave it (`source`) or arrive in it (`destination`). Dry runs are listed with `executionMode=SIMULATION`. Read it at most hourly.",
    tool: {
      useWhen:
        "Use when you want what moved in or out of one. Not for several, a status or a time (listTransfers).",
      hints: READS_STRANGERS,
    },
    example: {
      request: { accountId: EXAMPLE_IDS.operating, accountRole: "source" },
      answer: { items: [EXAMPLE_TRANSFER], pagination: PAGE_OF_TEN },
    },
    permission: "READ_TRANSFERS",
    auditAction: "LIST_TRANSFERS",
    pathParameters: {
      schema: z.object({ accountId: z.guid().toLowerCase() }),
      notFound: "ACCOUNT_NOT_FOUND",
    },
    input: z.strictObject({
      ...pageQueryShape,
      accountId: z.guid().describe("The account."),
      accountRole: accountRoleSchema
        .default("either")
        .describe("Only transfers that leave it (`source`), or arrive in it (`destination`)."),
      executionMode: executionModeSchema.default("LIVE").describe("`SIMULATION` lists dry runs instead."),
    }),
    listFields: [],
    output: pageOf(transferSchema),
    successes: [{ status: 200, when: "A page of transfers." }],
    errors: ["ACCOUNT_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, input) => {
      const { items, pagination } = await listTransfers(services, context, {
        page: input.page,
        pageSize: input.pageSize,
        accountIds: [input.accountId],
        accountRole: input.accountRole,
        executionMode: input.executionMode,
        statuses: [],
        direction: null,
        ruleExecutionId: null,
        from: null,
        to: null,
        ...NO_TRANSFER_SEARCH,
      });
      return { kind: "DATA", data: { items, pagination } };
    },
  }),
];
