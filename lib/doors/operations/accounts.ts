import { z } from "zod";
import { accountSchema, accountSummarySchema, accountTypeSchema } from "@/lib/contract/account";
import { pageOf, pageQueryShape } from "@/lib/contract/page";
import { getAccount } from "@/lib/core/accounts/get-account";
import { listAccounts } from "@/lib/core/accounts/list-accounts";
import { operation } from "@/lib/doors/operations/operation";

export const accountOperations = [
  operation({
    operationId: "listAccounts",
    method: "GET",
    path: "/accounts",
    summary: "List all accounts",
    permission: "READ_ACCOUNTS",
    auditAction: "LIST_ACCOUNTS",
    pathParameters: null,
    input: z.strictObject({
      ...pageQueryShape,
      type: z.array(accountTypeSchema).max(accountTypeSchema.options.length).default([]),
      state: z.enum(["ALL", "ACTIVE"]).default("ALL"),
    }),
    listFields: ["type"],
    output: pageOf(accountSummarySchema),
    successStatus: 200,
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await listAccounts(services, context, { ...input, types: input.type }),
    }),
  }),
  operation({
    operationId: "getAccount",
    method: "GET",
    path: "/accounts/:id",
    summary: "Read one account with its balance",
    permission: "READ_ACCOUNTS",
    auditAction: "GET_ACCOUNT",
    pathParameters: { schema: z.object({ id: z.uuid().toLowerCase() }), notFound: "ACCOUNT_NOT_FOUND" },
    input: z.strictObject({ id: z.uuid() }),
    listFields: [],
    output: accountSchema,
    successStatus: 200,
    errors: ["ACCOUNT_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await getAccount(services, context, input.id),
    }),
  }),
];
