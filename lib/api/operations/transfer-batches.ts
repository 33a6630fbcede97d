import { z } from "zod";
import { EXAMPLE_IDS, EXAMPLE_TIMES } from "@/lib/api/operations/examples";
import { MOVES_MONEY, operation, READS_STRANGERS } from "@/lib/api/operations/operation";
import {
  createTransferBatchBodySchema,
  type TransferBatch,
  transferBatchSchema,
} from "@/lib/contract/approvals/batch";
import { MAXIMUM_BATCH_LINES } from "@/lib/contract/limits";
import { createTransferBatch } from "@/lib/core/approvals/batches/create-batch";
import { getBatch } from "@/lib/core/approvals/batches/read-batch";

const EXAMPLE_BATCH: TransferBatch = {
  id: EXAMPLE_IDS.batch,
  status: "WAITING",
  reasonForApproval: "Thank-you payments of the test week.",
  totalInCents: 15_000,
  approvedInCents: 0,
  approvalUrl: `https://sluice.example/?approvalTransferId=${EXAMPLE_IDS.batch}`,
  createdAt: EXAMPLE_TIMES.asked,
  expiresAt: "2026-11-21T13:40:12.345Z",
  approvals: null,
  lines: [
    {
      line: 1,
      transferId: EXAMPLE_IDS.transfer,
      status: "APPROVAL_PENDING",
      sourceAccountId: EXAMPLE_IDS.operating,
      destinationAccountId: EXAMPLE_IDS.payee,
      amountInCents: 15_000,
      description: "THANKS",
      externalId: null,
      checks: [{ code: "INSUFFICIENT_FUNDS", level: "CLEAR", text: "The source has enough." }],
      decision: null,
    },
  ],
};

const ofBatch = z.strictObject({ id: z.guid().describe("The batch.") });
const pathParameters = {
  schema: z.object({ id: z.guid().toLowerCase() }),
  notFound: "TRANSFER_NOT_FOUND",
} as const;

export const transferBatchOperations = [
  operation({
    operationId: "createTransferBatch",
    tag: "Transfers",
    method: "POST",
    path: "/transfers/batch",
    summary: "Propose transfers together",
    description: `Proposes 1 to ${MAXIMUM_BATCH_LINES} transfers under one approval, all or none. It always waits for an owner or co-owner, also for a key that moves money without approval. They may strike out lines, which are denied; what they sign is accepted together or not at all, and nothing is decided if one of the lines cannot be accepted. A line that fails at the bank later fails alone. Under a policy they need the signatures that it asks for the lines together and for each by itself. Each line is a transfer of its own, with its status, events and checks; while it waits, canceling one takes the whole batch back. A problem names its line, as in \`transfers.3.amountInCents\`.`,
    tool: {
      useWhen:
        "Use when a person should decide several under one approval. Not for one transfer (createTransfer). Next: getTransferBatch.",
      hints: MOVES_MONEY,
    },
    isHttpOnly: true,
    example: {
      request: {
        reasonForApproval: "Thank-you payments of the test week.",
        transfers: [
          {
            sourceAccountId: EXAMPLE_IDS.operating,
            destinationAccountId: EXAMPLE_IDS.payee,
            amountInCents: 15_000,
            description: "THANKS",
          },
        ],
      },
      answer: EXAMPLE_BATCH,
    },
    permission: "MANUAL_TRANSFER",
    auditAction: null,
    pathParameters: null,
    input: createTransferBatchBodySchema,
    listFields: [],
    output: transferBatchSchema,
    successes: [{ status: 202, when: "Waiting for a person." }],
    errors: [
      "TRANSFER_SOURCE_NOT_FOUND",
      "TRANSFER_DESTINATION_NOT_FOUND",
      "IDEMPOTENCY_KEY_MISMATCH",
      "MAXIMUM_AMOUNT_EXCEEDED",
      "REPEATS_DENIAL",
    ],
    isIdempotent: true,
    run: async ({ services, context, sent, idempotency }, body) =>
      createTransferBatch(services, context, { body, sent, auditAction: null, idempotency }),
  }),
  operation({
    operationId: "getTransferBatch",
    tag: "Transfers",
    method: "GET",
    path: "/transfer-batches/:id",
    summary: "Read a batch",
    description:
      "A batch with the status of each line. A key may read one that it proposed itself, and any other if it may read every transfer in it.",
    tool: {
      useWhen: "Use when you follow one after createTransferBatch. Not for one transfer (getTransfer).",
      hints: READS_STRANGERS,
    },
    isHttpOnly: true,
    example: { request: { id: EXAMPLE_IDS.batch }, answer: EXAMPLE_BATCH },
    permission: "READ_TRANSFERS",
    ownPermission: "MANUAL_TRANSFER",
    auditAction: null,
    pathParameters,
    input: ofBatch,
    listFields: [],
    output: transferBatchSchema,
    successes: [{ status: 200, when: "The batch." }],
    errors: ["TRANSFER_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, { id }) => ({
      kind: "DATA",
      data: await getBatch(services, context, id),
    }),
  }),
];
