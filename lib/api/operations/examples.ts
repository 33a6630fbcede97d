import type { z } from "zod";
import type { accountReferenceSchema, transferSchema } from "@/lib/contract/transfer";

/** One small organization, from which all examples of the reference are told. */

export const EXAMPLE_IDS = {
  operating: "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11",
  taxes: "019a9c52-7a11-7f08-b1c6-2e94d7a3c612",
  checking: "019a9c52-7a12-7b6d-9e4a-c81f36d05713",
  visa: "019a9c52-7a13-7d42-a7f5-90be14c2f814",
  beneficiary: "019a9c52-79ff-7e15-8b30-4d6ca9e17f15",
  transfer: "019aa2d4-1c20-7a9b-83e7-6f10d2b54c16",
  externalTransaction: "019aa2d4-1c21-7c54-9f0d-a2e83b6c7d17",
  card: "019a9d10-5520-7b0f-8c6e-19d4e7f2a018",
  cardTransaction: "019aa2d4-1c22-7e31-b84a-5c9f07d3e619",
  rule: "019a9e88-0b30-7d6c-a2f1-83c5e0b9471a",
  ruleExecution: "019aa2d4-1c23-7f27-95db-e4b06a8c2f1b",
  apiKey: "019a9c60-3310-7a48-8e9f-d7c2b5014e1c",
  auditEntry: "019aa2d4-1c24-7836-b09c-1fd5a7e3b21d",
} as const;

export const EXAMPLE_TIMES = {
  opened: "2026-08-03T13:00:00.000Z",
  asked: "2026-11-20T13:40:12.345Z",
  settled: "2026-11-20T13:40:12.420Z",
} as const;

export const PAGE_OF_TEN = { page: 1, pageSize: 10, hasNextPage: false };

type Reference = z.infer<typeof accountReferenceSchema>;

export const OPERATING_REFERENCE: Reference = {
  id: EXAMPLE_IDS.operating,
  name: "Operating",
  type: "POD",
  isDeleted: false,
};
export const TAXES_REFERENCE: Reference = {
  id: EXAMPLE_IDS.taxes,
  name: "Taxes",
  type: "POD",
  isDeleted: false,
};

export const EXAMPLE_TRANSFER: z.infer<typeof transferSchema> = {
  id: EXAMPLE_IDS.transfer,
  status: "COMPLETE",
  executionMode: "LIVE",
  direction: "INTERNAL",
  origin: "API",
  amountInCents: 425_000,
  description: "Q4 TAX",
  source: OPERATING_REFERENCE,
  destination: TAXES_REFERENCE,
  ruleId: null,
  ruleExecutionId: null,
  reasonForApproval: "Sets aside the estimated tax for the fourth quarter.",
  approvalUrl: null,
  errorCode: null,
  errorMessage: null,
  createdAt: EXAMPLE_TIMES.asked,
  updatedAt: EXAMPLE_TIMES.settled,
  completedAt: EXAMPLE_TIMES.settled,
  expectedCompletionDate: "2026-11-20",
};
