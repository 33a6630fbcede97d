import { ruleHref, runHref, runsHref } from "@/lib/contract/hrefs";
import { toPage } from "@/lib/contract/page";
import { type RuleExecutionStatus, ruleExecutionStatusSchema } from "@/lib/contract/rules/execution";
import { rulePlanSchema } from "@/lib/contract/rules/plan";
import type { ExecutionMode } from "@/lib/contract/transfer";
import { mayDecide } from "@/lib/core/shared/permits";
import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";
import { skipReason } from "@/lib/engine/backtest/simulate";
import type { TimedReading } from "@/lib/views/reading";

/** URL state of the list of runs. */
export interface RunsLook {
  status: RuleExecutionStatus | null;
  mode: ExecutionMode | null;
  page: number;
}

export const RUNS_PER_PAGE = 25;

const STARTED_BY_KIND = callerKind("e.started_by_kind", "e.started_by_id");

interface RunRow {
  id: string;
  createdAt: Date;
  status: RuleExecutionStatus;
  executionMode: ExecutionMode;
  ruleVersion: number;
  startedByKind: "ARRIVAL" | "SCHEDULE" | "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK" | "UNKNOWN" | null;
  startedByName: string | null;
  conditionsNotMet: boolean;
  transfersAttempted: number;
  nextAttemptAt: Date | null;
  movedInCents: number;
  movedCount: number;
  endedBy: "EXPIRY" | "RULE_CHANGE" | "WITHDRAWAL" | null;
  /** Null if something moved or failed. */
  plan: unknown;
  sourceName: string | null;
  destinationName: string | null;
}

