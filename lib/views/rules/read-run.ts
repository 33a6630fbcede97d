import { z } from "zod";
import { ruleHref, runHref, runsHref } from "@/lib/contract/hrefs";
import {
  type DryRunBase,
  type LiveOutlook,
  type RuleExecutionStatus,
  triggerDetailsSchema,
} from "@/lib/contract/rules/execution";
import { type RuleFacts, ruleFactsSchema } from "@/lib/contract/rules/facts";
import { type RulePlan, rulePlanSchema } from "@/lib/contract/rules/plan";
import { type RuleDefinition, storedRuleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import type { ExecutionMode, TransferStatus } from "@/lib/contract/transfer";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { namesOf, readAccountNames } from "@/lib/core/rules/read-account-names";
import { mayDecide } from "@/lib/core/shared/permits";
import { deciderName } from "@/lib/core/shared/proposal-decision";
import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { type RunBase, toDryRunBase } from "@/lib/engine/run-facts";
import type { TimedReading } from "@/lib/views/reading";
import { type RunCause, type RunReference, readRunStarter } from "@/lib/views/rules/read-run-starter";
import { OUTSIDE_SLUICE } from "@/lib/words/names";

/** A step has at most 50 actions; one action pays at most 20 debts. */
const MAXIMUM_TRANSFERS = 1_000;

const MAXIMUM_SET_OFF = 50;

const STARTED_BY_KIND = callerKind("e.started_by_kind", "e.started_by_id");

interface RunRow extends Omit<RunCause, "triggerDetails"> {
  id: string;
  ruleId: string;
  ruleName: string;
  ruleIsDeleted: boolean;
  ruleVersion: number;
  status: RuleExecutionStatus;
  executionMode: ExecutionMode;
  triggerDetails: unknown;
  reasonForApproval: string | null;
  errorMessage: string | null;
  nextAttemptAt: Date | null;
  attemptLog: unknown;
  createdAt: Date;
  plannedAt: Date | null;
  endedAt: Date | null;
  chainDepth: number;
  /** The version that ran; null: this version of Sluice cannot read it. */
  definition: unknown;
  base: RunBase;
  /** Null: there was none, or it was not stored. */
  facts: unknown;
  plan: unknown;
  liveOutlook: LiveOutlook | null;
  proposalState:
    | "WAITING"
    | "APPROVED"
    | "DENIED"
    | "EXPIRED"
    | "REVOKED"
    | "RULE_CHANGED"
    | "WITHDRAWN"
    | null;
  decidedAt: Date | null;
  decidedByName: string | null;
}

const attemptLogSchema = z.array(z.object({ at: z.string(), problem: z.string() })).max(100);

/** One run with everything it stored, for its page; null if the rule has none with this ID. */
export async function readRun(
  { services, context, time }: TimedReading,
  input: { ruleId: string; executionId: string },
) {
  const { pool } = services;
  const { organizationId } = context;
  const row = await readRow(pool, organizationId, input);
  if (!row) return null;
  const stored = readStored(row);
  const [accounts, transfers, startedBy] = await Promise.all([
    readNames(pool, organizationId, stored),
    readRunTransfers(pool, organizationId, row.id),
    readRunStarter(pool, organizationId, { ...row, triggerDetails: readDetails(row.triggerDetails) }),
  ]);
  const setOff = await readRunsSetOff(
    pool,
    organizationId,
    transfers.map((transfer) => transfer.id),
  );
  return {
    ...describe(row),
    ...stored,
    /** The base of a dry run; null for a live one. */
    base: dryRunBaseOf(row.base, stored),
    accounts,
    /** In the order in which they were made; the first thousand. */
    transfers,
    startedBy,
    /** Runs started by this one's money; the first fifty. */
    setOff,
    decision: decisionOf(row),
    /** Facts, plan and version, for programmers. */
    json: JSON.stringify(
      {
        executionId: row.id,
        ruleId: row.ruleId,
        version: row.ruleVersion,
        facts: row.facts,
        plan: row.plan,
      },
      null,
      2,
    ),
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

/** A run with everything it stored (page of a run). */
export type RunView = NonNullable<Awaited<ReturnType<typeof readRun>>>;

async function readRow(
  database: Queryable,
  organizationId: string,
  { ruleId, executionId }: { ruleId: string; executionId: string },
): Promise<RunRow | undefined> {
  const { rows } = await database.query<RunRow>({
    name: "read_run",
    text: `
      select e.id, e.rule_id as "ruleId", r.name as "ruleName", r.deleted_at is not null as "ruleIsDeleted",
          e.rule_version as "ruleVersion", e.status,
          e.execution_mode as "executionMode", e.trigger_details as "triggerDetails",
          e.reason_for_approval as "reasonForApproval", e.error_message as "errorMessage",
          e.next_attempt_at as "nextAttemptAt", e.attempt_log as "attemptLog",
          e.created_at as "createdAt", e.planned_at as "plannedAt", e.ended_at as "endedAt",
          e.chain_depth as "chainDepth", e.cause_kind as "causeKind", e.cause_id as "causeId",
          ${STARTED_BY_KIND} as "startedByKind", e.started_by_id as "startedById",
          e.started_by_name as "startedByName", v.definition, e.base, e.facts, e.plan, e.live_outlook as "liveOutlook",
          p.state as "proposalState", p.decided_at as "decidedAt",
          ${deciderName("u")} as "decidedByName"
        from rule_executions e
        join rules r on r.organization_id = $1 and r.id = e.rule_id
        join rule_versions v on v.organization_id = $1 and v.rule_id = e.rule_id and v.version = e.rule_version
        left join proposals p on p.organization_id = $1 and p.id = e.id
        left join users u on u.id = p.decided_by
       where e.organization_id = $1 and e.rule_id = $2 and e.id = $3`,
    values: [organizationId, ruleId, executionId],
  });
  return rows[0];
}

interface Stored {
  definition: Pick<RuleDefinition, "trigger" | "steps" | "limits"> | null;
  facts: RuleFacts | null;
  plan: RulePlan | null;
}

/** What this version of Sluice can read; runs of older or newer versions still have a page. */
function readStored({ definition, facts, plan }: RunRow): Stored {
  return {
    definition: storedRuleDefinitionSchema.safeParse(definition).data ?? null,
    facts: ruleFactsSchema.safeParse(facts).data ?? null,
    plan: rulePlanSchema.safeParse(plan).data ?? null,
  };
}

function dryRunBaseOf(base: RunBase, { definition, facts }: Stored): DryRunBase | null {
  if (base.mode !== "SIMULATION" || !definition || !facts) return null;
  return toDryRunBase(definition.trigger, base, facts);
}

function readDetails(details: unknown): RunCause["triggerDetails"] {
  return triggerDetailsSchema.safeParse(details).data ?? { type: "MANUAL", amountInCents: null };
}

function accountsSeen({ definition, facts, plan }: Stored): string[] {
  const ids = new Set(definition ? accountsOf(definition) : []);
  for (const id of Object.keys(facts?.accounts ?? {})) ids.add(id);
  for (const move of plan?.moves ?? []) ids.add(move.sourceAccountId).add(move.destinationAccountId);
  return [...ids];
}

/** The names at the time of the run; accounts missing from its facts have their current names. */
async function readNames(database: Queryable, organizationId: string, stored: Stored): Promise<AccountNames> {
  const then = stored.facts ? namesOf(stored.facts) : {};
  const others = accountsSeen(stored).filter((id) => !Object.hasOwn(then, id));
  const now = others.length > 0 ? await readAccountNames(database, organizationId, others) : {};
  return { ...now, ...then };
}

function describe(row: RunRow) {
  return {
    id: row.id,
    rule: {
      id: row.ruleId,
      name: row.ruleName,
      href: ruleHref(row.ruleId),
      runsHref: runsHref(row.ruleId),
      isDeleted: row.ruleIsDeleted,
    },
    version: row.ruleVersion,
    status: row.status,
    mode: row.executionMode,
    createdAt: row.createdAt.toISOString(),
    plannedAt: row.plannedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    errorMessage: row.errorMessage,
    /** How the caller of a dry run could have started it live; null for a live one. */
    live: row.liveOutlook,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    attempts: attemptLogSchema.safeParse(row.attemptLog).data ?? [],
    reasonForApproval: row.reasonForApproval,
    /** Rules that ran before it in its chain. */
    chainDepth: row.chainDepth,
  };
}

function decisionOf(row: RunRow) {
  if (row.proposalState === null) return null;
  return {
    state: row.proposalState,
    at: row.decidedAt?.toISOString() ?? null,
    byName: row.decidedByName,
    /** Where it is, or was, decided. */
    href: proposalHref(row.id),
  };
}

interface Row {
  id: string;
  fromName: string | null;
  toName: string | null;
  amountInCents: number;
  status: TransferStatus;
  at: Date;
  errorMessage: string | null;
  isProposal: boolean;
}

/** The transfers that a run made, in order. */
async function readRunTransfers(database: Queryable, organizationId: string, executionId: string) {
  const { rows } = await database.query<Row>({
    name: "read_run_transfers",
    text: `
      select t.id, coalesce(s.name, t.counterparty_name) as "fromName",
          coalesce(d.name, t.counterparty_name) as "toName",
          t.amount_in_cents as "amountInCents", t.status, coalesce(t.completed_at, t.created_at) as at,
          t.error_message as "errorMessage",
          exists (select from proposals p where p.organization_id = $1 and p.id = t.id) as "isProposal"
        from transfers t
        left join accounts s on s.organization_id = $1 and s.id = t.source_account_id
        left join accounts d on d.organization_id = $1 and d.id = t.destination_account_id
       where t.organization_id = $1 and t.rule_execution_id = $2
       order by t.id limit ${MAXIMUM_TRANSFERS}`,
    values: [organizationId, executionId],
  });
  return rows.map((row) => ({
    id: row.id,
    fromName: row.fromName ?? OUTSIDE_SLUICE,
    toName: row.toName ?? OUTSIDE_SLUICE,
    amountInCents: row.amountInCents,
    status: row.status,
    /** When it ended; else when it began. */
    at: row.at.toISOString(),
    errorMessage: row.errorMessage,
    /** For a transfer with an approval page of its own; null otherwise. */
    href: row.isProposal ? proposalHref(row.id) : null,
  }));
}

export type RunTransferView = Awaited<ReturnType<typeof readRunTransfers>>[number];

/** The runs triggered by these transfers, oldest first. */
async function readRunsSetOff(
  database: Queryable,
  organizationId: string,
  transferIds: readonly string[],
): Promise<RunReference[]> {
  if (transferIds.length === 0) return [];
  const { rows } = await database.query<{ id: string; ruleId: string; name: string }>({
    name: "read_runs_set_off",
    text: `
      select e.id, e.rule_id as "ruleId", r.name
        from rule_executions e
        join rules r on r.organization_id = $1 and r.id = e.rule_id
       where e.organization_id = $1 and e.cause_id = any ($2) and e.cause_kind = 'TRANSFER'
       order by e.id limit ${MAXIMUM_SET_OFF}`,
    values: [organizationId, transferIds],
  });
  return rows.map((row) => ({ ruleName: row.name, href: runHref(row.ruleId, row.id) }));
}
