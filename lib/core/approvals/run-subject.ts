import { createHash } from "node:crypto";
import type { LookAlike } from "@/lib/contract/input/look-alike";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import { type RulePlan, rulePlanSchema, type UnknownFact } from "@/lib/contract/rules/plan";
import { type RuleDefinition, storedRuleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { TransferStatus } from "@/lib/contract/transfer";
import { liveBaseSchema, type PlannedRun, planRuns } from "@/lib/core/approvals/plan-runs";
import { LATELY_MS, SIMILAR_RUNS } from "@/lib/core/approvals/similar-transfers";
import { readAccountFacts } from "@/lib/core/rules/read-rule-facts";
import { readDecidedLookAlikes } from "@/lib/core/shared/look-alikes";
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
    lookAlikes: await readDecidedLookAlikes(database, organizationId, {
      accountIds: definition ? accountsOf(definition) : [],
      rule: { id: row.ruleId, name: definition?.name ?? row.ruleName },
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
  const run = { id, ruleId: row.ruleId, definition, base };
  const planned = await planRuns(database, { ...where, timeZone: row.timeZone }, [run]);
  return planned.get(id) ?? null;
}

async function accountsNow(
  database: Queryable,
  organizationId: string,
  definition: RuleDefinition | null,
): Promise<RunSubject["accounts"]> {
  return definition ? readAccountFacts(database, { organizationId }, accountsOf(definition)) : {};
}

/** The other runs of the rule of a run `e`, for `$1` and `$3` as in `SIMILAR_RUNS`. */
const OTHER_RUNS = `
    left join lateral (
      select recent.*, (count(*) over ())::int as alike_count from (${SIMILAR_RUNS}) recent limit 1) lately on true
    left join lateral (
      select other.created_at as at from rule_executions other
       where other.organization_id = $1 and other.rule_id = e.rule_id and other.execution_mode = 'LIVE'
         and other.id <> e.id and other.status in ('EXECUTED', 'PARTIAL', 'IN_PROGRESS')
       order by other.id desc limit 1) latest on true`;

const OTHER_RUN_COLUMNS = `coalesce(lately.alike_count, 0) as "latelyCount", lately.id as "latestId",
      lately.status = 'APPROVAL_PENDING' as "isLatestWaiting", latest.at as "lastRunAt"`;

const READ_SUBJECT = `
  select e.status, e.rule_id as "ruleId", e.rule_version as "ruleVersion", e.chain_depth as "chainDepth", e.base,
      e.plan, e.ended_at as "endedAt", e.error_message as "errorMessage",
      r.name as "ruleName", r.active_version as "activeVersion", r.latest_version as "latestVersion",
      r.paused_at is not null as "isPaused",
      r.deleted_at is not null as "isDeleted", v.definition, o.time_zone as "timeZone",
      ${OTHER_RUN_COLUMNS},
      ended.kind as "endKind", ended.version as "endVersion", ended.name as "endedByName"
    from rule_executions e
    join organizations o on o.id = e.organization_id
    join rules r on r.organization_id = e.organization_id and r.id = e.rule_id
    join rule_versions v
      on v.organization_id = e.organization_id and v.rule_id = e.rule_id and v.version = e.rule_version
    ${OTHER_RUNS}
    left join lateral (
      select event.kind, event.version, changer.name from rule_events event
        left join users changer on changer.id = event.by_user_id
       where event.organization_id = $1 and event.rule_id = e.rule_id and event.at = e.ended_at
         and event.kind in ('ACTIVATED', 'DEACTIVATED')
       order by event.id desc limit 1) ended on e.status = 'APPROVAL_DENIED'
   where e.organization_id = $1 and e.id = $2`;

interface OtherRunsRow {
  latelyCount: number;
  latestId: string | null;
  isLatestWaiting: boolean | null;
  lastRunAt: Date | null;
}

interface SubjectRow extends OtherRunsRow {
  status: string;
  ruleId: string;
  ruleVersion: number;
  chainDepth: number;
  base: unknown;
  plan: unknown;
  endedAt: Date | null;
  errorMessage: string | null;
  ruleName: string;
  activeVersion: number | null;
  latestVersion: number;
  isPaused: boolean;
  isDeleted: boolean;
  definition: unknown;
  timeZone: string;
  endKind: "ACTIVATED" | "DEACTIVATED" | null;
  endVersion: number | null;
  endedByName: string | null;
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
      id: row.ruleId,
      name: row.ruleName,
      activeVersion: row.activeVersion,
      latestVersion: row.latestVersion,
      isPaused: row.isPaused,
      isDeleted: row.isDeleted,
    },
    version: row.ruleVersion,
    incomingAmountInCents: liveBaseSchema.safeParse(row.base).data?.incomingAmountInCents ?? null,
    endedBy:
      row.endKind === null
        ? null
        : { version: row.endKind === "ACTIVATED" ? row.endVersion : null, name: row.endedByName },
    definition,
    definitionHash: createHash("sha256").update(JSON.stringify(row.definition)).digest("base64url"),
    chainDepth: row.chainDepth,
    planned,
    plan: evaluation?.kind === "PLANNED" ? evaluation.plan : stored,
    missing: evaluation?.kind === "UNKNOWN" ? evaluation.missing : null,
    endedAt: row.endedAt,
    errorMessage: row.errorMessage,
    otherRuns: toOtherRuns(row),
    ...more,
  };
}

function toOtherRuns({ latelyCount, latestId, isLatestWaiting, lastRunAt }: OtherRunsRow) {
  return {
    latelyCount,
    latest: latestId === null ? null : { id: latestId, isWaiting: isLatestWaiting === true },
    lastAt: lastRunAt,
  };
}

type DraftedRun = Pick<RunSubject, "version" | "incomingAmountInCents" | "plan" | "missing" | "accounts"> & {
  id: string;
  ruleId: string;
  definition: RuleDefinition;
};

/** The subject of a run that does not exist, as a dry run worked it out, so that its checks are those of any approval. */
export async function readDraftedRun(
  database: Queryable,
  organizationId: string,
  { id, ruleId, definition, ...run }: DraftedRun,
  now: Date,
): Promise<RunSubject> {
  const { rows } = await database.query<RunSubject["rule"] & OtherRunsRow>({
    name: "read_drafted_run",
    text: `
      select r.id, r.name, r.active_version as "activeVersion", r.latest_version as "latestVersion",
          r.paused_at is not null as "isPaused", r.deleted_at is not null as "isDeleted", ${OTHER_RUN_COLUMNS}
        from rules r
        cross join lateral (select r.id as rule_id, $4::uuid as id) e
        ${OTHER_RUNS}
       where r.organization_id = $1 and r.id = $2`,
    values: [organizationId, ruleId, new Date(now.getTime() - LATELY_MS), id],
  });
  const row = rows[0];
  if (!row) throw new Error(`The rule ${ruleId} of a dry run exists`);
  const { name, activeVersion, latestVersion, isPaused, isDeleted } = row;
  return {
    kind: "RULE_RUN",
    rule: { id: ruleId, name, activeVersion, latestVersion, isPaused, isDeleted },
    endedBy: null,
    definition,
    definitionHash: "",
    chainDepth: 0,
    planned: null,
    lookAlikes: await readDecidedLookAlikes(database, organizationId, {
      accountIds: accountsOf(definition),
      rule: { id: ruleId, name: definition.name },
    }),
    transfers: [],
    endedAt: null,
    errorMessage: null,
    otherRuns: toOtherRuns(row),
    ...run,
  };
}
