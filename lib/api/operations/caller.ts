import { z } from "zod";
import { EXAMPLE_IDS, EXAMPLE_TIMES } from "@/lib/api/operations/examples";
import { operation, READS } from "@/lib/api/operations/operation";
import { approvalPolicySchema } from "@/lib/contract/policies/policy-for-programs";
import { whoamiSchema } from "@/lib/contract/whoami";
import { whoAmI } from "@/lib/views/keys/who-am-i";
import { readApprovalPolicy } from "@/lib/views/policies/read-approval-policy";

export const callerOperations = [
  operation({
    operationId: "whoami",
    tag: "Caller",
    method: "GET",
    path: "/whoami",
    summary: "Read who you are and what you may do",
    description:
      "The organization, this key or assistant, its permissions with their accounts, rules and routes, and what limits it now: caps with what is left of them, waiting proposals, the rate limit, the gates, and whether money is real. Needs no permission.",
    tool: {
      useWhen: "Use when you start: what waits, what is left. Not for balances (listBalances).",
      hints: READS,
    },
    example: {
      request: {},
      answer: {
        organization: {
          name: "Northwind Studio",
          timeZone: "America/New_York",
          now: EXAMPLE_TIMES.asked,
          businessDate: "2026-11-20",
        },
        caller: {
          kind: "API_KEY",
          id: EXAMPLE_IDS.apiKey,
          name: "claude-taxes",
          memberName: null,
          role: null,
        },
        permissions: [
          {
            permission: "MANUAL_TRANSFER",
            requiresApproval: false,
            reach: "LISTED",
            accountIds: [],
            ruleIds: [],
            routes: [
              {
                sourceAccountId: EXAMPLE_IDS.operating,
                destinationAccountId: EXAMPLE_IDS.taxes,
                maximumAmountInCents: 500_000,
              },
            ],
            count: 1,
          },
        ],
        dailyCap: { capInCents: 1_000_000, usedInCents: 425_000, leftInCents: 575_000 },
        outgoingCap: { capInCents: null, usedInCents: null, leftInCents: null },
        proposals: { waiting: 0, maximum: 100 },
        mandates: { inForce: 0 },
        rateLimit: { limit: 100, windowSeconds: 60, remaining: 99, resetsInSeconds: 48 },
        gates: { areOpen: true, closedAt: null },
        bank: { isSandbox: true, name: null },
      },
    },
    permission: null,
    auditAction: null,
    pathParameters: null,
    input: z.strictObject({}),
    listFields: [],
    output: whoamiSchema,
    successes: [{ status: 200, when: "The caller." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }) => ({ kind: "DATA", data: await whoAmI(services, context) }),
  }),
  operation({
    operationId: "getApprovalPolicy",
    tag: "Caller",
    method: "GET",
    path: "/approval-policy",
    summary: "Read who must approve what",
    description:
      "The policy in force: the first rule that matches a proposal decides. Without the people, accounts and keys that it names. Needs no permission; people change it in the dashboard.",
    tool: {
      useWhen: "Use when you plan a proposal: who must sign. Not for one proposal: getProposal.",
      hints: READS,
    },
    isHttpOnly: true,
    example: {
      request: {},
      answer: {
        version: 7,
        rules: [
          "New payee: to a payee that is NEW or CHANGED: 2 of OWNER and CO_OWNER; the requester does not count; within 72 hours",
        ],
        otherwise: "1 of OWNER and CO_OWNER; the requester counts; within 24 hours",
      },
    },
    permission: null,
    auditAction: null,
    pathParameters: null,
    input: z.strictObject({}),
    listFields: [],
    output: approvalPolicySchema,
    successes: [{ status: 200, when: "The policy." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }) => ({
      kind: "DATA",
      data: await readApprovalPolicy(services, context),
    }),
  }),
];
