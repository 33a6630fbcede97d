import { pausedHref, ruleHref } from "@/lib/contract/hrefs";
import { scheduleZoneOf } from "@/lib/contract/rules/definition-parts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { type RulesSearch, rulesHref } from "@/lib/contract/search/list-search";
import { readAccountNames } from "@/lib/core/rules/read-account-names";
import type { Context } from "@/lib/core/shared/context";
import { readLookAlikeRules } from "@/lib/core/shared/look-alikes";
import { mayDecide } from "@/lib/core/shared/permits";
import { readDefinitions } from "@/lib/core/shared/read-definitions";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { firstIdAt } from "@/lib/platform/ids";
import type { TimedReading } from "@/lib/views/reading";
import { listWaitingVersions } from "@/lib/views/rules/waiting-versions";
import { ruleLine } from "@/lib/words/rules/rule-line";

/** When a rule runs next. */
export type NextRun =
  /** In the schedule's zone, like the rule's sentence. */
  | { kind: "AT"; at: string; timeZone: string | null }
  | { kind: "EACH_DEPOSIT" }
  | { kind: "WHEN_RUN" }
  /** It is inactive, paused, or its schedule has ended. */
  | { kind: "NONE" };

/** `PAUSED`: a return paused it; it keeps its active version and does not run until a person has reviewed it. */
export type RuleState = "ACTIVE" | "PAUSED" | "INACTIVE";

/** Rules per page; each one's 30-day activity is counted. */
const PAGE_SIZE = 25;
/** Notices above the list. */
const SHOWN_NOTES = 3;
const SHOWN_MS = 30 * 86_400_000;
/** Runs counted per rule; for busier rules, figures are lower bounds. */
export const COUNTED_RUNS = 1_000;
/** Runs drawn per rule. */
const DRAWN_RUNS = 12;
/** How many of the latest runs are searched for the last one that was not rejected. */
const LOOKED_AT_FOR_LAST = 100;

/** A rule's state, as SQL of `rules r`. */
const STATE = `case when r.active_version is null then 'INACTIVE' when r.paused_at is null then 'ACTIVE' else 'PAUSED' end`;
/** Active rules first. */
const ORDER = "r.active_version is null, lower(r.name), r.id";
/** The search conditions on `rules r`: `$2` a state, `$3` part of the name; either may be null. */
const MATCHES = `($2::text is null or ${STATE} = $2) and ($3::text is null or position(lower($3) in lower(r.name)) > 0)`;

interface Row {
  id: string;
  name: string;
  state: RuleState;
  nextRunAt: Date | null;
  activeTriggerType: "MANUAL" | "SCHEDULED" | "ON_FUNDS_TRANSFERRED" | null;
  /** From the active version, else the latest. */
  definition: unknown;
  lastRunAt: Date | null;
  runCount: number;
  movedInCents: number;
  /** Newest first. */
  latestMoved: number[] | null;
  latestFailed: boolean[] | null;
}

/**
 * One page of the organization's rules, active ones first, with waiting versions above them. For any member. The 30-day
 * figures come from the indexes of each shown rule's runs and of their transfers, at most `COUNTED_RUNS`.
 */
