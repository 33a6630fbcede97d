import type { z } from "zod";
import type { FinancialProfile } from "@/lib/contract/financial-profile";
import type { Rule, RuleSummary, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { accountReferenceSchema, transferSchema } from "@/lib/contract/transfer";

/** One small organization: the source of all examples in the reference. */

export const EXAMPLE_IDS = {
  operating: "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11",
  taxes: "019a9c52-7a11-7f08-b1c6-2e94d7a3c612",
  checking: "019a9c52-7a12-7b6d-9e4a-c81f36d05713",
  visa: "019a9c52-7a13-7d42-a7f5-90be14c2f814",
  payee: "019a9c52-7a14-7a91-b2d8-7e05a4c3f91c",
  beneficiary: "019a9c52-79ff-7e15-8b30-4d6ca9e17f15",
  document: "019aa2d4-1c25-7d13-8a6f-3b9e10c7f21f",
  transfer: "019aa2d4-1c20-7a9b-83e7-6f10d2b54c16",
  mandate: "019aa2d4-1c26-7e58-8f31-5d0a97b4c620",
  batch: "019aa2d4-1c1f-7b42-9d10-7f31c6e8a215",
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
const TAXES_REFERENCE: Reference = {
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
  approvedAmountInCents: null,
  mandateId: null,
  description: "Q4 TAX",
  source: OPERATING_REFERENCE,
  destination: TAXES_REFERENCE,
  ruleId: null,
  ruleExecutionId: null,
  reasonForApproval: "Sets aside the estimated tax for the fourth quarter.",
  approvalUrl: null,
  decision: {
    outcome: "APPROVED",
    decidedAt: EXAMPLE_TIMES.settled,
    reason: null,
    askAgainAfter: null,
  },
  approvals: null,
  errorCode: null,
  errorMessage: null,
  createdAt: EXAMPLE_TIMES.asked,
  updatedAt: EXAMPLE_TIMES.settled,
  completedAt: EXAMPLE_TIMES.settled,
  expectedCompletionDate: "2026-11-20",
  externalId: "tax-2026-q4",
  metadata: [{ key: "quarter", value: "2026-Q4" }],
  checks: null,
};

const action = {
  type: "PERCENTAGE",
  sourceAccountId: EXAMPLE_IDS.operating,
  destinationAccountId: EXAMPLE_IDS.taxes,
  group: 0,
  percentage: 25,
  of: "INCOMING_AMOUNT",
} as const;

/** Sets a quarter of each payment of $1,000.00 or more aside for taxes. */
export const EXAMPLE_DEFINITION: z.input<typeof ruleDefinitionSchema> = {
  name: "Set aside taxes",
  trigger: {
    type: "ON_FUNDS_TRANSFERRED",
    accountId: EXAMPLE_IDS.operating,
    minimumAmountInCents: 100_000,
  },
  steps: [{ conditions: null, actions: [action] }],
};

export const EXAMPLE_RULE_SUMMARY: RuleSummary = {
  id: EXAMPLE_IDS.rule,
  name: "Set aside taxes",
  description: null,
  status: "INACTIVE",
  version: 1,
  activeVersion: null,
  activeName: null,
  activationUrl: `https://sluice.example/rules/${EXAMPLE_IDS.rule}`,
  trigger: {
    type: "ON_FUNDS_TRANSFERRED",
    accountId: EXAMPLE_IDS.operating,
    minimumAmountInCents: 100_000,
  },
  limits: [],
  createdAt: EXAMPLE_TIMES.asked,
  updatedAt: EXAMPLE_TIMES.asked,
  deletedAt: null,
  lookAlike: null,
};

export const EXAMPLE_RULE: Rule = {
  ...EXAMPLE_RULE_SUMMARY,
  steps: [{ conditions: null, actions: [{ ...action, upTo: false, limitId: null, description: null }] }],
};

const none = { amountInCents: 0, share: 0, transactionCount: 0 };

/** The profile in the reference: ninety days of the small organization. */
export const EXAMPLE_PROFILE: FinancialProfile = {
  window: { from: "2026-08-22T00:00:00.000Z", to: "2026-11-20T00:00:00.000Z" },
  currency: "USD",
  generatedAt: EXAMPLE_TIMES.asked,
  coverage: {
    accounts: [
      {
        id: EXAMPLE_IDS.operating,
        name: "Operating",
        type: "POD",
        externalAccountType: null,
        firstDate: "2026-08-03",
      },
    ],
    staleConnections: [],
    firstDate: "2026-08-03",
    transactionCount: 21,
    uncategorizedShare: 0,
  },
  income: {
    totalInCents: 3_600_000,
    monthlyAverageInCents: 1_217_500,
    streams: [
      {
        name: "Halden Health",
        frequency: "EVERY_OTHER_WEEK",
        averageInCents: 600_000,
        lastDate: "2026-11-13",
        nextExpectedDate: "2026-11-27",
        status: "ACTIVE",
      },
    ],
  },
  recurringBills: {
    monthlyTotalInCents: 195_000,
    items: [
      {
        name: "Dockside Lofts",
        category: "HOUSING_AND_UTILITIES",
        frequency: "MONTHLY",
        averageInCents: 195_000,
        lastDate: "2026-11-01",
        nextExpectedDate: "2026-12-01",
        status: "ACTIVE",
        priceChangeInCents: 0,
      },
    ],
  },
  fees: { totalInCents: 3_500, byKind: [{ kind: "WIRE", amountInCents: 3_500, count: 1 }] },
  savings: {
    netTransferredInCents: 900_000,
    rate: 0.25,
    targets: [
      {
        accountId: EXAMPLE_IDS.taxes,
        name: "Taxes",
        targetInCents: 1_800_000,
        balanceInCents: 900_000,
        share: 0.5,
      },
    ],
  },
  cashFlow: {
    months: [
      { month: "2026-08", inInCents: 600_000, outInCents: 0, netInCents: 600_000 },
      { month: "2026-09", inInCents: 1_200_000, outInCents: 223_500, netInCents: 976_500 },
      { month: "2026-10", inInCents: 1_200_000, outInCents: 225_000, netInCents: 975_000 },
      { month: "2026-11", inInCents: 600_000, outInCents: 230_000, netInCents: 370_000 },
    ],
  },
  discretionary: { totalInCents: 90_000, monthlyAverageInCents: 30_438, share: 0.1326 },
  categoryBreakdown: [
    { category: "HOUSING_AND_UTILITIES", amountInCents: 585_000, share: 0.8622, transactionCount: 3 },
    { category: "FOOD_AND_DRINK", amountInCents: 90_000, share: 0.1326, transactionCount: 11 },
    { category: "TRANSPORTATION", ...none },
    { category: "SHOPPING", ...none },
    { category: "HEALTH_AND_PERSONAL_CARE", ...none },
    { category: "ENTERTAINMENT_AND_TRAVEL", ...none },
    { category: "DEBT_AND_FEES", amountInCents: 3_500, share: 0.0052, transactionCount: 1 },
    { category: "OTHER", ...none },
  ],
};
