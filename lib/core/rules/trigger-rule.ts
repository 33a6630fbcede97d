import { AppError } from "@/lib/contract/error";
import type {
  RuleExecutionStatus,
  TriggeredExecution,
  TriggerRuleBody,
} from "@/lib/contract/rules/execution";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan } from "@/lib/contract/rules/plan";
import { gatesClosed } from "@/lib/core/keys/gates";
import { findRuleToRun, type RuleToRun, requireActive } from "@/lib/core/rules/find-rule-to-run";
import { type PlannedTransfer, planCounters, plannedTransfers } from "@/lib/core/rules/planned-transfers";
import { namesOf } from "@/lib/core/rules/read-account-names";
import { readableBase } from "@/lib/core/rules/read-executions";
import { readRuleFacts } from "@/lib/core/rules/read-rule-facts";
import { type RunStartOutcome, toRunItem } from "@/lib/core/rules/start-run";
import { auditEntry } from "@/lib/core/shared/audit-entry";
import type { CallerActor, Context, SentRequest } from "@/lib/core/shared/context";

import { groupWrites } from "@/lib/core/shared/group-writes";
import {
  type IdempotentCall,
  type IdempotentOutcome,
  idempotencyExpiry,
  type Replay,
  readReplay,
} from "@/lib/core/shared/idempotency";
import { requirePermission, revokedMeanwhile, tooManyWaiting } from "@/lib/core/shared/permits";

