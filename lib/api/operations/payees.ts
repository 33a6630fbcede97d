import { z } from "zod";
import { EXAMPLE_IDS, EXAMPLE_TIMES, PAGE_OF_TEN } from "@/lib/api/operations/examples";
import { ADDS, operation, READS } from "@/lib/api/operations/operation";
import { labelFiltersShape, readMetadataFilter } from "@/lib/contract/input/labels";
import { pageOf, pageQueryShape } from "@/lib/contract/page";
import { type Payee, payeeSchema, payeeStateSchema, proposePayeeBodySchema } from "@/lib/contract/payee";
import { listPayees, proposePayee } from "@/lib/core/payees/propose-payee";

const PRINT_SHOP: Payee = {
  id: EXAMPLE_IDS.payee,
  name: "Harbor Print Shop",
  kind: "BUSINESS",
  rail: "ACH",
  state: "ACTIVE",
  changeIsWaiting: false,
  coolsOffUntil: null,
  lookAlike: null,
  createdAt: EXAMPLE_TIMES.opened,
  updatedAt: EXAMPLE_TIMES.opened,
  externalId: "vendor-118",
  metadata: [],
};

export const payeeOperations = [
  operation({
    operationId: "listPayees",
    tag: "Accounts",
    method: "GET",
    path: "/payees",
    summary: "List payees",
    description:
      "Accounts of others that money can be sent to, oldest first, without numbers. Once `ACTIVE`, its `id` is a transfer's `destinationAccountId`. Until `coolsOffUntil`, larger transfers wait before they leave.",
    tool: {
      useWhen:
        "Use when you pay someone else: the id is createTransfer's destinationAccountId. Not for own accounts (listAccounts). Next: createTransfer, or proposePayee for someone missing.",
      hints: READS,
    },
    example: {
      request: { state: ["ACTIVE"], pageSize: "10" },
      answer: { items: [PRINT_SHOP], pagination: PAGE_OF_TEN },
    },
    permission: "READ_ACCOUNTS",
    auditAction: null,
    pathParameters: null,
    input: z.strictObject({
      ...pageQueryShape,
      state: z.array(payeeStateSchema).default([]).describe("Only these states; without it, all."),
      ...labelFiltersShape,
    }),
    listFields: ["state"],
    output: pageOf(payeeSchema),
    successes: [{ status: 200, when: "A page of payees." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await listPayees(services, context, {
        page: input.page,
        pageSize: input.pageSize,
        states: input.state,
        externalId: input.externalId ?? null,
        metadata: input.metadata === undefined ? null : readMetadataFilter(input.metadata),
      }),
    }),
  }),
  operation({
    operationId: "proposePayee",
    tag: "Accounts",
    method: "POST",
    path: "/payees",
    summary: "Propose a payee",
    description:
      "Proposes someone to pay: a name, never an account number. An owner or co-owner enters and confirms its account; no program can make it `ACTIVE`.",
    tool: {
      useWhen:
        "Use when someone to pay is not in listPayees. Not for account numbers: an owner or co-owner enters them. Next: the person opens its page; listPayees says when it can be paid.",
      hints: ADDS,
    },
    example: {
      request: {
        name: "Harbor Print Shop",
        kind: "BUSINESS",
        email: "billing@harborprint.example",
        reason: "Invoice 2291 for the spring catalog",
      },
      answer: { ...PRINT_SHOP, state: "NEEDS_DETAILS" },
    },
    permission: "CREATE_ACCOUNTS",
    auditAction: null,
    pathParameters: null,
    input: proposePayeeBodySchema,
    listFields: [],
    output: payeeSchema,
    successes: [{ status: 201, when: "The proposed payee." }],
    errors: ["IDEMPOTENCY_KEY_MISMATCH"],
    isIdempotent: true,
    run: async ({ services, context, sent, idempotency }, body) =>
      proposePayee(services, context, body, { sent, idempotency, auditAction: null, status: 201 }),
  }),
];