/** A page of a rule's runs, newest first, live and dry; null if the organization has no such rule. */
export async function readRuns({ services, context, time }: TimedReading, ruleId: string, look: RunsLook) {
  const { pool } = services;
  const rule = await readRule(pool, context.organizationId, ruleId);
  if (!rule) return null;
  const { rows } = await pool.query<RunRow>({
    name: `read_runs_${look.status ?? "ALL"}_${look.mode ?? "ALL"}`.toLowerCase(),
    text: listRuns(look),
    values: [context.organizationId, ruleId, RUNS_PER_PAGE + 1, (look.page - 1) * RUNS_PER_PAGE],
  });
  const page = toPage(rows, { page: look.page, pageSize: RUNS_PER_PAGE }, (row) => toRow(ruleId, row));
  const hrefOf = (changes: Partial<RunsLook>) => runsLookHref(ruleId, { ...look, page: 1, ...changes });
  return {
    rule: { id: ruleId, name: rule.name, href: ruleHref(ruleId) },
    look,
    hrefs: {
      all: hrefOf({ mode: null }),
      live: hrefOf({ mode: "LIVE" }),
      dry: hrefOf({ mode: "SIMULATION" }),
    },
    /** By status, `ALL` for none. */
    statusHrefs: statusHrefs(hrefOf),
    rows: page.items,
    previousHref: look.page > 1 ? hrefOf({ page: look.page - 1 }) : null,
    nextHref: page.pagination.hasNextPage ? hrefOf({ page: look.page + 1 }) : null,
    /** Whether the rule has any run at all. */
    hasRuns: rule.hasRuns,
    /** The reader may run it by hand, and it can be run. */
    canRunNow: rule.canRun && mayDecide(context.actor),
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

/** The runs of one rule. */
export type RunsView = NonNullable<Awaited<ReturnType<typeof readRuns>>>;

async function readRule(database: Queryable, organizationId: string, ruleId: string) {
  const { rows } = await database.query<{ name: string; canRun: boolean; hasRuns: boolean }>({
    name: "read_rule_of_runs",
    text: `
      select r.name, r.active_version is not null and r.paused_at is null as "canRun", exists (
          select from rule_executions e where e.organization_id = $1 and e.rule_id = $2) as "hasRuns"
        from rules r where r.organization_id = $1 and r.id = $2`,
    values: [organizationId, ruleId],
  });
  return rows[0];
}

/**
 * The offset is counted on an index; transfers are summed only for the page's rows. Filters are inlined, so that each
 * plan can use its partial index.
 */
const listRuns = ({ status, mode }: Pick<RunsLook, "status" | "mode">) => `
  with page as (
    select id from rule_executions
     where organization_id = $1 and rule_id = $2
       ${status === null ? "" : `and status = '${status}'`} ${mode === null ? "" : `and execution_mode = '${mode}'`}
     order by id desc limit $3 offset $4)
  select e.id, e.created_at as "createdAt", e.status, e.execution_mode as "executionMode",
      e.rule_version as "ruleVersion", ${STARTED_BY_KIND} as "startedByKind", e.started_by_name as "startedByName",
      e.conditions_not_met as "conditionsNotMet", e.transfers_attempted as "transfersAttempted",
      e.next_attempt_at as "nextAttemptAt", moved.in_cents as "movedInCents",
      moved.count as "movedCount",
      case p.state when 'EXPIRED' then 'EXPIRY' when 'RULE_CHANGED' then 'RULE_CHANGE'
        when 'WITHDRAWN' then 'WITHDRAWAL' end as "endedBy",
      skipped.plan, skipped.source_name as "sourceName", skipped.destination_name as "destinationName"
    from page
    join rule_executions e on e.organization_id = $1 and e.id = page.id
    left join proposals p on p.organization_id = $1 and p.id = e.id
    cross join lateral (
      select coalesce(sum(t.amount_in_cents), 0)::bigint as in_cents, count(*)::int as count from transfers t
       where t.organization_id = $1 and t.rule_execution_id = e.id
         and t.status in ('PROCESSING', 'COMPLETE', 'RETURNED')) moved
    left join lateral (
      select e.plan, source.name as source_name, destination.name as destination_name
        from (select e.plan -> 'moves' -> 0 as move) first
        left join accounts source
          on source.organization_id = $1 and source.id = (first.move ->> 'sourceAccountId')::uuid
        left join accounts destination
          on destination.organization_id = $1 and destination.id = (first.move ->> 'destinationAccountId')::uuid
       where moved.count = 0 and e.status = 'EXECUTED' and first.move ->> 'outcome' = 'SKIPPED') skipped on true
   order by e.id desc`;

function toRow(ruleId: string, row: RunRow) {
  return {
    id: row.id,
    href: runHref(ruleId, row.id),
    at: row.createdAt.toISOString(),
    status: row.status,
    mode: row.executionMode,
    version: row.ruleVersion,
    startedBy: row.startedByKind ?? "UNKNOWN",
    startedByName: row.startedByName,
    conditionsNotMet: row.conditionsNotMet,
    /** Its transfers that are in progress, complete or returned. */
    movedInCents: row.movedInCents,
    movedCount: row.movedCount,
    transfersAttempted: row.transfersAttempted,
    /** Why the first of its transfers was skipped, if all were; else null. */
    skipped: skippedOf(row),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    /** Why nobody decided; null for every status but `APPROVAL_DENIED` and for a decided run. */
    endedBy: row.endedBy,
  };
}

export type RunRowView = ReturnType<typeof toRow>;

function skippedOf(row: RunRow) {
  const plan = rulePlanSchema.safeParse(row.plan).data;
  const [first] = plan?.moves ?? [];
  const reason = first ? skipReason(first) : null;
  if (reason === null || plan?.moves.some(({ outcome }) => outcome !== "SKIPPED")) return null;
  return {
    reason,
    sourceName: row.sourceName ?? "its source",
    destinationName: row.destinationName ?? "its destination",
  };
}

const MODE_WORD = { LIVE: "live", SIMULATION: "dry" } as const;

/** The URL of a rule's list of runs with these filters; defaults are left out. */
export function runsLookHref(ruleId: string, { status, mode, page }: RunsLook): string {
  const query = new URLSearchParams();
  if (status !== null) query.set("status", status.toLowerCase().replaceAll("_", "-"));
  if (mode !== null) query.set("runs", MODE_WORD[mode]);
  if (page !== 1) query.set("page", String(page));
  const text = query.toString();
  return text ? `${runsHref(ruleId)}?${text}` : runsHref(ruleId);
}

function statusHrefs(hrefOf: (changes: Partial<RunsLook>) => string) {
  const of = (status: RuleExecutionStatus | null) => hrefOf({ status });
  return {
    ALL: of(null),
    IN_PROGRESS: of("IN_PROGRESS"),
    EXECUTED: of("EXECUTED"),
    PARTIAL: of("PARTIAL"),
    FAILED: of("FAILED"),
    APPROVAL_PENDING: of("APPROVAL_PENDING"),
    APPROVAL_DENIED: of("APPROVAL_DENIED"),
  };
}

/** Parses the filters of a URL; unknown values filter nothing. */
export function readRunsLook(query: { status?: string; runs?: string; page?: number }): RunsLook {
  const status = ruleExecutionStatusSchema.safeParse(query.status?.toUpperCase().replaceAll("-", "_"));
  return {
    status: status.data ?? null,
    mode: query.runs === "live" ? "LIVE" : query.runs === "dry" ? "SIMULATION" : null,
    page: query.page ?? 1,
  };
}
