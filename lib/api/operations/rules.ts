import { z } from "zod";
import {
  EXAMPLE_DEFINITION,
  EXAMPLE_IDS,
  EXAMPLE_RULE,
  EXAMPLE_RULE_SUMMARY,
  EXAMPLE_TIMES,
  PAGE_OF_TEN,
} from "@/lib/api/operations/examples";
import { ADDS, MOVES_MONEY, operation, READS, REPLACES, TAKES_BACK } from "@/lib/api/operations/operation";
import { waitQueryShape } from "@/lib/contract/input/wait";
import {
  anyOf,
  DATE_RANGE_PROBLEM,
  dateRangeShape,
  isDateRange,
  pageOf,
  pageQueryShape,
} from "@/lib/contract/page";
import { comparisonProblems } from "@/lib/contract/rules/comparison-count";
import {
  isVersionOfDryRun,
  type RuleExecution,
  ruleExecutionLineSchema,
  ruleExecutionSchema,
  ruleExecutionStatusSchema,
  ruleExecutionSummarySchema,
  triggeredExecutionSchema,
  triggerRuleBodyShape,
  VERSION_PROBLEM,
} from "@/lib/contract/rules/execution";
import {
  ruleDefinitionSchema,
  ruleSchema,
  ruleStatusSchema,
  ruleSummarySchema,
  updateRuleBodySchema,
  writtenRuleSchema,
} from "@/lib/contract/rules/rule";
import { getExecutionWithApprovals } from "@/lib/core/approvals/approvals-for-programs";
import { cancelOwnRun } from "@/lib/core/approvals/cancel-own";
import { checkDryRun } from "@/lib/core/approvals/checks-for-programs";
import { listAllRuleExecutions, listRuleExecutions } from "@/lib/core/rules/read-executions";
import { getRule, listRules } from "@/lib/core/rules/read-rules";
import { createRule, updateRule } from "@/lib/core/rules/save-rule";
import { triggerRule } from "@/lib/core/rules/trigger-rule";
import { readWhenChanged } from "@/lib/core/shared/read-when-changed";

const rulePath = {
  schema: z.object({ id: z.guid().toLowerCase() }),
  notFound: "RULE_NOT_FOUND",
} as const;

const EXAMPLE_ACTIVATION = { canActivate: true, problems: [] };

const EXAMPLE_EXECUTION = {
  id: EXAMPLE_IDS.ruleExecution,
  ruleId: EXAMPLE_IDS.rule,
  status: "EXECUTED",
  executionMode: "LIVE",
  createdAt: EXAMPLE_TIMES.asked,
  reasonForApproval: null,
  approvalUrl: null,
  decision: null,
} as const;

const EXAMPLE_RUN: RuleExecution = {
  ...EXAMPLE_EXECUTION,
  approvals: null,
  ruleVersion: 1,
  base: null,
  live: null,
  triggerDetails: { type: "ON_FUNDS_TRANSFERRED", amountInCents: 1_700_000 },
  stepIndexMatched: 0,
  conditionsNotMet: false,
  transfersAttempted: 1,
  transfersCompleted: 1,
  transfersFailed: 0,
  transfersPending: 0,
  transferIds: [EXAMPLE_IDS.transfer],
  errorMessage: null,
  nextAttemptAt: null,
};

