import { z } from "zod";
import { EXAMPLE_IDS, EXAMPLE_TRANSFER, PAGE_OF_TEN } from "@/lib/api/operations/examples";
import { MOVES_MONEY, operation, READS_STRANGERS, TAKES_BACK } from "@/lib/api/operations/operation";
import { onceReadable } from "@/lib/contract/input/across-fields";
import { labelFiltersShape, readMetadataFilter } from "@/lib/contract/input/labels";
import { waitQueryShape } from "@/lib/contract/input/wait";
import { MAXIMUM_ACCOUNT_FILTER } from "@/lib/contract/limits";
import {
  anyOf,
  DATE_RANGE_PROBLEM,
  dateRangeShape,
  isDateRange,
  pageOf,
  pageQueryShape,
} from "@/lib/contract/page";
import {
  amountFiltersShape,
  searchTextSchema,
  summaryQueryShape,
  withSummary,
} from "@/lib/contract/search/list-filters";
import {
  createTransferBodySchema,
  executionModeSchema,
  transferDirectionSchema,
  transferSchema,
  transferStatusSchema,
} from "@/lib/contract/transfer";
import { cancelOwnTransfer } from "@/lib/core/approvals/cancel-own";
import { checkDraft, getCheckedTransfer } from "@/lib/core/approvals/checks-for-programs";
import { readWhenChanged } from "@/lib/core/shared/read-when-changed";
import { createTransfer } from "@/lib/core/transfers/create-transfer";
import { listTransfers } from "@/lib/core/transfers/read-transfers";

const CREATE_TRANSFER_ACTION = "CREATE_TRANSFER";

