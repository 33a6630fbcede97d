import { z } from "zod";
import { EXAMPLE_IDS, EXAMPLE_TIMES, PAGE_OF_TEN } from "@/lib/api/operations/examples";
import { operation, READS } from "@/lib/api/operations/operation";
import {
  auditActionSchema,
  auditLogEntrySchema,
  auditOutcomeSchema,
  errorCodeText,
} from "@/lib/contract/audit-log";
import {
  clampWindow,
  DATE_RANGE_PROBLEM,
  dateRangeShape,
  dateWindowSchema,
  isDateRange,
  pageOf,
  pageQueryShape,
} from "@/lib/contract/page";
import { listAuditLog } from "@/lib/core/audit/list-audit-log";

export const auditOperations = [
  operation({
    operationId: "listAuditLog",
    tag: "Audit log",
    method: "GET",
    path: "/audit-logs",
    summary: "List the audit log",
    description:
      "Every authenticated request of the organization's keys, refused ones included, newest first. The log reaches 90 days back: `window` gives the range shown, and `truncated` tells whether an older `from` was moved up.\n\nEvery request adds an entry, including this one. Send a fixed `to` while you page, so that entries do not shift between pages.",
    tool: {
      useWhen:
        "Use when you ask which key or assistant called what, and whether it was refused, at most 90 days back. Not for what happened to money (listTransfers, listRuleExecutions).",
      hints: READS,
    },
    example: {
      request: { outcome: "SUCCESS", action: "CREATE_TRANSFER" },
      answer: {
        items: [
          {
            id: EXAMPLE_IDS.auditEntry,
            createdAt: EXAMPLE_TIMES.asked,
            apiKeyId: EXAMPLE_IDS.apiKey,
            apiKeyName: "claude-taxes",
            path: "/platform/v1/transfers",
            action: "CREATE_TRANSFER",
            reason: "Quarterly taxes are due on Monday.",
            requestId: "7fq2-m81x-k03d",
            outcome: "SUCCESS",
            errorCode: null,
          },
        ],
        pagination: PAGE_OF_TEN,
        window: {
          from: "2026-08-22T13:45:00.000Z",
          to: "2026-11-20T13:45:00.000Z",
          truncated: false,
        },
      },
    },
    permission: "READ_AUDIT_LOGS",
    auditAction: "LIST_AUDIT_LOGS",
    pathParameters: null,
    input: z
      .strictObject({
        ...pageQueryShape,
        ...dateRangeShape,
        apiKeyId: z
          .guid("must be the UUID of an API key")
          .toLowerCase()
          .optional()
          .describe("Only requests with this key, or of this assistant."),
        action: auditActionSchema.optional().describe("Only requests for this action."),
        outcome: auditOutcomeSchema.optional().describe("`FAILURE`: only refused requests."),
        errorCode: errorCodeText.optional().describe("Only requests refused with this code."),
        requestId: z
          .string()
          .regex(/^[!-~]{1,100}$/, "must be a request id")
          .optional()
          .describe("Only this request."),
      })
      .refine(isDateRange, DATE_RANGE_PROBLEM),
    listFields: [],
    output: pageOf(auditLogEntrySchema).extend({ window: dateWindowSchema }),
    successes: [{ status: 200, when: "A page of entries." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }, { page, pageSize, from, to, ...filter }) => ({
      kind: "DATA",
      data: await listAuditLog(services, context, {
        page,
        pageSize,
        window: clampWindow({ from, to }, context.now),
        filter,
      }),
    }),
  }),
];