export const ruleOperations = [
  operation({
    operationId: "listRules",
    tag: "Rules",
    method: "GET",
    path: "/rules",
    summary: "List rules",
    description:
      "The rules that the key may read, newest first, as summaries without their steps. `sourceAccountId` keeps only rules that start from, or take money from, that account.",
    tool: {
      useWhen:
        "Use when you want the rules, or the id of one. Not for what a rule does (getRule). Next: getRule, triggerRule or listRuleExecutions.",
      hints: READS,
    },
    example: {
      request: { status: ["INACTIVE"] },
      answer: { items: [EXAMPLE_RULE_SUMMARY], pagination: PAGE_OF_TEN },
    },
    permission: "READ_RULES",
    auditAction: "LIST_RULES",
    pathParameters: null,
    input: z.strictObject({
      ...pageQueryShape,
      sourceAccountId: z
        .guid("must be the UUID of an account")
        .toLowerCase()
        .optional()
        .describe("Only rules that start from, or take money from, this account."),
      status: anyOf(ruleStatusSchema).describe(
        "Only rules with one of these statuses; repeat it or separate with commas.",
      ),
    }),
    listFields: ["status"],
    output: pageOf(ruleSummarySchema),
    successes: [{ status: 200, when: "A page of rules." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await listRules(services, context, {
        page: input.page,
        pageSize: input.pageSize,
        sourceAccountId: input.sourceAccountId ?? null,
        statuses: input.status,
      }),
    }),
  }),
  operation({
    operationId: "createRule",
    tag: "Rules",
    method: "POST",
    path: "/rules",
    summary: "Create a rule",
    description:
      "Writes a rule: a trigger, and steps with conditions and actions. It is always inactive until a person activates it at `activationUrl`. `activation` says whether they could, and what prevents it. Needs `CREATE_AND_EDIT_RULES` for all rules.",
    tool: {
      useWhen:
        "Use when money should move repeatedly; it is inactive until a person activates it. Not for one transfer (createTransfer), nor to change one (updateRule). First: listAccounts. Next: triggerRule with simulation: true and the version.",
      hints: ADDS,
    },
    example: { request: EXAMPLE_DEFINITION, answer: { ...EXAMPLE_RULE, activation: EXAMPLE_ACTIVATION } },
    permission: "CREATE_AND_EDIT_RULES",
    auditAction: "CREATE_RULE",
    pathParameters: null,
    input: ruleDefinitionSchema,
    refuseUnread: comparisonProblems,
    listFields: [],
    output: writtenRuleSchema,
    successes: [{ status: 201, when: "The rule, inactive." }],
    errors: ["IDEMPOTENCY_KEY_MISMATCH"],
    isIdempotent: true,
    run: async ({ services, context, sent, idempotency }, definition) =>
      createRule(services, context, definition, {
        sent,
        idempotency,
        auditAction: "CREATE_RULE",
        status: 201,
      }),
  }),
  operation({
    operationId: "getRule",
    tag: "Rules",
    method: "GET",
    path: "/rules/:id",
    summary: "Read one rule",
    description:
      "A rule in its latest version, with steps, conditions and actions. A deleted rule, or one that this version cannot represent, answers 403 `INVALID_RULE`: treat it as something that exists and can only be listed.",
    tool: {
      useWhen:
        "Use when you explain a rule, or are about to change it. Not to find it (listRules), nor for what it did (listRuleExecutions). Next: updateRule.",
      hints: READS,
    },
    example: { request: { id: EXAMPLE_IDS.rule }, answer: EXAMPLE_RULE },
    permission: "READ_RULES",
    auditAction: "GET_RULE",
    pathParameters: rulePath,
    input: z.strictObject({ id: z.guid().describe("The rule.") }),
    listFields: [],
    output: ruleSchema,
    successes: [{ status: 200, when: "The rule." }],
    errors: ["RULE_NOT_FOUND", "INVALID_RULE"],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await getRule(services, context, input.id),
    }),
  }),
  operation({
    operationId: "updateRule",
    tag: "Rules",
    method: "PUT",
    path: "/rules/:id",
    summary: "Change a rule",
    description:
      "Replaces the whole definition with a new version, inactive until a person activates it; an active version keeps running until then. `activation` says whether a person could activate it, and what prevents it. Send `expectedVersion` to get 409 when someone else has edited it since.",
    tool: {
      useWhen:
        "Use when a rule should change: its new version is inactive until a person activates it. Not to activate or pause it. First: getRule, for the paths. Next: triggerRule with simulation: true and the version.",
      hints: REPLACES,
    },
    example: {
      request: { id: EXAMPLE_IDS.rule, ...EXAMPLE_DEFINITION, expectedVersion: 1 },
      answer: { ...EXAMPLE_RULE, version: 2, activation: EXAMPLE_ACTIVATION },
    },
    permission: "CREATE_AND_EDIT_RULES",
    auditAction: "UPDATE_RULE",
    pathParameters: rulePath,
    input: updateRuleBodySchema.safeExtend({ id: z.guid().describe("The rule.") }),
    refuseUnread: comparisonProblems,
    listFields: [],
    output: writtenRuleSchema,
    successes: [{ status: 200, when: "The rule in its new version." }],
    errors: ["RULE_NOT_FOUND", "INVALID_RULE", "RULE_VERSION_CONFLICT", "IDEMPOTENCY_KEY_MISMATCH"],
    isIdempotent: true,
    run: async ({ services, context, sent, idempotency }, { id, expectedVersion, ...definition }) =>
      updateRule(
        services,
        context,
        { ruleId: id, definition, expectedVersion: expectedVersion ?? null },
        { sent, idempotency, auditAction: "UPDATE_RULE", status: 200 },
      ),
  }),
  operation({
    operationId: "triggerRule",
    tag: "Rules",
    method: "POST",
    path: "/rules/:id/trigger",
    summary: "Run a rule",
    description:
      "Starts a rule on demand, whatever its trigger. The work is queued: poll `GET /rules/{ruleId}/executions/{id}` with exponential backoff. A missing body is the same as `{}`. With `simulation: true` it is a dry run, which moves nothing, asks nobody, is allowed on an inactive rule, and answers with its outcome at once. A dry run uses the active version, otherwise the latest, or the one that `version` names; `simulatedIncomingFunds` alone shows what happens when that much arrives. `ruleVersion` and `base` in the answer name the version and the base used. A live run of a rule that is inactive, or paused after a return, answers `RULE_DEACTIVATED`.",
    tool: {
      useWhen:
        "Use when the person asks to run a rule now, or what would happen: simulation: true moves nothing, on any version; simulatedIncomingFunds: if so much arrived. Not for one transfer (createTransfer), nor after a denial. Next: getRuleExecution.",
      hints: MOVES_MONEY,
    },
    example: {
      request: { id: EXAMPLE_IDS.rule, executeAmount: 340_000, reasonForApproval: "Halden Health paid." },
      answer: {
        executionId: EXAMPLE_IDS.ruleExecution,
        ruleId: EXAMPLE_IDS.rule,
        status: "APPROVAL_PENDING",
        executionMode: "LIVE",
        createdAt: EXAMPLE_TIMES.asked,
        reasonForApproval: "Halden Health paid.",
        approvalUrl: `https://sluice.example/?approvalTransferId=${EXAMPLE_IDS.ruleExecution}`,
        ruleVersion: null,
        base: null,
        live: null,
        conditionsNotMet: null,
        transfers: null,
        checks: null,
      },
    },
    permission: "TRIGGER_RULES",
    auditAction: "TRIGGER_RULE",
    pathParameters: rulePath,
    input: z
      .strictObject({ id: z.guid().describe("The rule."), ...triggerRuleBodyShape })
      .refine(isVersionOfDryRun, VERSION_PROBLEM)
      .meta({
        dependentSchemas: {
          version: { properties: { simulation: { const: true } }, required: ["simulation"] },
        },
      }),
    listFields: [],
    output: triggeredExecutionSchema,
    successes: [{ status: 202, when: "Queued, or waiting for approval." }],
    errors: [
      "RULE_NOT_FOUND",
      "RULE_DEACTIVATED",
      "REPEATS_DENIAL",
      "INVALID_RULE",
      "IDEMPOTENCY_KEY_MISMATCH",
      "RULE_EXECUTION_IN_PROGRESS",
    ],
    isIdempotent: true,
    run: async ({ services, context, sent, idempotency }, { id, ...body }) =>
      triggerRule(services, context, {
        ruleId: id,
        body,
        sent,
        idempotency,
        auditAction: "TRIGGER_RULE",
        check: checkDryRun,
      }),
  }),
  operation({
    operationId: "listRuleExecutions",
    tag: "Rules",
    method: "GET",
    path: "/rules/:ruleId/executions",
    summary: "List runs of a rule",
    description: "The runs of one rule, newest first. Without `executionMode`, live runs only.",
    tool: {
      useWhen:
        "Use when you ask when one rule ran and how it ended. Not for all rules (listAllRuleExecutions), nor to follow a run (getRuleExecution).",
      hints: READS,
    },
    example: {
      request: { ruleId: EXAMPLE_IDS.rule, executionMode: "ALL" },
      answer: { items: [EXAMPLE_EXECUTION], pagination: PAGE_OF_TEN },
    },
    permission: "READ_RULES",
    auditAction: "LIST_RULE_EXECUTIONS",
    pathParameters: {
      schema: z.object({ ruleId: z.guid().toLowerCase() }),
      notFound: "RULE_NOT_FOUND",
    },
    input: z
      .strictObject({
        ...pageQueryShape,
        ruleId: z.guid().describe("The rule."),
        executionMode: z
          .enum(["ALL", "LIVE", "SIMULATION"])
          .default("LIVE")
          .describe("`SIMULATION` lists dry runs instead, `ALL` both."),
        status: anyOf(ruleExecutionStatusSchema).describe(
          "Only runs with one of these statuses; repeat it or separate with commas.",
        ),
        ...dateRangeShape,
      })
      .refine(isDateRange, DATE_RANGE_PROBLEM),
    listFields: ["status"],
    output: pageOf(ruleExecutionSummarySchema),
    successes: [{ status: 200, when: "A page of runs." }],
    errors: ["RULE_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await listRuleExecutions(services, context, {
        page: input.page,
        pageSize: input.pageSize,
        ruleId: input.ruleId,
        executionMode: input.executionMode,
        statuses: input.status,
        from: input.from ?? null,
        to: input.to ?? null,
      }),
    }),
  }),
  operation({
    operationId: "listAllRuleExecutions",
    tag: "Rules",
    method: "GET",
    path: "/rule-executions",
    summary: "List runs of all rules",
    description:
      "The runs of every rule that the key may read, newest first. `reason` says why a run failed, or what it skipped and why. Without `executionMode`, live runs only.",
    tool: {
      useWhen:
        "Use when you ask which runs failed, wait or skipped, and why, whatever the rule. Not for one rule (listRuleExecutions). Next: getRuleExecution for a run's transfers.",
      hints: READS,
    },
    example: {
      request: { status: ["FAILED"], from: "2026-11-20T00:00:00Z" },
      answer: {
        items: [
          {
            ...EXAMPLE_EXECUTION,
            status: "FAILED",
            ruleName: "Set aside taxes",
            transfersAttempted: 1,
            reason: "Could not move $4,250.00 from Operating to Taxes: Operating has only $100.00.",
          },
        ],
        pagination: PAGE_OF_TEN,
      },
    },
    permission: "READ_RULES",
    auditAction: null,
    pathParameters: null,
    input: z
      .strictObject({
        ...pageQueryShape,
        executionMode: z
          .enum(["ALL", "LIVE", "SIMULATION"])
          .default("LIVE")
          .describe("`SIMULATION` lists dry runs instead, `ALL` both."),
        status: anyOf(ruleExecutionStatusSchema).describe(
          "Only runs with one of these statuses; repeat it or separate with commas.",
        ),
        ...dateRangeShape,
      })
      .refine(isDateRange, DATE_RANGE_PROBLEM),
    listFields: ["status"],
    output: pageOf(ruleExecutionLineSchema),
    successes: [{ status: 200, when: "A page of runs." }],
    errors: [],
    isIdempotent: false,
    run: async ({ services, context }, input) => ({
      kind: "DATA",
      data: await listAllRuleExecutions(services, context, {
        page: input.page,
        pageSize: input.pageSize,
        executionMode: input.executionMode,
        statuses: input.status,
        from: input.from ?? null,
        to: input.to ?? null,
      }),
    }),
  }),
  operation({
    operationId: "cancelRuleExecution",
    tag: "Rules",
    method: "POST",
    path: "/rules/:ruleId/executions/:id/cancel",
    summary: "Cancel a run of your own",
    description:
      "Takes back a run that the key started itself: one that waits becomes `APPROVAL_DENIED`; of one that is accepted, the transfers that have not left become `CANCELLED`. What has left stays, and the run is then `PARTIAL`. Repeating it answers the same. If nothing is left to cancel, it is refused with `TOO_LATE_TO_CANCEL`.",
    tool: {
      useWhen:
        "Use when a run that you started is no longer wanted; what has left stays. Not for a single transfer (cancelTransfer). First: listRuleExecutions for the id.",
      hints: TAKES_BACK,
    },
    example: {
      request: { ruleId: EXAMPLE_IDS.rule, id: EXAMPLE_IDS.ruleExecution },
      answer: { ...EXAMPLE_RUN, status: "APPROVAL_DENIED" },
    },
    permission: "TRIGGER_RULES",
    auditAction: null,
    pathParameters: {
      schema: z.object({ ruleId: z.guid().toLowerCase(), id: z.guid().toLowerCase() }),
      notFound: { ruleId: "RULE_NOT_FOUND", id: "RULE_EXECUTION_NOT_FOUND" },
    },
    input: z.strictObject({
      ruleId: z.guid().describe("The rule that runs."),
      id: z.guid().describe("The run."),
    }),
    listFields: [],
    output: ruleExecutionSchema,
    successes: [{ status: 200, when: "Canceled, now or before." }],
    errors: ["RULE_NOT_FOUND", "RULE_EXECUTION_NOT_FOUND", "TOO_LATE_TO_CANCEL"],
    isIdempotent: false,
    run: async ({ services, context, sent }, { ruleId, id }) =>
      cancelOwnRun(services, context, { ruleId, executionId: id, sent }),
  }),
  operation({
    operationId: "getRuleExecution",
    tag: "Rules",
    method: "GET",
    path: "/rules/:ruleId/executions/:id",
    summary: "Read one run of a rule",
    description:
      "A run with its status and its transfers. Skipped transfers, whose computed amount was too small to move, are `transfersAttempted` minus the completed, failed and pending ones. A key reads the runs that it started itself without `READ_RULES`.",
    tool: {
      useWhen:
        "Use when you follow a run after triggerRule, or ask how it went and why. Not to find runs (listAllRuleExecutions). Next: getTransfer for its transfers.",
      hints: READS,
    },
    example: {
      request: { ruleId: EXAMPLE_IDS.rule, id: EXAMPLE_IDS.ruleExecution },
      answer: EXAMPLE_RUN,
    },
    permission: "READ_RULES",
    ownPermission: "TRIGGER_RULES",
    auditAction: "GET_RULE_EXECUTION",
    pathParameters: {
      schema: z.object({ ruleId: z.guid().toLowerCase(), id: z.guid().toLowerCase() }),
      notFound: { ruleId: "RULE_NOT_FOUND", id: "RULE_EXECUTION_NOT_FOUND" },
    },
    input: z.strictObject({
      ruleId: z.guid().describe("The rule that ran."),
      id: z.guid().describe("The run."),
      ...waitQueryShape,
    }),
    listFields: [],
    output: ruleExecutionSchema,
    successes: [{ status: 200, when: "The run." }],
    errors: ["RULE_NOT_FOUND", "RULE_EXECUTION_NOT_FOUND"],
    isIdempotent: false,
    run: async ({ services, context, gone }, { ruleId, id, wait }) => ({
      kind: "DATA",
      data: await readWhenChanged(services, context, {
        kind: "RULE_RUN",
        id,
        waitSeconds: wait,
        gone,
        read: (at) => getExecutionWithApprovals(services, at, { ruleId, executionId: id }),
        isFinal: ({ status }) => status !== "APPROVAL_PENDING" && status !== "IN_PROGRESS",
      }),
    }),
  }),
];