export async function readRulesPage({ services, context, time }: TimedReading, search: RulesSearch) {
  const { pool } = services;
  const [rows, counts, waiting, paused, lookAlikes] = await Promise.all([
    readRows(pool, context, search),
    readCounts(pool, context, search),
    listWaitingVersions(pool, context.organizationId, SHOWN_NOTES),
    readPaused(pool, context),
    readLookAlikeRules(pool, context.organizationId, null),
  ]);
  const read = await readDefinitions(rows.map(({ definition }) => definition));
  const definitions = new Map(rows.map(({ id }, index) => [id, read[index] ?? null]));
  const accountIds = [...definitions.values()].flatMap((rule) => (rule ? accountsOf(rule) : []));
  const names = await readAccountNames(pool, context.organizationId, [...new Set(accountIds)]);
  const { page } = search;
  const lastPage = Math.max(1, Math.ceil(counts.matching / PAGE_SIZE));
  return {
    search,
    /** One page of those that match the search. */
    rules: rows.map((row) => ({
      ...toRow(row, definitions.get(row.id) ?? null, names),
      /** Another rule whose name looks the same as this one's, or as the one that waits. */
      lookAlike: lookAlikes.get(row.id) ?? null,
    })),
    /** 1-based, of the first row. */
    firstPosition: (page - 1) * PAGE_SIZE + 1,
    matchCount: counts.matching,
    // Past the end of the list, the way back is the last page.
    previousHref: page > 1 ? rulesHref({ ...search, page: Math.min(page - 1, lastPage) }) : null,
    nextHref: page < lastPage ? rulesHref({ ...search, page: page + 1 }) : null,
    /** There are more rules than one page holds, so filtering makes sense. */
    isLong: counts.active + counts.paused + counts.inactive > PAGE_SIZE,
    /** Of all rules, regardless of the search. */
    counts: { ACTIVE: counts.active, PAUSED: counts.paused, INACTIVE: counts.inactive },
    ...waiting,
    /** The first few that are paused; `counts.PAUSED` of them are. */
    paused,
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

/** Everything that the rules page shows. */
export type RulesView = Awaited<ReturnType<typeof readRulesPage>>;

function matchValues({ organizationId }: Context, { state, q }: RulesSearch): (string | null)[] {
  return [organizationId, state?.toUpperCase() ?? null, q];
}

async function readRows(database: Queryable, context: Context, search: RulesSearch): Promise<Row[]> {
  const { rows } = await database.query<Row>({
    name: "read_rules_page",
    text: `
      with shown as materialized (
        select r.*, ${STATE} as state from rules r
         where r.organization_id = $1 and r.deleted_at is null and ${MATCHES}
         order by ${ORDER} limit ${PAGE_SIZE} offset $4)
      select r.id, r.name, r.state, r.next_run_at as "nextRunAt", r.active_trigger_type as "activeTriggerType",
          described.definition,
          last.created_at as "lastRunAt", runs.run_count as "runCount", runs.moved_in_cents as "movedInCents",
          runs.latest_moved as "latestMoved", runs.latest_failed as "latestFailed"
        from shown r
        join rule_versions described on described.organization_id = $1 and described.rule_id = r.id
          and described.version = coalesce(r.active_version, r.latest_version)
        left join lateral (
          select e.created_at from (
              select x.id, x.created_at, x.status from rule_executions x
               where x.organization_id = $1 and x.rule_id = r.id and x.execution_mode = 'LIVE'
               order by x.id desc limit ${LOOKED_AT_FOR_LAST}) e
           where e.status not in ('APPROVAL_PENDING', 'APPROVAL_DENIED')
           order by e.id desc limit 1) last on true
        cross join lateral (
          select count(*)::int as run_count, coalesce(sum(run.moved) filter (where run.place <= ${COUNTED_RUNS}), 0)::bigint as moved_in_cents,
              array_agg(run.moved order by run.id desc) filter (where run.place <= ${DRAWN_RUNS}) as latest_moved,
              array_agg(run.failed order by run.id desc) filter (where run.place <= ${DRAWN_RUNS}) as latest_failed
            from (
              select e.id, e.status = 'FAILED' as failed, moved.cents as moved,
                  row_number() over (order by e.id desc) as place
                from (
                  select x.id, x.status from rule_executions x
                   where x.organization_id = $1 and x.rule_id = r.id and x.execution_mode = 'LIVE'
                     and x.id >= $5
                   order by x.id desc limit ${COUNTED_RUNS + 1}) e
                cross join lateral (
                  select coalesce(sum(t.amount_in_cents), 0)::bigint as cents from transfers t
                   where t.organization_id = $1 and t.rule_execution_id = e.id and t.status = 'COMPLETE') moved
               where e.status not in ('APPROVAL_PENDING', 'APPROVAL_DENIED')) run) runs
       order by ${ORDER}`,
    values: [
      ...matchValues(context, search),
      (search.page - 1) * PAGE_SIZE,
      firstIdAt(new Date(context.now.getTime() - SHOWN_MS)),
    ],
  });
  return rows;
}

interface Counts {
  active: number;
  paused: number;
  inactive: number;
  matching: number;
}

async function readCounts(database: Queryable, context: Context, search: RulesSearch): Promise<Counts> {
  const { rows } = await database.query<Counts>({
    name: "read_rule_counts",
    text: `
      select count(*) filter (where ${STATE} = 'ACTIVE')::int as active,
          count(*) filter (where ${STATE} = 'PAUSED')::int as paused,
          count(*) filter (where ${STATE} = 'INACTIVE')::int as inactive,
          count(*) filter (where ${MATCHES})::int as matching
        from rules r where r.organization_id = $1 and r.deleted_at is null`,
    values: matchValues(context, search),
  });
  const [counts] = rows;
  if (!counts) throw new Error("A count has no row");
  return counts;
}

async function readPaused(database: Queryable, { organizationId }: Context) {
  const { rows } = await database.query<{ id: string; name: string; pausedAt: Date }>({
    name: "read_paused_rules",
    text: `
      select r.id, r.name, r.paused_at as "pausedAt" from rules r
       where r.organization_id = $1 and r.deleted_at is null and ${STATE} = 'PAUSED'
       order by ${ORDER} limit ${SHOWN_NOTES}`,
    values: [organizationId],
  });
  return rows.map(({ id, name, pausedAt }) => ({
    href: pausedHref(id),
    name,
    pausedAt: pausedAt.toISOString(),
  }));
}

function toRow(row: Row, rule: RuleDefinition | null, names: AccountNames) {
  const moved = row.latestMoved ?? [];
  const failed = row.latestFailed ?? [];
  return {
    id: row.id,
    href: ruleHref(row.id),
    name: row.name,
    /** What it does, in one sentence; null if this version of Sluice cannot read it. */
    line: rule ? ruleLine(rule, names) : null,
    state: row.state,
    next: nextRun(row, rule),
    lastRunAt: row.lastRunAt?.toISOString() ?? null,
    /** The latest ones, oldest first. */
    latestRuns: moved
      .map((movedInCents, index) => ({ movedInCents, hasFailed: failed[index] ?? false }))
      .reverse(),
    runCount: Math.min(row.runCount, COUNTED_RUNS),
    /** Sum of its completed transfers. */
    movedInCents: row.movedInCents,
    /** There were more runs than are counted: both figures are minimums. */
    isAtLeast: row.runCount > COUNTED_RUNS,
  };
}

/** One run of the last 30 days. */
export type RunBarView = RuleRowView["latestRuns"][number];

/** One rule in the list. Runs and sums cover live runs of the last 30 days. */
export type RuleRowView = RulesView["rules"][number];

function nextRun(row: Row, rule: RuleDefinition | null): NextRun {
  if (row.state !== "ACTIVE") return { kind: "NONE" };
  switch (row.activeTriggerType) {
    case "ON_FUNDS_TRANSFERRED":
      return { kind: "EACH_DEPOSIT" };
    case "MANUAL":
      return { kind: "WHEN_RUN" };
    default:
      return row.nextRunAt
        ? { kind: "AT", at: row.nextRunAt.toISOString(), timeZone: scheduleZoneOf(rule) }
        : { kind: "NONE" };
  }
}
