import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import type {
  NextRun,
  PausedRuleView,
  RuleRowView,
  RuleState,
  RulesView,
  WaitingVersionView,
} from "@/lib/contract/views/rules-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { callerKind } from "@/lib/core/assistants/caller-kind";
import type { Context, MemberActor } from "@/lib/core/context";
import { mayDecide } from "@/lib/core/keys/permits";
import { readAccountNames } from "@/lib/core/rules/read-account-names";
import { pausedHref, ruleHref } from "@/lib/core/rules/rule-hrefs";
import { accountsOf } from "@/lib/engine/accounts-of";
import { ruleLine } from "@/lib/engine/words/rule-line";
import { firstIdAt } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** An organization with more rules than this needs a filtered page. */
const MAXIMUM_RULES = 100;
const SHOWN_MS = 30 * 86_400_000;
/** Runs of one rule that are counted; of a busier one the figures are told as the least that it was. */
export const COUNTED_RUNS = 1_000;
/** Runs that are drawn. */
const DRAWN_RUNS = 12;
/** Among this many latest runs the last that was not turned down is looked for. */
const LOOKED_AT_FOR_LAST = 100;

const PROPOSED_BY_KIND = callerKind("latest.created_by_kind", "latest.created_by_id");

interface Row {
  id: string;
  name: string;
  latest_version: number;
  active_version: number | null;
  paused_at: Date | null;
  next_run_at: Date | null;
  active_trigger_type: "MANUAL" | "SCHEDULED" | "ON_FUNDS_TRANSFERRED" | null;
  /** Of the active version, else the latest. */
  definition: unknown;
  proposed_by_kind: "API_KEY" | "ASSISTANT" | "MEMBER";
  proposed_by_name: string;
  proposed_at: Date;
  was_latest_active: boolean;
  last_run_at: Date | null;
  run_count: number;
  moved_in_cents: number;
  /** Newest first. */
  latest_moved: number[] | null;
  latest_failed: boolean[] | null;
}

/**
 * The organization's rules as the rules page shows them, those that run first. Any member may look. The figures of 30
 * days come down the indexes of each rule's runs and of each run's transfers, `COUNTED_RUNS` at most.
 */
export async function readRulesPage(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  time: TimeContext,
): Promise<RulesView> {
  const { rows: all } = await services.pool.query<Row>({
    name: "read_rules_page",
    text: `
      select r.id, r.name, r.latest_version, r.active_version, r.paused_at, r.next_run_at, r.active_trigger_type,
          told.definition, ${PROPOSED_BY_KIND} as proposed_by_kind, latest.created_by_name as proposed_by_name,
          latest.created_at as proposed_at, last.created_at as last_run_at, runs.run_count, runs.moved_in_cents,
          runs.latest_moved, runs.latest_failed,
          exists (select from rule_events v where v.organization_id = $1 and v.rule_id = r.id
            and v.kind = 'ACTIVATED' and v.version = r.latest_version) as was_latest_active
        from rules r
        join rule_versions told on told.organization_id = $1 and told.rule_id = r.id
          and told.version = coalesce(r.active_version, r.latest_version)
        join rule_versions latest on latest.organization_id = $1 and latest.rule_id = r.id
          and latest.version = r.latest_version
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
                     and x.id >= $2
                   order by x.id desc limit ${COUNTED_RUNS + 1}) e
                cross join lateral (
                  select coalesce(sum(t.amount_in_cents), 0)::bigint as cents from transfers t
                   where t.organization_id = $1 and t.rule_execution_id = e.id and t.status = 'COMPLETE') moved
               where e.status not in ('APPROVAL_PENDING', 'APPROVAL_DENIED')) run) runs
       where r.organization_id = $1 and r.deleted_at is null
       order by r.active_version is null, lower(r.name), r.id
       limit ${MAXIMUM_RULES + 1}`,
    values: [context.organizationId, firstIdAt(new Date(context.now.getTime() - SHOWN_MS))],
  });
  const rows = all.slice(0, MAXIMUM_RULES);
  const definitions = new Map(rows.map((row) => [row.id, readDefinition(row.definition)]));
  const accountIds = [...definitions.values()].flatMap((rule) => (rule ? accountsOf(rule) : []));
  const names = await readAccountNames(services.pool, context.organizationId, [...new Set(accountIds)]);
  return {
    rules: rows.map((row) => toRow(row, definitions.get(row.id) ?? null, names)),
    hasMore: all.length > MAXIMUM_RULES,
    activeCount: rows.filter((row) => stateOf(row) === "ACTIVE").length,
    waiting: rows.flatMap(toWaiting),
    paused: rows.flatMap(toPaused),
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

/** One rule that this version of Sluice cannot represent hides no others. */
function readDefinition(stored: unknown): RuleDefinition | null {
  const parsed = ruleDefinitionSchema.safeParse(stored);
  return parsed.success ? parsed.data : null;
}

function stateOf({ active_version, paused_at }: Row): RuleState {
  if (active_version === null) return "INACTIVE";
  return paused_at === null ? "ACTIVE" : "PAUSED";
}

function toRow(row: Row, rule: RuleDefinition | null, names: AccountNames): RuleRowView {
  const moved = row.latest_moved ?? [];
  const failed = row.latest_failed ?? [];
  return {
    id: row.id,
    href: ruleHref(row.id),
    name: row.name,
    line: rule ? ruleLine(rule, names) : null,
    state: stateOf(row),
    next: nextRun(row),
    lastRunAt: row.last_run_at?.toISOString() ?? null,
    latestRuns: moved
      .map((movedInCents, index) => ({ movedInCents, hasFailed: failed[index] ?? false }))
      .reverse(),
    runCount: Math.min(row.run_count, COUNTED_RUNS),
    movedInCents: row.moved_in_cents,
    isAtLeast: row.run_count > COUNTED_RUNS,
  };
}

function nextRun(row: Row): NextRun {
  if (stateOf(row) !== "ACTIVE") return { kind: "NONE" };
  switch (row.active_trigger_type) {
    case "ON_FUNDS_TRANSFERRED":
      return { kind: "EACH_DEPOSIT" };
    case "MANUAL":
      return { kind: "WHEN_RUN" };
    default:
      return row.next_run_at ? { kind: "AT", at: row.next_run_at.toISOString() } : { kind: "NONE" };
  }
}

/**
 * A version that somebody proposed and nobody has activated. What a member left inactive waits for nobody, and neither
 * does what ran before and was deactivated.
 */
function toWaiting(row: Row): WaitingVersionView[] {
  if (row.latest_version === row.active_version || row.was_latest_active) return [];
  if (row.active_version === null && row.proposed_by_kind === "MEMBER") return [];
  return [
    {
      href: ruleHref(row.id),
      name: row.name,
      version: row.latest_version,
      activeVersion: row.active_version,
      proposedBy: { kind: row.proposed_by_kind, name: row.proposed_by_name },
      proposedAt: row.proposed_at.toISOString(),
    },
  ];
}

function toPaused(row: Row): PausedRuleView[] {
  if (row.paused_at === null) return [];
  return [{ href: pausedHref(row.id), name: row.name, pausedAt: row.paused_at.toISOString() }];
}
