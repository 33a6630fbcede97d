import { z } from "zod";
import { MAXIMUM_ACCOUNT_FILTER } from "@/lib/contract/limits";
import { pageOf, pageQueryShape } from "@/lib/contract/page";
import {
  createTransferBodySchema,
  executionModeSchema,
  transferDirectionSchema,
  transferSchema,
  transferStatusSchema,
} from "@/lib/contract/transfer";
import { createTransfer } from "@/lib/core/transfers/create-transfer";
import { getTransfer } from "@/lib/core/transfers/get-transfer";
import { listTransfers } from "@/lib/core/transfers/list-transfers";
import { operation } from "@/lib/doors/operations/operation";

const CREATE_TRANSFER_ACTION = "CREATE_TRANSFER";

const instant = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 date-time with a zone" })
  .transform((text) => new Date(text));

export const transferOperations = [
  operation({
    operationId: "createTransfer",
    method: "POST",
    path: "/transfers",
    summary: "Propose or make a transfer",
    permission: "MANUAL_TRANSFER",
    auditAction: CREATE_TRANSFER_ACTION,
    pathParameters: null,
    input: createTransferBodySchema,
    listFields: [],
    output: transferSchema,
    successStatus: 202,
    errors: [
      "TRANSFER_SOURCE_NOT_FOUND",
      "TRANSFER_DESTINATION_NOT_FOUND",
      "IDEMPOTENCY_KEY_MISMATCH",
      "MAXIMUM_AMOUNT_EXCEEDED",
      "TRANSFER_IN_PROGRESS",
    ],
    isIdempotent: true,
    run: async ({ services, context, sent, idempotency }, body) => {
      const result = await createTransfer(services, context, {
        body,
        sent,
        auditAction: CREATE_TRANSFER_ACTION,
        idempotency,
      });
      if (result.kind === "REPLAYED") return { kind: "REPLAYED", ...result.replay };
      return { kind: "RECORDED", status: result.status, body: result.body };
    },
  }),
  operation({
    operationId: "listTransfers",
    method: "GET",
    path: "/transfers",
    summary: "List transfers of accounts, newest first",
    permission: "READ_TRANSFERS",
    auditAction: "LIST_TRANSFERS",
    pathParameters: null,
    input: z
      .strictObject({
        ...pageQueryShape,
        accountId: z
          .array(z.uuid("must be the UUID of an account").toLowerCase(), {
            error: "is required: the UUID of one or more accounts",
          })
          .min(1, "is required: the UUID of one or more accounts")
          .max(MAXIMUM_ACCOUNT_FILTER, `must name at most ${MAXIMUM_ACCOUNT_FILTER} accounts`)
          .transform((ids) => [...new Set(ids)]),
        executionMode: executionModeSchema.default("LIVE"),
        status: transferStatusSchema.optional(),
        direction: transferDirectionSchema.optional(),
        ruleExecutionId: z.uuid("must be the UUID of a rule execution").toLowerCase().optional(),
        from: instant.optional(),
        to: instant.optional(),
      })
      .refine((query) => !query.from || !query.to || query.from <= query.to, {
        path: ["from"],
        message: "must not be after to",
      }),
    listFields: ["accountId"],
    output: pageOf(transferSchema),
    successStatus: 200,
    errors: ["ACCOUNT_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await listTransfers(services, context, {
        page: input.page,
        pageSize: input.pageSize,
        accountIds: input.accountId,
        executionMode: input.executionMode,
        status: input.status ?? null,
        direction: input.direction ?? null,
        ruleExecutionId: input.ruleExecutionId ?? null,
        from: input.from ?? null,
        to: input.to ?? null,
      }),
    }),
  }),
  operation({
    operationId: "getTransfer",
    method: "GET",
    path: "/transfers/:id",
    summary: "Read one transfer",
    permission: "READ_TRANSFERS",
    auditAction: "GET_TRANSFER",
    pathParameters: { schema: z.object({ id: z.uuid().toLowerCase() }), notFound: "TRANSFER_NOT_FOUND" },
    input: z.strictObject({ id: z.uuid() }),
    listFields: [],
    output: transferSchema,
    successStatus: 200,
    errors: ["TRANSFER_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await getTransfer(services, context, input.id),
    }),
  }),
];
