import type { Operation } from "@/lib/api/operations/operation";
import type { Ids, OrganizationWithEverything } from "@/lib/testing/api-proof/organization-with-everything";
import { samplePdf } from "@/lib/testing/documents";

/** A valid request and its response; 403 where only the key that requested something may act on it. */
interface Fixture {
  input: Record<string, unknown>;
  status: number;
}

type World = Pick<OrganizationWithEverything, "ids">;

const PAGE_OF_RANGE = {
  page: "1",
  pageSize: "10",
  from: "2025-01-01T00:00:00Z",
  to: "2030-01-01T00:00:00+01:00",
};

const LABELS = { externalId: "tax-2026-q4", metadata: [{ key: "quarter", value: "2026-Q4" }] };
const LABEL_FILTERS = { externalId: "tax-2026-q4", metadata: "quarter:2026-Q4" };
const AMOUNTS_AND_SUMS = { minimumAmountInCents: "100", maximumAmountInCents: "9000000", summary: "true" };
const SEARCH = { q: "Harbor", merchantName: "Harbor Cloud", category: "SHOPPING", ...AMOUNTS_AND_SUMS };

const INVOICE = samplePdf("Invoice").toString("base64");

/** Names of payees are unique, and a fixture is sent many times. */
let proposed = 0;

/**
 * Valid requests of every operation that together use every field of its input; the tables of bad input spoil them. A
 * row of the operation table without a row here fails its test.
 */
