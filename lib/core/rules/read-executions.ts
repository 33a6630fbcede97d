import type { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import {
  type DryRunBase,
  type LiveOutlook,
  type RuleExecution,
  type RuleExecutionLine,
  type RuleExecutionStatus,
  type RuleExecutionSummary,
  triggerDetailsSchema,
} from "@/lib/contract/rules/execution";
import { type RuleFacts, ruleFactsSchema } from "@/lib/contract/rules/facts";
import { type RulePlan, rulePlanSchema } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { ExecutionMode } from "@/lib/contract/transfer";
import { namesOf } from "@/lib/core/rules/read-account-names";
import { findRule } from "@/lib/core/rules/read-rules";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { covers, mayReadAccounts, permissionOf, requirePermission } from "@/lib/core/shared/permits";
import { type DecisionRow, decisionOf, toDecision } from "@/lib/core/shared/proposal-decision";
import { approvalUrl } from "@/lib/core/transfers/read-transfers";
import type { Queryable } from "@/lib/db/transaction";
import { type RunBase, type SimulatedBase, toDryRunBase } from "@/lib/engine/run-facts";
import type { Services } from "@/lib/platform/services";
import { inSlices } from "@/lib/platform/slices";
import { runErrorMessage, runSkipMessage } from "@/lib/words/rules/trace-words";

const EXECUTION_SUMMARY_COLUMNS = `e.id, e.rule_id as "ruleId", e.status, e.execution_mode as "executionMode", e.created_at as "createdAt",
  e.reason_for_approval as "reasonForApproval", ${decisionOf("e")} as decision`;

interface ExecutionSummaryRow {
  id: string;
  ruleId: string;
  status: RuleExecutionStatus;
  executionMode: ExecutionMode;
  createdAt: Date;
  reasonForApproval: string | null;
  decision: DecisionRow | null;
}

interface ExecutionRow extends ExecutionSummaryRow {
  ruleVersion: number;
  /** From the version that ran. */
  trigger: RuleDefinition["trigger"];
  base: RunBase;
  /** Null for a live run, and for a dry run that an earlier Sluice made. */
  liveOutlook: LiveOutlook | null;
  /** The stored facts and plan; null if it produced none. */
  facts: unknown;
  plan: unknown;
  triggerDetails: z.input<typeof triggerDetailsSchema>;
  stepIndexMatched: number | null;
  conditionsNotMet: boolean;
  transfersAttempted: number;
  transfersCompleted: number;
  transfersFailed: number;
  transfersPending: number;
  transferIds: string[];
  errorMessage: string | null;
  nextAttemptAt: Date | null;
}

function toExecutionSummary(row: ExecutionSummaryRow, appUrl: string): RuleExecutionSummary {
  return {
    id: row.id,
    ruleId: row.ruleId,
    status: row.status,
    executionMode: row.executionMode,
    createdAt: row.createdAt.toISOString(),
    reasonForApproval: row.reasonForApproval,
    approvalUrl: row.status === "APPROVAL_PENDING" ? approvalUrl(appUrl, row.id) : null,
    decision: toDecision(row.decision),
  };
}

/** Reduced to what the caller may read, because a run reveals the balances of all accounts of its rule. */
function toExecution(row: ExecutionRow, actor: CallerActor, appUrl: string): RuleExecution {
  const facts = ruleFactsSchema.safeParse(row.facts).data ?? null;
  const plan = rulePlanSchema.safeParse(row.plan).data ?? null;
  const details = triggerDetailsSchema.parse(row.triggerDetails);
  return {
    ...toExecutionSummary(row, appUrl),
    approvals: null,
    ruleVersion: row.ruleVersion,
    base: facts && row.base.mode === "SIMULATION" ? readableBase(actor, row.trigger, row.base, facts) : null,
    live: row.liveOutlook,
    triggerDetails: readableTriggerDetails(actor, details, row.trigger.accountId),
    stepIndexMatched: row.stepIndexMatched,
    conditionsNotMet: row.conditionsNotMet,
    transfersAttempted: row.transfersAttempted,
    transfersCompleted: row.transfersCompleted,
    transfersFailed: row.transfersFailed,
    transfersPending: row.transfersPending,
    transferIds: row.transferIds,
    errorMessage: readableError(actor, { errorMessage: row.errorMessage, facts, plan }),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  };
}

/**
 * What a key may read of a rule's run. A dry run can use any account of the organization, so its amounts would bypass
 * READ_ACCOUNTS (docs/behavior/rules.md).
 */

/** The base of a dry run, without a balance that the caller may not read. */
export function readableBase(
  actor: CallerActor,
  trigger: RuleDefinition["trigger"],
  base: SimulatedBase,
  facts: RuleFacts,
): DryRunBase {
  const shown = toDryRunBase(trigger, base, facts);
  if (shown.kind !== "REAL_BALANCE" || mayReadAccounts(actor, [trigger.accountId])) return shown;
  // The caller chose the simulated arrival; without one the incoming amount is the balance.
  const isArrival = shown.setsOff !== null;
  return {
    ...shown,
    availableInCents: null,
    incomingAmountInCents: isArrival ? shown.incomingAmountInCents : null,
  };
}

/** Why a run failed, with amounts only for a caller who may read every account that they may depend on. */
function readableError(
  actor: CallerActor,
  run: { errorMessage: string | null; facts: RuleFacts | null; plan: RulePlan | null },
): string | null {
  const { errorMessage, facts, plan } = run;
  if (errorMessage === null || !facts || !plan) return errorMessage;
  if (mayReadAccounts(actor, Object.keys(facts.accounts))) return errorMessage;
  return runErrorMessage(plan, namesOf(facts), "WITHOUT_AMOUNTS") ?? errorMessage;
}

type TriggerDetails = z.infer<typeof triggerDetailsSchema>;

/** What triggered a run, with the arrived amount only for a caller who may read the account or its transfers. */
function readableTriggerDetails(
  actor: CallerActor,
  details: TriggerDetails,
  accountId: string,
): TriggerDetails {
  if (details.type !== "ON_FUNDS_TRANSFERRED" || mayReadAccounts(actor, [accountId])) return details;
  const transfers = permissionOf(actor, "READ_TRANSFERS");
  return transfers && covers(transfers.accounts, accountId) ? details : { ...details, amountInCents: null };
}

/**
 * One run of a rule with counts of its transfers, for a key that may read the rule, or that started the run itself; without amounts of accounts that the key may not read.
 * @throws AppError `RULE_NOT_FOUND`, `ACCESS_DENIED`, `RULE_EXECUTION_NOT_FOUND` (also for a run of another rule).
 */
export async function getRuleExecution(
  services: Pick<Services, "appUrl"> & { pool: Queryable },
  context: Context<CallerActor>,
  input: { ruleId: string; executionId: string },
): Promise<RuleExecution> {
  const { rows } = await services.pool.query<ExecutionRow & { isOwn: boolean }>({
    name: "get_rule_execution",
    // A returned transfer did complete; a canceled or denied one never will.
    text: `
      select ${EXECUTION_SUMMARY_COLUMNS}, e.trigger_details as "triggerDetails",
          e.step_index_matched as "stepIndexMatched", e.conditions_not_met as "conditionsNotMet",
          e.transfers_attempted as "transfersAttempted", e.error_message as "errorMessage",
          e.next_attempt_at as "nextAttemptAt", e.rule_version as "ruleVersion", e.base,
          e.live_outlook as "liveOutlook", e.facts,
          e.plan, (select v.definition -> 'trigger' from rule_versions v where v.organization_id = e.organization_id
            and v.rule_id = e.rule_id and v.version = e.rule_version) as trigger,
          e.started_by_kind = 'API_KEY' and e.started_by_id = $4 as "isOwn",
          count(*) filter (where t.status in ('COMPLETE', 'RETURNED'))::int as "transfersCompleted",
          count(*) filter (where t.status in ('FAILED', 'CANCELLED', 'APPROVAL_DENIED'))::int as "transfersFailed",
          count(*) filter (where t.status in ('PROCESSING', 'APPROVAL_PENDING'))::int as "transfersPending",
          coalesce(array_agg(t.id::text order by t.id) filter (where t.id is not null), '{}') as "transferIds"
        from rule_executions e
        left join transfers t on t.organization_id = e.organization_id and t.rule_execution_id = e.id
       where e.organization_id = $1 and e.rule_id = $2 and e.id = $3
       group by e.organization_id, e.id`,
    values: [context.organizationId, input.ruleId, input.executionId, context.actor.id],
  });
  if (!rows[0]?.isOwn) {
    const { rules } = requirePermission(context.actor, "READ_RULES");
    await findRule(services.pool, context, rules, input.ruleId);
  }
  if (!rows[0]) {
    throw new AppError(
      "RULE_EXECUTION_NOT_FOUND",
      `The rule ${input.ruleId} has no execution ${input.executionId}.`,
    );
  }
  return toExecution(rows[0], context.actor, services.appUrl);
}

interface ListRuleExecutionsInput extends PageRequest {
  ruleId: string;
  executionMode: "ALL" | "LIVE" | "SIMULATION";
  /** Any of them; empty: all. */
  statuses: readonly RuleExecutionStatus[];
  /** On `createdAt`, both inclusive. */
  from: Date | null;
  to: Date | null;
}

/**
 * The runs of one rule, newest first, even of a deleted one.
 * @throws AppError `RULE_NOT_FOUND`, `ACCESS_DENIED`.
 */
export async function listRuleExecutions(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  input: ListRuleExecutionsInput,
): Promise<Page<RuleExecutionSummary>> {
  const { rules } = requirePermission(context.actor, "READ_RULES");
  await findRule(services.pool, context, rules, input.ruleId);
  // Two statements for two indexes: one plan for both would scan past the other mode's runs.
  const isOfOneMode = input.executionMode !== "ALL";
  const { rows } = await services.pool.query<ExecutionSummaryRow>({
    name: isOfOneMode ? "list_rule_executions_of_mode" : "list_rule_executions",
    text: listExecutions(isOfOneMode),
    values: [
      context.organizationId,
      input.ruleId,
      input.statuses.length === 0 ? null : input.statuses,
      input.from,
      input.to,
      input.pageSize + 1,
      (input.page - 1) * input.pageSize,
      ...(isOfOneMode ? [input.executionMode] : []),
    ],
  });
  return toPage(rows, input, (row) => toExecutionSummary(row, services.appUrl));
}

/** Skips the offset on the index alone; reads only the page's own rows, one by one (`offset 0`). */
const listExecutions = (isOfOneMode: boolean) => `
  with page as (
    select id from rule_executions
     where organization_id = $1 and rule_id = $2 ${isOfOneMode ? "and execution_mode = $8" : ""}
       and ($3::text[] is null or status = any ($3))
       and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at <= $5)
     order by id desc limit $6 offset $7)
  select ${EXECUTION_SUMMARY_COLUMNS}
    from page
    cross join lateral (select * from rule_executions where organization_id = $1 and id = page.id offset 0) e
   order by page.id desc`;

type ListAllRuleExecutionsInput = Omit<ListRuleExecutionsInput, "ruleId">;

interface ExecutionLineRow extends ExecutionSummaryRow {
  ruleName: string;
  conditionsNotMet: boolean;
  transfersAttempted: number;
  errorMessage: string | null;
  facts: unknown;
  plan: unknown;
}

/**
 * The runs of all rules that the key may read, newest first, each with why it failed or what it skipped.
 * @throws AppError `ACCESS_DENIED`
 */
export async function listAllRuleExecutions(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  input: ListAllRuleExecutionsInput,
): Promise<Page<RuleExecutionLine>> {
  const { rules } = requirePermission(context.actor, "READ_RULES");
  const { rows } = await services.pool.query<ExecutionLineRow>(
    allExecutionsStatement(context.organizationId, rules === "ALL" ? null : rules, input),
  );
  const reasons = await inSlices(readingReasons(rows, context.actor));
  const page = toPage(rows, input, (row) => row);
  const items = page.items.map((row, index) => ({
    ...toExecutionSummary(row, services.appUrl),
    ruleName: row.ruleName,
    transfersAttempted: row.transfersAttempted,
    reason: reasons[index] ?? null,
  }));
  return { ...page, items };
}

/** In slices: facts and plan of a large rule take milliseconds to read, and a page has a hundred runs. */
function* readingReasons(
  rows: readonly ExecutionLineRow[],
  actor: CallerActor,
): Generator<void, (string | null)[]> {
  const reasons: (string | null)[] = [];
  for (const row of rows) {
    yield;
    reasons.push(toReason(row, actor));
  }
  return reasons;
}

function toReason(row: ExecutionLineRow, actor: CallerActor): string | null {
  const facts = ruleFactsSchema.safeParse(row.facts).data ?? null;
  const plan = rulePlanSchema.safeParse(row.plan).data ?? null;
  const error = readableError(actor, { errorMessage: row.errorMessage, facts, plan });
  if (error !== null) return error;
  if (row.conditionsNotMet) return "The conditions of no step were met.";
  if (!facts || !plan) return null;
  const mayReadAll = mayReadAccounts(actor, Object.keys(facts.accounts));
  return runSkipMessage(plan, namesOf(facts), mayReadAll ? "WITH_AMOUNTS" : "WITHOUT_AMOUNTS");
}

/**
 * Reads each rule from its own index, newest first and no further than the page needs, then merges: no index of all runs
 * would be worth an entry per run. A single status is inlined, so that a plan can use the index of the others than
 * EXECUTED.
 */
function allExecutionsStatement(
  organizationId: string,
  rules: readonly string[] | null,
  { page, pageSize, executionMode, statuses, from, to }: ListAllRuleExecutionsInput,
) {
  const values: unknown[] = [organizationId, rules, pageSize + 1, (page - 1) * pageSize];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const [status] = statuses;
  const filters = {
    [executionMode.toLowerCase()]: executionMode !== "ALL" && `execution_mode = '${executionMode}'`,
    [status?.toLowerCase() ?? ""]: statuses.length === 1 && `status = '${status}'`,
    statuses: statuses.length > 1 && `status = any (${parameter(statuses)}::text[])`,
    from: from && `created_at >= ${parameter(from)}`,
    to: to && `created_at <= ${parameter(to)}`,
  };
  const asked = Object.entries(filters).flatMap(([name, sql]) => (sql ? [{ name, sql }] : []));
  return {
    name: ["list_all_rule_executions", ...asked.map(({ name }) => name)].join("_"),
    text: `
      with page as (
        select found.id from rules r
          cross join lateral (
            select id from rule_executions
             where organization_id = $1 and rule_id = r.id ${asked.map(({ sql }) => `and ${sql}`).join(" ")}
             order by id desc limit $3::int + $4::int) found
         where r.organization_id = $1 and ($2::uuid[] is null or r.id = any ($2))
         order by found.id desc limit $3::int offset $4::int)
      select ${EXECUTION_SUMMARY_COLUMNS}, r.name as "ruleName", e.conditions_not_met as "conditionsNotMet",
          e.transfers_attempted as "transfersAttempted",
          e.error_message as "errorMessage", e.facts, e.plan
        from page
        cross join lateral (select * from rule_executions where organization_id = $1 and id = page.id offset 0) e
        join rules r on r.organization_id = $1 and r.id = e.rule_id
       order by page.id desc`,
    values,
  };
}