import { RUN_RULES, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { approvalUrl } from "@/lib/core/transfers/read-transfers";
import { evaluate } from "@/lib/engine/evaluate";
import { isArrival, type SimulatedBase, simulatedBase, withBase } from "@/lib/engine/run-facts";
import { runErrorMessage, unknownWords } from "@/lib/engine/words/trace-words";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

export interface TriggerRuleInput {
  ruleId: string;
  body: TriggerRuleBody;
  /** As it came in, for the approver and the audit log. */
  sent: SentRequest;
  auditAction: string;
  /** Null when the caller sent no idempotency key. */
  idempotency: IdempotentCall | null;
}

export type TriggerRuleResult =
  | { kind: "RECORDED"; status: number; body: { data: TriggeredExecution; requestId: string } }
  | ({ kind: "REPLAYED" } & Replay);

/** What `trigger_rules` answers for one item. */
interface OutcomeRow extends IdempotentOutcome {
  outcome: Exclude<RunStartOutcome, "STARTED"> | "CREATED" | "REPLAY" | "IN_PROGRESS";
}

interface TriggerItem {
  organizationId: string;
  ruleId: string;
}

// The function locks the keys and rules of its group in order itself.
const write = groupWrites<TriggerItem, OutcomeRow>({
  name: "trigger_rules",
  text: "select * from trigger_rules($1)",
  compare: () => 0,
});

/**
 * Runs a rule that a key asks for (specification, Part 4, "Trigger rules"), whatever its trigger. Live: one round trip
 * reads the rule; a second, shared with whoever asks at the same moment, writes the run or its proposal, the idempotent
 * result and the audit entry; the worker does the rest. Dry: worked out here and recorded as it came out.
 * @throws AppError `RULE_NOT_FOUND`, `ACCESS_DENIED`, `INVALID_RULE`, `INVALID_PARAMETERS` for a version that there is not,
 * `RULE_DEACTIVATED`, `RULE_EXECUTION_IN_PROGRESS`,
 * `IDEMPOTENCY_KEY_MISMATCH`, `UNAUTHORIZED` when the key was revoked meanwhile; `ACCESS_DENIED` while all gates
 * are closed, but for dry runs; `RATE_LIMIT_EXCEEDED` while too many of its proposals wait.
 */
export async function triggerRule(
  services: Services,
  context: Context<CallerActor>,
  input: TriggerRuleInput,
): Promise<TriggerRuleResult> {
  const permission = requirePermission(context.actor, "TRIGGER_RULES");
  const version = input.body.simulation ? (input.body.version ?? null) : null;
  const rule = await findRuleToRun(services.pool, context, permission.rules, input.ruleId, version);
  const executionId = newId(context.now);
  const dryRun = input.body.simulation
    ? await workOutDryRun(services, context, rule, executionId, input.body, permission.approval.required)
    : null;
  if (!dryRun) requireActive(rule);
  const liveStatus = permission.approval.required ? "APPROVAL_PENDING" : "IN_PROGRESS";
  const execution = describe(services, context, input, executionId, {
    status: dryRun?.status ?? liveStatus,
    dryRun,
    rule,
  });
  const body = { data: execution, requestId: context.requestId };
  const outcome = await write(services.pool, toItem(context, input, rule, execution, dryRun, body));
  if (outcome.outcome === "REPLAY" && input.idempotency) {
    return { kind: "REPLAYED", ...readReplay(input.idempotency, outcome) };
  }
  requireCreated(context.actor, outcome);
  if (!dryRun) services.wake(execution.status === "APPROVAL_PENDING" ? SEND_NOTICES : RUN_RULES);
  return { kind: "RECORDED", status: ACCEPTED, body };
}

const ACCEPTED = 202;

/** The run as it is about to be written. */
function describe(
  services: Services,
  context: Context<CallerActor>,
  input: TriggerRuleInput,
  executionId: string,
  { status, dryRun, rule }: { status: RuleExecutionStatus; dryRun: DryRun | null; rule: RuleToRun },
): TriggeredExecution {
  return {
    executionId,
    ruleId: input.ruleId,
    status,
    executionMode: dryRun ? "SIMULATION" : "LIVE",
    createdAt: context.now.toISOString(),
    reasonForApproval: input.body.reasonForApproval ?? null,
    approvalUrl: status === "APPROVAL_PENDING" ? approvalUrl(services.appUrl, executionId) : null,
    ruleVersion: dryRun?.ruleVersion ?? null,
    base: dryRun && readableBase(context.actor, rule.definition.trigger, dryRun.base, dryRun.facts),
  };
}

function toItem(
  context: Context<CallerActor>,
  input: TriggerRuleInput,
  rule: RuleToRun,
  execution: TriggeredExecution,
  dryRun: DryRun | null,
  body: TriggerRuleResult["body"],
) {
  const { organizationId, actor, now } = context;
  // Of assistants too: the tables know callers.
  const startedBy = { kind: "API_KEY" as const, id: actor.id, name: actor.name };
  const amountInCents = input.body.executeAmount ?? null;
  const triggerDetails = { type: "SERVICE_API" as const, amountInCents };
  const { reasonForApproval } = execution;
  const run = toRunItem(execution.executionId, {
    organizationId,
    ruleId: rule.id,
    triggerDetails,
    incomingAmountInCents: amountInCents,
    startedBy,
    cause: null,
    approvalRequired: execution.status === "APPROVAL_PENDING",
    reasonForApproval,
    request: input.sent,
    now,
  });
  return {
    organizationId,
    apiKeyId: actor.id,
    ruleId: rule.id,
    now,
    run: dryRun ? null : run,
    dryRun: dryRun && { ...dryRun, organizationId, startedBy, triggerDetails, reasonForApproval, now },
    idempotency: input.idempotency && {
      ...input.idempotency,
      status: ACCEPTED,
      body,
      expiresAt: idempotencyExpiry(now),
    },
    audit: auditEntry(
      context,
      { method: input.sent.method, path: input.sent.path, action: input.auditAction },
      null,
    ),
  };
}

function requireCreated(actor: CallerActor, { outcome }: OutcomeRow): void {
  switch (outcome) {
    case "CREATED":
      return;
    case "IN_PROGRESS":
      throw new AppError(
        "RULE_EXECUTION_IN_PROGRESS",
        "The original request with this idempotency-key is still in flight. Retry in a moment with the same key.",
      );
    case "KEY_REVOKED":
      throw revokedMeanwhile(actor, "Nothing moved.");
    case "GATES_CLOSED":
      throw gatesClosed();
    case "TOO_MANY_WAITING":
      throw tooManyWaiting(actor);
    default:
      // Deactivated or paused between the reading and the writing.
      throw new AppError("RULE_DEACTIVATED", "This rule is not active any more. Nothing moved.");
  }
}

/** A dry run as it came out. */
interface DryRun {
  id: string;
  ruleId: string;
  ruleName: string;
  ruleVersion: number;
  status: Extract<RuleExecutionStatus, "EXECUTED" | "PARTIAL" | "FAILED">;
  base: SimulatedBase;
  facts: RuleFacts;
  plan: RulePlan | null;
  stepIndexMatched: number | null;
  conditionsNotMet: boolean;
  transfersAttempted: number;
  errorMessage: string | null;
  transfers: PlannedTransfer[];
}

/**
 * Works a dry run out from the real facts and the caller's base (specification, Part 4, "Trigger rules" 2).
 * @param approvalRequired of the live run that it stands for: what a person approves may go below a floor
 */
async function workOutDryRun(
  services: Pick<Services, "pool">,
  context: Context,
  rule: RuleToRun,
  executionId: string,
  body: TriggerRuleBody,
  approvalRequired: boolean,
): Promise<DryRun> {
  const base = simulatedBase(rule.definition.trigger, {
    executeAmountInCents: body.executeAmount,
    simulatedSourceBalanceInCents: body.simulatedSourceBalance,
    simulatedIncomingFundsInCents: body.simulatedIncomingFunds,
  });
  const where = { organizationId: context.organizationId, now: context.now, timeZone: rule.timeZone };
  const subject = { ruleId: rule.id, definition: rule.definition };
  // A run that money sets off asks nobody, whatever key tries it, so floors bind it.
  const isApproved = approvalRequired && !isArrival(rule.definition.trigger, base);
  const real = await readRuleFacts(services.pool, where, subject, isApproved);
  const facts = withBase(real, rule.definition.trigger.accountId, base);
  const identity = { id: executionId, ruleId: rule.id, ruleName: rule.name, ruleVersion: rule.version };
  const evaluation = evaluate(rule.definition, facts);
  if (evaluation.kind === "UNKNOWN") {
    // A dry run does not wait: who asks wants to know now.
    const errorMessage = unknownWords(evaluation.missing, namesOf(facts));
    const nothing = { stepIndexMatched: null, conditionsNotMet: false, transfersAttempted: 0, transfers: [] };
    return { ...identity, ...nothing, status: "FAILED", base, facts, plan: null, errorMessage };
  }
  const { plan } = evaluation;
  return {
    ...identity,
    ...planCounters(plan),
    status: statusOf(plan),
    base,
    facts,
    plan,
    errorMessage: runErrorMessage(plan, namesOf(facts)),
    transfers: plannedTransfers(plan, rule.definition, facts, context.now),
  };
}

function statusOf(plan: RulePlan): DryRun["status"] {
  const has = (outcome: "MOVE" | "FAILED") => plan.moves.some((move) => move.outcome === outcome);
  if (!has("FAILED")) return "EXECUTED";
  return has("MOVE") ? "PARTIAL" : "FAILED";
}