export const fixtures: Readonly<Record<string, (world: World) => readonly [Fixture, ...Fixture[]]>> = {
  whoami: () => [{ input: {}, status: 200 }],
  getApprovalPolicy: () => [{ input: {}, status: 200 }],
  // Beside a real provider, as in the proof's world: lib/api/http/sandbox-control.test.ts has the rest.
  moveSandboxClock: () => [{ input: { to: "2026-02-01T00:00:00Z" }, status: 403 }],
  makeSandboxDeposit: ({ ids }) => [
    {
      input: {
        accountId: ids.operating,
        amountInCents: 100,
        payerName: "Halden Health",
        origin: "CHECK_DEPOSIT",
      },
      status: 403,
    },
  ],
  makeSandboxPurchase: ({ ids }) => [
    {
      input: { cardId: ids.card, amountInCents: 100, merchant: "Harbor Cloud", category: "SHOPPING" },
      status: 403,
    },
  ],
  makeSandboxOutsideTransaction: ({ ids }) => [
    {
      input: {
        accountId: ids.checking,
        amountInCents: 100,
        direction: "MONEY_OUT",
        partyName: "Juniper",
        isPending: true,
      },
      status: 403,
    },
  ],
  makeSandboxReturn: ({ ids }) => [{ input: { transferId: ids.transfer, code: "R02" }, status: 403 }],
  decideInSandbox: ({ ids }) => [
    {
      input: {
        proposalId: ids.proposal,
        decision: "DENY",
        reason: { kind: "NOT_NOW", text: "Later", notBefore: "2026-03-01" },
      },
      status: 403,
    },
  ],
  listAccounts: () => [
    { input: { page: "1", pageSize: "10", type: ["POD", "EXTERNAL_ACCOUNT"], state: "ACTIVE" }, status: 200 },
  ],
  listBalances: () => [{ input: { page: "1", pageSize: "100" }, status: 200 }],
  getAccount: ({ ids }) => [
    { input: { id: ids.operating }, status: 200 },
    { input: { id: ids.checking }, status: 200 },
    { input: { id: ids.visa }, status: 200 },
  ],
  createTransfer: ({ ids }) => [
    {
      input: {
        sourceAccountId: ids.operating,
        destinationAccountId: ids.taxes,
        amountInCents: 12_500,
        description: "Q4 TAX",
        simulation: false,
        reasonForApproval: "Estimated tax",
        ...LABELS,
      },
      status: 202,
    },
    {
      input: {
        sourceAccountId: ids.checking,
        destinationAccountId: ids.taxes,
        amountInCents: 100,
        simulation: true,
      },
      status: 200,
    },
  ],
  createTransferBatch: ({ ids }) => [
    {
      input: {
        reasonForApproval: "Estimated tax of two quarters",
        transfers: [
          {
            sourceAccountId: ids.operating,
            destinationAccountId: ids.taxes,
            amountInCents: 12_500,
            description: "Q4 TAX",
            externalId: LABELS.externalId,
          },
        ],
      },
      status: 202,
    },
  ],
  getTransferBatch: ({ ids }) => [{ input: { id: ids.batch }, status: 200 }],
  cancelTransfer: ({ ids }) => [{ input: { id: ids.transfer }, status: 403 }],
  addTransferDocument: ({ ids }) => [
    { input: { id: ids.proposal, name: "Invoice.pdf", contentBase64: INVOICE }, status: 403 },
  ],
  listTransferDocuments: ({ ids }) => [{ input: { id: ids.proposal }, status: 200 }],
  getTransferDocument: ({ ids }) => [{ input: { id: ids.proposal, documentId: ids.document }, status: 200 }],
  listTransfers: ({ ids }) => [
    {
      input: {
        accountId: [ids.operating, ids.taxes],
        page: "1",
        pageSize: "100",
        executionMode: "LIVE",
        status: "COMPLETE",
        direction: "INTERNAL",
        ruleExecutionId: ids.ruleExecution,
        mandateId: ids.mandate,
        from: "2025-01-01T00:00:00Z",
        to: "2030-01-01T00:00:00+01:00",
      },
      status: 200,
    },
    { input: { accountId: [ids.operating] }, status: 200 },
    { input: { accountId: [ids.operating], executionMode: "SIMULATION" }, status: 200 },
    { input: { q: "Q4 TAX", ...LABEL_FILTERS, ...AMOUNTS_AND_SUMS }, status: 200 },
    { input: { q: "Oper" }, status: 200 },
  ],
  getTransfer: ({ ids }) => [
    { input: { id: ids.transfer, wait: "1" }, status: 200 },
    { input: { id: ids.dryRun }, status: 200 },
    { input: { id: ids.proposal }, status: 200 },
  ],
  listProposals: () => [
    {
      input: { page: "1", pageSize: "10", status: ["WAITING"], kind: ["TRANSFER", "PAYEE"], mine: "false" },
      status: 200,
    },
    { input: {}, status: 200 },
  ],
  getProposal: ({ ids }) => [{ input: { id: ids.proposal, wait: "1" }, status: 200 }],
  getMandates: () => [
    { input: { page: "1", pageSize: "10", state: "WAITING" }, status: 200 },
    { input: {}, status: 200 },
  ],
  getMandate: ({ ids }) => [{ input: { id: ids.mandate }, status: 404 }],
  proposeMandate: ({ ids }) => [
    {
      input: {
        terms: {
          sourceAccountIds: [ids.operating],
          destinationAccountIds: [ids.taxes],
          minimumInCents: 100,
          maximumInCents: 12_500,
          dayInCents: 12_500,
          weekInCents: 25_000,
          monthInCents: 50_000,
          thirtyDaysInCents: 50_000,
          totalInCents: 100_000,
          maximumUses: 20,
          recurrence: { period: "MONTH", atMost: 4, daysApart: 1 },
          from: "2026-01-01",
          until: "2026-12-31",
          keepsInCents: 0,
          purpose: "Estimated tax",
        },
        reason: "Each is approved anyway",
      },
      status: 202,
    },
  ],
  cancelMandate: ({ ids }) => [{ input: { id: ids.mandate }, status: 404 }],
  proposeRuleDeactivation: ({ ids }) => [
    { input: { id: ids.rule, reasonForApproval: "It moves too much" }, status: 202 },
  ],
  listRules: ({ ids }) => [
    { input: { page: "1", pageSize: "10", sourceAccountId: ids.operating, status: "INACTIVE" }, status: 200 },
  ],
  createRule: ({ ids }) => {
    const [first, second, third] = richRules(ids);
    return [
      { input: first, status: 201 },
      { input: second, status: 201 },
      { input: third, status: 201 },
    ];
  },
  getRule: ({ ids }) => [{ input: { id: ids.rule }, status: 200 }],
  updateRule: ({ ids }) => [
    { input: { id: ids.otherRule, ...richRules(ids)[0], expectedVersion: 1 }, status: 200 },
  ],
  triggerRule: ({ ids }) => [
    {
      input: {
        id: ids.rule,
        simulation: false,
        executeAmount: 5_000,
        simulatedSourceBalance: 10_000,
        simulatedIncomingFunds: 0,
        reasonForApproval: "Payday",
      },
      status: 202,
    },
    { input: { id: ids.otherRule, simulation: true, version: "latest" }, status: 202 },
  ],
  listRuleExecutions: ({ ids }) => [
    {
      input: {
        ruleId: ids.rule,
        page: "1",
        pageSize: "10",
        executionMode: "ALL",
        status: "EXECUTED",
        from: "2025-01-01T00:00:00Z",
        to: "2030-01-01T00:00:00Z",
      },
      status: 200,
    },
  ],
  listAllRuleExecutions: () => [
    { input: { ...PAGE_OF_RANGE, executionMode: "ALL", status: "EXECUTED" }, status: 200 },
    { input: {}, status: 200 },
  ],
  createAccount: ({ ids }) => [
    {
      input: {
        type: "POD",
        name: "Vacation",
        description: "Two weeks in August",
        beneficiaryId: ids.beneficiary,
        savingsTargetInCents: 250_000,
      },
      status: 201,
    },
    { input: { type: "INCOME_SOURCE", name: "Invoices" }, status: 201 },
  ],
  listPayees: () => [
    { input: { page: "1", pageSize: "10", state: ["ACTIVE", "WAITING"], ...LABEL_FILTERS }, status: 200 },
    { input: {}, status: 200 },
  ],
  proposePayee: () => [
    {
      input: {
        name: `Harbor Print Shop ${++proposed}`,
        kind: "BUSINESS",
        rail: "ACH",
        email: "billing@example.com",
        reason: "Invoice 2291",
        ...LABELS,
      },
      status: 201,
    },
  ],
  listBeneficiaries: () => [{ input: { page: "1", pageSize: "10" }, status: 200 }],
  listAccountTransfers: ({ ids }) => [
    {
      input: {
        accountId: ids.operating,
        page: "1",
        pageSize: "10",
        accountRole: "either",
        executionMode: "LIVE",
      },
      status: 200,
    },
  ],
  listTransactions: ({ ids }) => [
    {
      input: { ...PAGE_OF_RANGE, accountId: [ids.operating], cardId: ids.card, ...SEARCH },
      status: 200,
    },
    { input: {}, status: 200 },
  ],
  getCardTransaction: ({ ids }) => [{ input: { id: ids.cardTransaction }, status: 200 }],
  listExternalTransactions: ({ ids }) => [
    {
      input: {
        ...PAGE_OF_RANGE,
        accountId: [ids.checking],
        direction: "MONEY_OUT",
        status: "COMPLETE",
        ...SEARCH,
      },
      status: 200,
    },
    { input: {}, status: 200 },
  ],
  getExternalTransaction: ({ ids }) => [{ input: { id: ids.externalTransaction }, status: 200 }],
  listAuditLog: ({ ids }) => [
    {
      input: {
        ...PAGE_OF_RANGE,
        apiKeyId: ids.apiKey,
        action: "CREATE_RULE",
        outcome: "FAILURE",
        errorCode: "ACCESS_DENIED",
        requestId: "7fq2-m81x-k03d",
      },
      status: 200,
    },
    { input: {}, status: 200 },
  ],
  getFinancialProfile: () => [
    { input: { from: "2025-11-01T00:00:00Z", to: "2026-01-15T00:00:00Z" }, status: 200 },
    { input: {}, status: 200 },
  ],
  cancelRuleExecution: ({ ids }) => [{ input: { ruleId: ids.rule, id: ids.ruleExecution }, status: 403 }],
  getRuleExecution: ({ ids }) => [
    { input: { ruleId: ids.rule, id: ids.ruleExecution, wait: "1" }, status: 200 },
  ],
};

