import type { ProposalCheck } from "@/lib/contract/approvals/proposal-check";
import { AppError } from "@/lib/contract/error";
import type {
  LiveOutlook,
  RuleExecutionStatus,
  TriggeredExecution,
  TriggerRuleBody,
} from "@/lib/contract/rules/execution";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountReference } from "@/lib/contract/transfer";
import { gatesClosed } from "@/lib/core/keys/gates";
import { findRuleToRun, type RuleToRun, requireActive } from "@/lib/core/rules/find-rule-to-run";
import { type PlannedTransfer, planCounters, plannedTransfers } from "@/lib/core/rules/planned-transfers";
import { namesOf } from "@/lib/core/rules/read-account-names";
import { readableBase } from "@/lib/core/rules/read-executions";
import { readRuleFacts } from "@/lib/core/rules/read-rule-facts";
import { type RunStart, type RunStartOutcome, toRunItem } from "@/lib/core/rules/start-run";
import { auditEntry } from "@/lib/core/shared/audit-entry";
import type { CallerActor, Context, SentRequest } from "@/lib/core/shared/context";
import { groupStatements } from "@/lib/core/shared/group-statements";
import {
  type IdempotentCall,
  type IdempotentOutcome,
  idempotencyExpiry,
  OUTCOME_COLUMNS,
  type Replay,
  readReplay,
} from "@/lib/core/shared/idempotency";
import {
  mayReadAccounts,
  requirePermission,
  revokedMeanwhile,
  tooManyWaiting,
} from "@/lib/core/shared/permits";
import { repeatsDenial } from "@/lib/core/shared/repeated-denial";
import { RUN_RULES, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { aboveCapWords } from "@/lib/core/transfers/create-transfer";
import { approvalUrl } from "@/lib/core/transfers/read-transfers";
import { skipReason } from "@/lib/engine/backtest/simulate";
import { evaluate } from "@/lib/engine/evaluate";
import { isArrival, type SimulatedBase, simulatedBase, withBase } from "@/lib/engine/run-facts";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { runErrorMessage, unknownWords } from "@/lib/words/rules/trace-words";

export interface TriggerRuleInput {
  ruleId: string;
  body: TriggerRuleBody;
  /** As received, for the approver and the audit log. */
  sent: SentRequest;
  auditAction: string;
  /** Null when the caller sent no idempotency key. */
  idempotency: IdempotentCall | null;
  /** What the approver of a dry run would read (`checkDryRun` of a higher module). */
  check: (services: Services, context: Context<CallerActor>, run: TriedRun) => Promise<ProposalCheck[]>;
}

/** What a dry run worked out, for its checks. */
export interface TriedRun {
  id: string;
  ruleId: string;
  version: number;
  definition: RuleDefinition;
  incomingAmountInCents: number | null;
  reason: string | null;
  /** Null: it could not be computed, because of `missing`. */
  plan: RulePlan | null;
  missing: UnknownFact | null;
  accounts: RuleFacts["accounts"];
}

export type TriggerRuleResult =
  | { kind: "RECORDED"; status: number; body: { data: TriggeredExecution; requestId: string } }
  | ({ kind: "REPLAYED" } & Replay);

/** What `trigger_rules` returns for one item. */
interface OutcomeRow extends IdempotentOutcome {
  outcome: Exclude<RunStartOutcome, "STARTED"> | "CREATED" | "REPLAY" | "IN_PROGRESS";
}

interface TriggerItem {
  organizationId: string;
  ruleId: string;
}

// The function locks the keys and rules of its group in order itself.
const write = groupStatements<TriggerItem, OutcomeRow>({
  name: "trigger_rules",
  text: `select ${OUTCOME_COLUMNS} from trigger_rules($1)`,
  compare: () => 0,
});

/**
 * Runs a rule for a key, whatever its trigger (specification, Part 4, "Trigger rules"). Live: one round trip reads the
 * rule; a second one, shared with concurrent requests, writes the run or its proposal, the idempotency result and the
 * audit entry; the worker carries it out. Dry: evaluated here and recorded with its result.
 * @throws AppError `RULE_NOT_FOUND`, `ACCESS_DENIED`, `REPEATS_DENIAL`, `INVALID_RULE`, `INVALID_PARAMETERS` for an unknown version,
 * `RULE_EXECUTION_IN_PROGRESS`, `IDEMPOTENCY_KEY_MISMATCH`, `UNAUTHORIZED` if the key was revoked during the request; live
 * runs also `RULE_DEACTIVATED`, `ACCESS_DENIED` while all gates are closed, and `RATE_LIMIT_EXCEEDED` while too many of
 * its proposals wait.
 */
export async function triggerRule(
  services: Services,
  context: Context<CallerActor>,
  input: TriggerRuleInput,
): Promise<TriggerRuleResult> {
  const permission = requirePermission(context.actor, "TRIGGER_RULES");
  const version = input.body.simulation ? (input.body.version ?? null) : null;
  const rule = await findRuleToRun(services.pool, context, permission.rules, {
    ruleId: input.ruleId,
    version,
    incomingAmountInCents: input.body.executeAmount ?? null,
  });
  const executionId = newId(context.now);
  const liveStatus = permission.approval.required ? "APPROVAL_PENDING" : "IN_PROGRESS";
  const denied = rule.denied && repeatsDenial(rule.denied);
  const dryRun = input.body.simulation
    ? await workOutDryRun(services, context, input, { rule, executionId, liveStatus, denied })
    : null;
  if (!dryRun) requireActive(rule);
  if (!dryRun && denied) throw denied;
  const execution = describe(services, context, input, executionId, {
    status: dryRun?.status ?? liveStatus,
    dryRun,
    rule,
    checks: dryRun && (await readableChecks(services, context, input, { rule, dryRun })),
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

/** The run before it is written. */
function describe(
  services: Services,
  context: Context<CallerActor>,
  input: TriggerRuleInput,
  executionId: string,
  {
    status,
    dryRun,
    rule,
    checks,
  }: {
    status: RuleExecutionStatus;
    dryRun: DryRun | null;
    rule: RuleToRun;
    checks: ProposalCheck[] | null;
  },
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
    live: dryRun?.live ?? null,
    conditionsNotMet: dryRun?.conditionsNotMet ?? null,
    transfers: dryRun && readableTransfers(context.actor, dryRun),
    checks,
  };
}

/** Null if they reveal balances that the caller may not read: with amounts of its choice it could search for them. */
async function readableChecks(
  services: Services,
  context: Context<CallerActor>,
  { check, body }: TriggerRuleInput,
  { rule, dryRun }: { rule: RuleToRun; dryRun: DryRun },
): Promise<ProposalCheck[] | null> {
  const { facts, base, plan, missing } = dryRun;
  if (!mayReadAccounts(context.actor, Object.keys(facts.accounts))) return null;
  return check(services, context, {
    id: dryRun.id,
    ruleId: rule.id,
    version: rule.version,
    definition: rule.definition,
    incomingAmountInCents: base.incomingAmountInCents,
    reason: body.reasonForApproval ?? null,
    plan,
    missing,
    accounts: facts.accounts,
  });
}

/** The transfers of a dry run in the order of its plan; null if their amounts reveal balances that the caller may not read. */
function readableTransfers(
  actor: CallerActor,
  { plan, facts }: Pick<DryRun, "plan" | "facts">,
): TriggeredExecution["transfers"] {
  if (!mayReadAccounts(actor, Object.keys(facts.accounts))) return null;
  return (plan?.moves ?? []).map((move) => ({
    source: partyOf(facts, move.sourceAccountId),
    destination: partyOf(facts, move.destinationAccountId),
    amountInCents: Math.max(0, move.amountInCents),
    skippedBecause: skipReason(move),
    errorCode: move.errorCode,
  }));
}

function partyOf({ accounts }: RuleFacts, id: string): AccountReference {
  const account = accounts[id];
  if (!account) throw new Error(`A plan names the account ${id}, of which it has no facts`);
  return { id, name: account.name, type: account.type, isDeleted: account.isClosed };
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
  const run = runStart(context, input, execution.status === "APPROVAL_PENDING");
  const { startedBy, triggerDetails, reasonForApproval } = run;
  return {
    organizationId,
    apiKeyId: actor.id,
    ruleId: rule.id,
    now,
    run: dryRun ? null : toRunItem(execution.executionId, run),
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

function runStart(
  { organizationId, actor, now }: Context<CallerActor>,
  { ruleId, body, sent }: TriggerRuleInput,
  approvalRequired: boolean,
): RunStart {
  const amountInCents = body.executeAmount ?? null;
  return {
    organizationId,
    ruleId,
    triggerDetails: { type: "SERVICE_API", amountInCents },
    incomingAmountInCents: amountInCents,
    // Assistants too: the tables store every caller as a key.
    startedBy: { kind: "API_KEY", id: actor.id, name: actor.name },
    cause: null,
    approvalRequired,
    reasonForApproval: body.reasonForApproval ?? null,
    request: sent,
    now,
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
      // Deactivated or paused between the two round trips.
      throw new AppError("RULE_DEACTIVATED", "This rule is no longer active. Nothing moved.");
  }
}

/** A dry run with its result. */
interface DryRun {
  id: string;
  ruleId: string;
  ruleName: string;
  ruleVersion: number;
  status: Extract<RuleExecutionStatus, "EXECUTED" | "PARTIAL" | "FAILED">;
  base: SimulatedBase;
  facts: RuleFacts;
  plan: RulePlan | null;
  /** The unknown fact that prevents a plan. */
  missing: UnknownFact | null;
  stepIndexMatched: number | null;
  conditionsNotMet: boolean;
  transfersAttempted: number;
  errorMessage: string | null;
  transfers: PlannedTransfer[];
  live: LiveOutlook;
}

/** Computes a dry run from the real facts and the caller's base (specification, Part 4, "Trigger rules" 2). */
async function workOutDryRun(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  input: TriggerRuleInput,
  {
    rule,
    executionId,
    liveStatus,
    denied,
  }: {
    rule: RuleToRun;
    executionId: string;
    liveStatus: RuleExecutionStatus;
    denied: AppError | null;
  },
): Promise<DryRun> {
  const { trigger } = rule.definition;
  const base = simulatedBase(trigger, {
    executeAmountInCents: input.body.executeAmount,
    simulatedSourceBalanceInCents: input.body.simulatedSourceBalance,
    simulatedIncomingFundsInCents: input.body.simulatedIncomingFunds,
  });
  const where = { organizationId: context.organizationId, now: context.now, timeZone: rule.timeZone };
  const subject = { ruleId: rule.id, definition: rule.definition };
  // Money that arrives starts a run without approval, whichever key tries it, so floors bind it.
  const isOfArrival = isArrival(trigger, base);
  const isApproved = liveStatus === "APPROVAL_PENDING" && !isOfArrival;
  const real = await readRuleFacts(services.pool, where, subject, isApproved);
  const facts = withBase(real, trigger.accountId, base);
  const evaluation = evaluate(rule.definition, facts);
  const plan = evaluation.kind === "UNKNOWN" ? null : evaluation.plan;
  const transfers = plan ? plannedTransfers(plan, rule.definition, facts, context.now) : [];
  const run = runStart(context, input, isApproved);
  const foreseen = await foreseeRun(services.pool, context.actor, {
    run: isOfArrival ? { ...run, startedBy: { kind: "ARRIVAL", id: null, name: null } } : run,
    version: rule.version,
    amountInCents: transfers.reduce(
      (sum, { errorCode, amountInCents }) => sum + (errorCode ? 0 : amountInCents),
      0,
    ),
  });
  // An arrival asks nobody.
  const live = denied && !isOfArrival ? refused(denied.code, denied.message) : foreseen;
  const dryRun = {
    id: executionId,
    ruleId: rule.id,
    ruleName: rule.name,
    ruleVersion: rule.version,
    base,
    facts,
    plan,
    missing: evaluation.kind === "UNKNOWN" ? evaluation.missing : null,
    transfers,
    live,
  };
  if (evaluation.kind === "UNKNOWN") {
    // A dry run does not retry: its caller wants an answer now.
    const errorMessage = unknownWords(evaluation.missing, namesOf(facts));
    const nothing = { stepIndexMatched: null, conditionsNotMet: false, transfersAttempted: 0 };
    return { ...dryRun, ...nothing, status: "FAILED", errorMessage };
  }
  return {
    ...dryRun,
    ...planCounters(evaluation.plan),
    status: statusOf(evaluation.plan),
    errorMessage: runErrorMessage(evaluation.plan, namesOf(facts)),
  };
}

function statusOf(plan: RulePlan): DryRun["status"] {
  const has = (outcome: "MOVE" | "FAILED") => plan.moves.some((move) => move.outcome === outcome);
  if (!has("FAILED")) return "EXECUTED";
  return has("MOVE") ? "PARTIAL" : "FAILED";
}

interface ForeseenRow {
  outcome: RunStartOutcome;
  activeVersion: number | null;
  capInCents: number | null;
  usedInCents: number | null;
  /** How many more proposals of the key may wait. */
  room: number | null;
}

/** How the same run would start live, from the functions that start live runs and charge caps, rolled back. */
async function foreseeRun(
  database: Pick<Services["pool"], "query">,
  actor: CallerActor,
  { run, version, amountInCents }: { run: RunStart; version: number; amountInCents: number },
): Promise<LiveOutlook> {
  const { rows } = await database.query<ForeseenRow>({
    name: "foresee_rule_run",
    text: `
        select outcome, active_version as "activeVersion", cap_in_cents as "capInCents",
            used_in_cents as "usedInCents", room
          from foresee_rule_run($1)`,
    values: [JSON.stringify(toRunItem(newId(run.now), run))],
  });
  if (!rows[0]) throw new Error("foresee_rule_run returned no row");
  const { outcome, activeVersion, capInCents, usedInCents, room } = rows[0];
  if (outcome !== "STARTED") return refusalOf(actor, outcome);
  if (activeVersion !== version) {
    return refused(
      "RULE_VERSION_CONFLICT",
      `Version ${version} is not active; a live run uses version ${activeVersion}. An owner or co-owner activates a version in the dashboard.`,
    );
  }
  if (run.approvalRequired) {
    const errorMessage = "Live, this run waits for an owner or co-owner to approve it.";
    return { outcome: "WAITS_FOR_APPROVAL", errorCode: null, errorMessage };
  }
  if (capInCents === null || usedInCents === null || usedInCents + amountInCents <= capInCents) {
    return { outcome: "STARTS", errorCode: null, errorMessage: null };
  }
  if (room === 0) return refusalOf(actor, "TOO_MANY_WAITING");
  const errorMessage = aboveCapWords({ capInCents, usedInCents }, "run");
  return { outcome: "WAITS_FOR_APPROVAL", errorCode: "ABOVE_DAILY_CAP", errorMessage };
}

function refusalOf(actor: CallerActor, outcome: Exclude<RunStartOutcome, "STARTED">): LiveOutlook {
  switch (outcome) {
    case "GATES_CLOSED":
      return refused("GATES_CLOSED", gatesClosed().message);
    case "TOO_MANY_WAITING":
      return refused("RATE_LIMIT_EXCEEDED", tooManyWaiting(actor).message);
    case "KEY_REVOKED":
      throw revokedMeanwhile(actor, "Nothing moved.");
    case "NOT_ACTIVE":
      return refused(
        "RULE_DEACTIVATED",
        "The rule is not active. An owner or co-owner activates it in the dashboard.",
      );
    case "PAUSED":
      return refused(
        "RULE_DEACTIVATED",
        "The rule is paused because money that it routed was returned. An owner or co-owner resumes it in the dashboard.",
      );
    case "FIRED_BEFORE":
      throw new Error("foresee_rule_run returned FIRED_BEFORE for a run without a cause");
  }
}

const refused = (errorCode: string, errorMessage: string): LiveOutlook => ({
  outcome: "REFUSED",
  errorCode,
  errorMessage,
});
