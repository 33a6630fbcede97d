import { runHref } from "@/lib/contract/hrefs";
import { sandboxActionSchema } from "@/lib/contract/sandbox";
import type { Reading } from "@/lib/views/reading";

const MAXIMUM_ACTIONS = 20;
const LATEST_TRANSFERS = 2_000;
const LATEST_RUNS = 500;
/** The rest of an action's runs is counted but not named. */
const NAMED_RUNS = 3;

interface Row {
  id: string;
  at: Date;
  memberName: string;
  action: unknown;
  settled: number;
  failed: number;
  returned: number;
  /** Proposals that nobody decided in time. */
  expired: number;
  runCount: number;
  runs: { id: string; ruleId: string; ruleName: string }[] | null;
}

/**
 * Members' sandbox actions, newest first, each with its effects: the state of its transfer or, for a clock move,
 * everything that ended between it and the next action; and the rules it triggered.
 */
export async function readActions({ services, context }: Reading) {
  const { rows } = await services.pool.query<Row>({
    name: "read_sandbox_actions",
    text: `
      with actions as (
        -- A clock move carries out work on its way, before the move itself is recorded.
        select *, lead(coalesce((action ->> 'fromAt')::timestamptz, created_at)) over (order by id) as next_at,
            (action ->> 'fromAt')::timestamptz as from_at from (
          select * from sandbox_actions where organization_id = $1
           order by id desc limit ${MAXIMUM_ACTIONS}) latest),
      recent as (
        select id, status, updated_at from transfers where organization_id = $1
         order by id desc limit ${LATEST_TRANSFERS}),
      latest_runs as (
        select id, rule_id, cause_kind, cause_id, created_at from rule_executions
         where organization_id = $1 and execution_mode = 'LIVE' and cause_kind is not null
         order by id desc limit ${LATEST_RUNS})
      select a.id, a.created_at as at, a.member_name as "memberName", a.action, came.*,
          coalesce(ran.count, 0) as "runCount", ran.first as runs
        from actions a
        cross join lateral (
          select count(*) filter (where t.status = 'COMPLETE')::int as settled,
              count(*) filter (where t.status = 'FAILED')::int as failed,
              count(*) filter (where t.status = 'RETURNED')::int as returned,
              count(*) filter (where t.status = 'APPROVAL_DENIED')::int as expired
            from recent t
           where case a.action ->> 'kind'
             when 'SETTLED' then t.id = (a.action ->> 'transferId')::uuid
             when 'SENT_BACK' then t.id = (a.action ->> 'transferId')::uuid
             when 'DEPOSITED' then t.id = (
               select n.transfer_id from bank_notices n
                where n.organization_id = $1 and n.reference = a.action ->> 'reference')
             when 'MOVED_CLOCK' then t.updated_at > a.from_at
               and (a.next_at is null or t.updated_at <= a.next_at)
             else false end) came
        cross join lateral (
          select count(*)::int as count,
              json_agg(json_build_object('id', e.id, 'ruleId', e.rule_id, 'ruleName', r.name) order by e.id)
                filter (where e.position <= ${NAMED_RUNS}) as first
            from (
              select l.id, l.rule_id, row_number() over (order by l.id) as position from latest_runs l
               where case a.action ->> 'kind'
                 when 'DEPOSITED' then l.cause_kind = 'TRANSFER' and l.cause_id = (
                   select n.transfer_id::text from bank_notices n
                    where n.organization_id = $1 and n.reference = a.action ->> 'reference' and n.kind = 'SETTLED')
                 when 'MOVED_CLOCK' then l.created_at > a.from_at
                   and (a.next_at is null or l.created_at <= a.next_at)
                 else false end) e
            join rules r on r.organization_id = $1 and r.id = e.rule_id) ran
       order by a.id desc`,
    values: [context.organizationId],
  });
  return rows.map(({ id, at, memberName, action, runCount, runs, ...outcome }) => ({
    id,
    at: at.toISOString(),
    memberName,
    action: sandboxActionSchema.parse(action),
    /** Of the transfers it affected; of all of them after the clock was moved. */
    outcome,
    setOff: {
      count: runCount,
      /** The first of them. */
      runs: (runs ?? []).map((run) => ({ href: runHref(run.ruleId, run.id), ruleName: run.ruleName })),
    },
  }));
}

/** Effects of an action so far. */
export type SandboxOutcome = SandboxActionView["outcome"];

export type SandboxActionView = Awaited<ReturnType<typeof readActions>>[number];
/** Live runs that an action started: by its deposit, or while the clock was moved. */
export type SandboxRunsView = SandboxActionView["setOff"];