/** @throws Error naming the operation whose row is missing */
export function fixturesOf(operationId: string, world: World): readonly [Fixture, ...Fixture[]] {
  const row = fixtures[operationId];
  if (!row) throw new Error(`operation-fixtures.ts has no row for ${operationId}: add its valid requests`);
  return row(world);
}

type RuleInput = Record<string, unknown>;

/** Together, every kind of trigger, condition and action. */
function richRules(ids: Ids): [RuleInput, RuleInput, RuleInput] {
  const from = { sourceAccountId: ids.operating, group: 0 };
  const route = { ...from, destinationAccountId: ids.taxes };
  return [
    {
      name: "Payday",
      description: "Splits what comes in",
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: ids.operating, minimumAmountInCents: 100 },
      steps: [
        {
          conditions: {
            all: [
              { fact: "BALANCE", accountId: ids.operating, operator: "GREATER_THAN", value: 50_000 },
              {
                any: [
                  { fact: "DAY_OF_MONTH", operator: "LESS_THAN_OR_EQUAL", value: 20 },
                  { all: [{ fact: "DATE", operator: "EQUAL", value: "2026-01-31" }] },
                ],
              },
              {
                fact: "AVAILABLE_BALANCE",
                accountId: ids.operating,
                operator: "LESS_THAN",
                valueFact: { fact: "INCOMING_AMOUNT" },
              },
            ],
          },
          actions: [
            {
              ...route,
              type: "PERCENTAGE",
              percentage: 33.3333,
              of: "SOURCE_BALANCE",
              upTo: true,
              limitId: "rent",
              description: "Rent",
            },
            { ...route, type: "FIXED", amountInCents: 5_000 },
          ],
        },
      ],
      limits: [{ id: "rent", period: "MONTH", amountInCents: 100_000 }],
    },
    {
      name: "Every Monday",
      description: null,
      trigger: {
        type: "SCHEDULED",
        accountId: ids.operating,
        schedule: {
          frequency: "WEEKLY",
          startAt: "2026-01-20T09:00:00Z",
          dayOfWeek: 1,
          time: "09:00",
          timeZone: "America/New_York",
          onNonBankingDay: "SAME_DAY",
        },
      },
      steps: [
        { conditions: null, actions: [{ ...route, type: "TOP_UP", amountInCents: 1 }] },
        {
          actions: [
            { ...route, type: "ROUND_DOWN", amountInCents: 100 },
            { ...route, type: "REMAINDER", keepInCents: 0 },
            { ...route, type: "NEXT_PAYMENT_MINIMUM" },
            { ...route, type: "LAST_STATEMENT_BALANCE" },
            { ...route, type: "TOTAL_AMOUNT_DUE" },
            { ...route, type: "PERCENTAGE_OF_LIABILITY", percentage: 50 },
            { ...from, type: "SNOWBALL", destinationAccountIds: [ids.taxes], amountInCents: 100 },
            { ...from, type: "AVALANCHE", destinationAccountIds: [ids.taxes], amountInCents: 100 },
          ],
        },
      ],
    },
    {
      name: "Twice a month",
      trigger: {
        type: "SCHEDULED",
        accountId: ids.operating,
        schedule: {
          frequency: "TWICE_A_MONTH",
          startAt: "2026-01-20T09:00:00Z",
          daysOfMonth: [15, -1],
          timeZone: "UTC",
        },
      },
      steps: [{ actions: [{ ...route, type: "FIXED", amountInCents: 100 }] }],
    },
  ];
}

/** An operation's input as a request. */
interface WireRequest {
  method: string;
  /** Below `/platform/v1`, with its query. */
  path: string;
  /** Undefined if there is none. */
  body: Record<string, unknown> | undefined;
}

/** Puts the fields of a flat input where the operation expects them: path, query or body. */
export function toWire(operation: Operation, input: Record<string, unknown>): WireRequest {
  const rest = new Map(Object.entries(input));
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    // A lone surrogate has no escape; it goes out as any client would send it.
    return encodeURIComponent(Buffer.from(textOf(value)).toString());
  });
  if (operation.method !== "GET") return { method: operation.method, path, body: Object.fromEntries(rest) };
  const query = new URLSearchParams();
  for (const [name, value] of rest) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) query.append(name, textOf(one));
    }
  }
  const text = query.toString();
  return { method: "GET", path: text ? `${path}?${text}` : path, body: undefined };
}

/** An object without a prototype has no string form. */
function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
}

export function pathNames(operation: Pick<Operation, "path">): string[] {
  return [...operation.path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
}
