import { createHash } from "node:crypto";
import type { LookAlike } from "@/lib/contract/plain-text";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import { type RulePlan, rulePlanSchema, type UnknownFact } from "@/lib/contract/rules/plan";
import { type RuleDefinition, storedRuleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { TransferStatus } from "@/lib/contract/transfer";
import { liveBaseSchema, type PlannedRun, planRuns } from "@/lib/core/approvals/plan-runs";
import { LATELY_MS, SIMILAR_RUNS } from "@/lib/core/approvals/similar-transfers";
import { readLookAlikes } from "@/lib/core/rules/read-look-alikes";
import { readAccountFacts } from "@/lib/core/rules/read-rule-facts";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";

/** A transfer of an approved run. */
export interface RunTransfer {
  id: string;
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
  status: TransferStatus;
  errorCode: string | null;
}

/** What a proposed run's checks and digest depend on. */
export interface RunSubject {
  kind: "RULE_RUN";
  rule: {
    id: string;
    name: string;
    activeVersion: number | null;
    latestVersion: number;
    isPaused: boolean;
    isDeleted: boolean;
  };
  /** The version that the run is pinned to. */
  version: number;
  /** As given by the requester or the deposit; null: the available balance. */
  incomingAmountInCents: number | null;
  /** Who activated another version, or deactivated the rule (`version` null), as this run ended; null otherwise. */
  endedBy: { version: number | null; name: string | null } | null;
  /** Null: this version of Sluice cannot represent it. */
  definition: RuleDefinition | null;
  /** Of the stored definition, even if it cannot be parsed. */
  definitionHash: string;
  chainDepth: number;
  /** What it would do now, while it waits; null otherwise. */
  planned: PlannedRun | null;
  /** What was approved, or what it would do now; null if it cannot be computed or was never approved. */
  plan: RulePlan | null;
  /** The unknown fact that prevents a plan. */
  missing: UnknownFact | null;
  /** Every account that its rule names, with present balances. */
  accounts: Record<string, AccountFacts>;
  lookAlikes: LookAlike[];
  transfers: RunTransfer[];
  endedAt: Date | null;
  errorMessage: string | null;
  /** Other live runs of this rule: the number in the last 24 hours, the latest of those, and the last that ran. */
  otherRuns: { latelyCount: number; latest: { id: string; isWaiting: boolean } | null; lastAt: Date | null };
}

/** A plan has at most this many moves. */
const MAXIMUM_TRANSFERS = 1_000;

/** @param now business time */
export async function readRunSubject(
  database: Queryable,
  organizationId: string,
  proposalId: string,
  now: Date,
): Promise<RunSubject> {
  const { rows } = await database.query<SubjectRow>({
    name: "read_run_subject",
    text: READ_SUBJECT,
    values: [organizationId, proposalId, new Date(now.getTime() - LATELY_MS)],
  });
  const row = rows[0];
  if (!row) throw new Error(`The proposal ${proposalId} has no run`);
  const parsed = storedRuleDefinitionSchema.safeParse(row.definition);
  const definition = parsed.success ? parsed.data : null;
  const planned = await planIfWaiting(database, { organizationId, now }, proposalId, row, definition);
  return toSubject(row, definition, planned, {
    accounts: planned?.facts.accounts ?? (await accountsNow(database, organizationId, definition)),
    lookAlikes: await readLookAlikes(database, organizationId, {
      accountIds: definition ? accountsOf(definition) : [],
      rule: { id: row.rule_id, name: definition?.name ?? row.rule_name },
    }),
    transfers: row.plan === null ? [] : await readTransfers(database, organizationId, proposalId),
  });
}

async function planIfWaiting(
  database: Queryable,
  where: { organizationId: string; now: Date },
  id: string,
  row: SubjectRow,
  definition: RuleDefinition | null,
): Promise<PlannedRun | null> {
  if (row.status !== "APPROVAL_PENDING" || definition === null) return null;
  const base = liveBaseSchema.parse(row.base);
  const run = { id, ruleId: row.rule_id, definition, base };
  const planned = await planRuns(database, { ...where, timeZone: row.time_zone }, [run]);
  return planned.get(id) ?? null;
}

async function accountsNow(
  database: Queryable,
  organizationId: string,
  definition: RuleDefinition | null,
): Promise<RunSubject["accounts"]> {
  return definition ? readAccountFacts(database, { organizationId }, accountsOf(definition)) : {};
}

const READ_SUBJECT = `
  select e.status, e.rule_id, e.rule_version, e.chain_depth, e.base, e.plan, e.ended_at, e.error_message,
      r.name as rule_name, r.active_version, r.latest_version, r.paused_at is not null as is_paused,
      r.deleted_at is not null as is_deleted, v.definition, o.time_zone,
      coalesce(lately.alike_count, 0) as lately_count, lately.id as latest_id,
      lately.status = 'APPROVAL_PENDING' as is_latest_waiting, latest.at as last_run_at,
      ended.kind as end_kind, ended.version as end_version, ended.name as ended_by_name
    from rule_executions e
    join organizations o on o.id = e.organization_id
    join rules r on r.organization_id = e.organization_id and r.id = e.rule_id
    join rule_versions v
      on v.organization_id = e.organization_id and v.rule_id = e.rule_id and v.version = e.rule_version
    left join lateral (
      select recent.*, (count(*) over ())::int as alike_count from (${SIMILAR_RUNS}) recent limit 1) lately on true
    left join lateral (
      select other.created_at as at from rule_executions other
       where other.organization_id = $1 and other.rule_id = e.rule_id and other.execution_mode = 'LIVE'
         and other.id <> e.id and other.status in ('EXECUTED', 'PARTIAL', 'IN_PROGRESS')
       order by other.id desc limit 1) latest on true
    left join lateral (
      select event.kind, event.version, changer.name from rule_events event
        left join users changer on changer.id = event.by_user_id
       where event.organization_id = $1 and event.rule_id = e.rule_id and event.at = e.ended_at
         and event.kind in ('ACTIVATED', 'DEACTIVATED')
       order by event.id desc limit 1) ended on e.status = 'APPROVAL_DENIED'
   where e.organization_id = $1 and e.id = $2`;

interface SubjectRow {
  status: string;
  rule_id: string;
  rule_version: number;
  chain_depth: number;
  base: unknown;
  plan: unknown;
  ended_at: Date | null;
  error_message: string | null;
  rule_name: string;
  active_version: number | null;
  latest_version: number;
  is_paused: boolean;
  is_deleted: boolean;
  definition: unknown;
  time_zone: string;
  lately_count: number;
  latest_id: string | null;
  is_latest_waiting: boolean | null;
  last_run_at: Date | null;
  end_kind: "ACTIVATED" | "DEACTIVATED" | null;
  end_version: number | null;
  ended_by_name: string | null;
}

async function readTransfers(
  database: Queryable,
  organizationId: string,
  executionId: string,
): Promise<RunTransfer[]> {
  const { rows } = await database.query<RunTransfer>({
    name: "read_run_subject_transfers",
    text: `
      select id, source_account_id as "sourceAccountId", destination_account_id as "destinationAccountId",
          amount_in_cents as "amountInCents", status, error_code as "errorCode"
        from transfers
       where organization_id = $1 and rule_execution_id = $2 order by id limit ${MAXIMUM_TRANSFERS}`,
    values: [organizationId, executionId],
  });
  return rows;
}

function toSubject(
  row: SubjectRow,
  definition: RuleDefinition | null,
  planned: PlannedRun | null,
  more: Pick<RunSubject, "accounts" | "lookAlikes" | "transfers">,
): RunSubject {
  const stored = row.plan === null ? null : rulePlanSchema.parse(row.plan);
  const evaluation = planned?.evaluation;
  return {
    kind: "RULE_RUN",
    rule: {
      id: row.rule_id,
      name: row.rule_name,
      activeVersion: row.active_version,
      latestVersion: row.latest_version,
      isPaused: row.is_paused,
      isDeleted: row.is_deleted,
    },
    version: row.rule_version,
    incomingAmountInCents: liveBaseSchema.safeParse(row.base).data?.incomingAmountInCents ?? null,
    endedBy:
      row.end_kind === null
        ? null
        : { version: row.end_kind === "ACTIVATED" ? row.end_version : null, name: row.ended_by_name },
    definition,
    definitionHash: createHash("sha256").update(JSON.stringify(row.definition)).digest("base64url"),
    chainDepth: row.chain_depth,
    planned,
    plan: evaluation?.kind === "PLANNED" ? evaluation.plan : stored,
    missing: evaluation?.kind === "UNKNOWN" ? evaluation.missing : null,
    endedAt: row.ended_at,
    errorMessage: row.error_message,
    otherRuns: {
      latelyCount: row.lately_count,
      latest:
        row.latest_id === null ? null : { id: row.latest_id, isWaiting: row.is_latest_waiting === true },
      lastAt: row.last_run_at,
    },
    ...more,
  };
}