export const transferOperations = [
  operation({
    operationId: "createTransfer",
    tag: "Transfers",
    method: "POST",
    path: "/transfers",
    summary: "Make a transfer",
    description:
      "Moves money between two accounts, at least one of them managed by Sluice. The work is queued: poll `GET /transfers/{id}` until its status is final. If the key requires approval, nothing moves until an owner or co-owner approves, and the answer carries the address where they do. With `simulation: true` it is a dry run: recorded as `COMPLETE` at once, and nothing moves; `errorCode` and `errorMessage` say how the live transfer would fail as things are now, and are null if it would complete.",
    tool: {
      useWhen:
        "Use when the person asks to move money once; usually it only proposes. Not for recurring moves (createRule), nor after a denial: ask the person. First: listAccounts or listPayees; simulation: true says how it would end.",
      hints: MOVES_MONEY,
    },
    example: {
      request: {
        sourceAccountId: EXAMPLE_IDS.operating,
        destinationAccountId: EXAMPLE_IDS.taxes,
        amountInCents: 425_000,
        description: "Q4 TAX",
        reasonForApproval: "Sets aside the estimated tax for the fourth quarter.",
      },
      answer: {
        ...EXAMPLE_TRANSFER,
        status: "APPROVAL_PENDING",
        approvalUrl: `https://sluice.example/?approvalTransferId=${EXAMPLE_IDS.transfer}`,
        decision: null,
        updatedAt: EXAMPLE_TRANSFER.createdAt,
        completedAt: null,
      },
    },
    permission: "MANUAL_TRANSFER",
    auditAction: CREATE_TRANSFER_ACTION,
    pathParameters: null,
    input: createTransferBodySchema,
    listFields: [],
    output: transferSchema,
    successes: [
      { status: 202, when: "Accepted, or waiting for approval." },
      { status: 200, when: "A dry run." },
    ],
    errors: [
      "TRANSFER_SOURCE_NOT_FOUND",
      "TRANSFER_DESTINATION_NOT_FOUND",
      "IDEMPOTENCY_KEY_MISMATCH",
      "MAXIMUM_AMOUNT_EXCEEDED",
      "REPEATS_DENIAL",
      "TRANSFER_IN_PROGRESS",
    ],
    isIdempotent: true,
    run: async ({ services, context, sent, idempotency }, body) => {
      const result = await createTransfer(services, context, {
        body,
        sent,
        auditAction: CREATE_TRANSFER_ACTION,
        idempotency,
        check: checkDraft,
      });
      if (result.kind === "REPLAYED") return { kind: "REPLAYED", ...result.replay };
      return { kind: "RECORDED", status: result.status, body: result.body };
    },
  }),
  operation({
    operationId: "cancelTransfer",
    tag: "Transfers",
    method: "POST",
    path: "/transfers/:id/cancel",
    summary: "Cancel a transfer of your own",
    description:
      "Takes back a transfer that the key requested itself: one that waits becomes `APPROVAL_DENIED`, one that is accepted and has not left becomes `CANCELLED`. Nothing moves. A line of a batch that waits takes the whole batch back. Repeating it answers the same. Once the bank has it, or it ended otherwise, it is refused with `TOO_LATE_TO_CANCEL`.",
    tool: {
      useWhen:
        "Use when one is not wanted and has not left. Not for a run's (cancelRuleExecution). First: listTransfers.",
      hints: TAKES_BACK,
    },
    example: {
      request: { id: EXAMPLE_IDS.transfer },
      answer: { ...EXAMPLE_TRANSFER, status: "CANCELLED" },
    },
    permission: "MANUAL_TRANSFER",
    auditAction: null,
    pathParameters: { schema: z.object({ id: z.guid().toLowerCase() }), notFound: "TRANSFER_NOT_FOUND" },
    input: z.strictObject({ id: z.guid().describe("The transfer.") }),
    listFields: [],
    output: transferSchema,
    successes: [{ status: 200, when: "Canceled, now or before." }],
    errors: ["TRANSFER_NOT_FOUND", "TOO_LATE_TO_CANCEL"],
    isIdempotent: false,
    run: async ({ services, context, sent }, { id }) =>
      cancelOwnTransfer(services, context, { transferId: id, sent }),
  }),
  operation({
    operationId: "listTransfers",
    tag: "Transfers",
    method: "GET",
    path: "/transfers",
    summary: "List transfers",
    description:
      "Transfers in or out of the given accounts, newest first. Name at least one account, or search by `q`, `externalId` or `metadata`. Dry runs are listed with `executionMode=SIMULATION`. Read it at most hourly.",
    tool: {
      useWhen:
        "Use when you look for transfers, e.g. waiting, failed, or of one run. Not to follow one (getTransfer), nor card purchases (listTransactions).",
      hints: READS_STRANGERS,
    },
    example: {
      request: { accountId: [EXAMPLE_IDS.operating], status: ["COMPLETE"] },
      answer: { items: [EXAMPLE_TRANSFER], pagination: PAGE_OF_TEN, summary: null },
    },
    permission: "READ_TRANSFERS",
    auditAction: "LIST_TRANSFERS",
    pathParameters: null,
    input: z
      .strictObject({
        ...pageQueryShape,
        accountId: z
          .array(z.guid("must be the UUID of an account").toLowerCase())
          .min(1, "is required: the UUID of one or more accounts")
          .max(MAXIMUM_ACCOUNT_FILTER, `must name at most ${MAXIMUM_ACCOUNT_FILTER} accounts`)
          .transform((ids) => [...new Set(ids)])
          .optional()
          .describe(
            "One or more accounts; repeat it or separate with commas. Needed unless `q`, `externalId` or `metadata` is given.",
          ),
        executionMode: executionModeSchema.default("LIVE").describe("`SIMULATION` lists dry runs instead."),
        status: anyOf(transferStatusSchema).describe(
          "Only transfers with one of these statuses; repeat it or separate with commas.",
        ),
        direction: transferDirectionSchema.optional().describe("Only transfers of this direction."),
        ruleExecutionId: z
          .guid("must be the UUID of a rule execution")
          .toLowerCase()
          .optional()
          .describe("Only transfers made by this run of a rule."),
        mandateId: z
          .guid("must be the UUID of a mandate")
          .toLowerCase()
          .optional()
          .describe("Only transfers accepted under this mandate."),
        q: searchTextSchema.optional().describe("In label, counterparty or account's name."),
        ...amountFiltersShape,
        ...labelFiltersShape,
        ...summaryQueryShape,
        ...dateRangeShape,
      })
      .refine(isDateRange, DATE_RANGE_PROBLEM)
      .refine(
        ({ accountId, q, externalId, metadata }) =>
          accountId !== undefined || q !== undefined || externalId !== undefined || metadata !== undefined,
        {
          path: ["accountId"],
          message: "is required: the UUID of one or more accounts",
          when: onceReadable("accountId", "q", "externalId", "metadata"),
        },
      ),
    listFields: ["accountId", "status"],
    output: pageOf(transferSchema).extend(withSummary),
    successes: [{ status: 200, when: "A page of transfers." }],
    errors: ["ACCOUNT_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await listTransfers(services, context, {
        page: input.page,
        pageSize: input.pageSize,
        accountIds: input.accountId ?? [],
        accountRole: "either",
        executionMode: input.executionMode,
        statuses: input.status,
        direction: input.direction ?? null,
        ruleExecutionId: input.ruleExecutionId ?? null,
        mandateId: input.mandateId ?? null,
        from: input.from ?? null,
        to: input.to ?? null,
        q: input.q ?? null,
        externalId: input.externalId ?? null,
        metadata: input.metadata === undefined ? null : readMetadataFilter(input.metadata),
        minimumAmountInCents: input.minimumAmountInCents ?? null,
        maximumAmountInCents: input.maximumAmountInCents ?? null,
        withSummary: input.summary,
      }),
    }),
  }),
  operation({
    operationId: "getTransfer",
    tag: "Transfers",
    method: "GET",
    path: "/transfers/:id",
    summary: "Read one transfer",
    description:
      "A transfer with its current status. A key may read it when it may read the transfers of its source or its destination, and one that it proposed itself without that.",
    tool: {
      useWhen:
        "Use when you follow one, or ask why it failed or what a person decided. Not to search (listTransfers).",
      hints: READS_STRANGERS,
    },
    example: { request: { id: EXAMPLE_IDS.transfer }, answer: EXAMPLE_TRANSFER },
    permission: "READ_TRANSFERS",
    ownPermission: "MANUAL_TRANSFER",
    auditAction: "GET_TRANSFER",
    pathParameters: { schema: z.object({ id: z.guid().toLowerCase() }), notFound: "TRANSFER_NOT_FOUND" },
    input: z.strictObject({ id: z.guid().describe("The transfer."), ...waitQueryShape }),
    listFields: [],
    output: transferSchema,
    successes: [{ status: 200, when: "The transfer." }],
    errors: ["TRANSFER_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context, gone }, { id, wait }) => ({
      kind: "DATA",
      data: await readWhenChanged(services, context, {
        kind: "TRANSFER",
        id,
        waitSeconds: wait,
        gone,
        read: (at) => getCheckedTransfer(services, at, id),
        isFinal: ({ status }) => status !== "APPROVAL_PENDING" && status !== "PROCESSING",
      }),
    }),
  }),
];
