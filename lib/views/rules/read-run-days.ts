import { firstIdAt } from "@/lib/platform/ids";
import type { TimedReading } from "@/lib/views/reading";

/** The live runs of a rule on one day. */
export interface RunDayView {
  /** `YYYY-MM-DD`, in the organization's time zone. */
  date: string;
  runs: number;
  /** Runs that failed, in full or in part. */
  failed: number;
  movedInCents: number;
}

const DAYS = 90;
const DAY_MS = 86_400_000;
/** A rule that runs with every deposit of a busy account: the earlier runs of the range are left out. */
const COUNTED = 2_000;

/** The live runs of a rule by day of the organization's calendar, without those that nobody approved. */
export async function readRunDays(
  { services: { pool }, context: { organizationId, now }, time: { timeZone } }: TimedReading,
  ruleId: string,
) {
  const { rows } = await pool.query<RunDayView & { total: number }>({
    name: "read_run_days",
    // IDs sort by creation, so bounding them keeps the index scan to these days.
    text: `
      with runs as materialized (
        select id, (created_at at time zone $4)::date as date, status in ('FAILED', 'PARTIAL') as has_failed
          from rule_executions
         where organization_id = $1 and rule_id = $2 and execution_mode = 'LIVE' and id >= $5
           and status not in ('APPROVAL_PENDING', 'APPROVAL_DENIED')
         order by id desc limit ${COUNTED}),
      counted as (
        select date, count(*)::int as runs, (count(*) filter (where has_failed))::int as failed from runs group by date),
      moved as (
        select runs.date, sum(t.amount_in_cents)::bigint as in_cents
          from runs join transfers t on t.organization_id = $1 and t.rule_execution_id = runs.id
           and t.status in ('PROCESSING', 'COMPLETE', 'RETURNED')
         group by runs.date)
      select day.date::text as date, coalesce(c.runs, 0) as runs, coalesce(c.failed, 0) as failed,
          coalesce(m.in_cents, 0)::bigint as "movedInCents", (select count(*)::int from runs) as total
        from (select ($3::timestamptz at time zone $4)::date - back as date
                from generate_series(0, ${DAYS - 1}) as back) day
        left join counted c on c.date = day.date
        left join moved m on m.date = day.date
       order by day.date`,
    values: [organizationId, ruleId, now, timeZone, firstIdAt(new Date(now.getTime() - DAYS * DAY_MS))],
  });
  return {
    /** Every day of the range, oldest first; the last one is today. */
    days: rows.map(({ date, runs, failed, movedInCents }) => ({ date, runs, failed, movedInCents })),
    /** More runs than are counted: earlier ones are left out. */
    isTruncated: (rows[0]?.total ?? 0) >= COUNTED,
  };
}

/** The live runs of a rule over time. */
export type RunDaysView = Awaited<ReturnType<typeof readRunDays>>;
