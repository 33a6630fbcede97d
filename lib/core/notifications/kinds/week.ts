import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import { type HandlersOf, type NoticeContext, settingOf } from "@/lib/core/notifications/notice-kind";
import type { OutgoingNotice } from "@/lib/core/notifications/queue-messages";
import { onePerBatch } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";
import { MAXIMUM_COUNTED, renderWeek, type WeekReport } from "@/lib/words/messages/week";

/** The calendar week before the Monday of the notice, in the organization's zone. */
export const weekNotices: HandlersOf<"WEEK"> = { WEEK: { one: composeWeek, digest: null } };

async function composeWeek(context: NoticeContext, notice: DueNotice): Promise<OutgoingNotice | null> {
  const row = await readWeek(context.client, notice);
  if (!row || isEmpty(row)) return null;
  const rendered = renderWeek({ ...row, overviewUrl: `${context.appUrl}/` }, settingOf(context, notice));
  return { kind: "WEEK", proposalIds: [], exceptUserId: null, ...rendered };
}

type WeekRow = Omit<WeekReport, "overviewUrl">;

/** No balance, no activity, nothing waiting: not worth an email. */
function isEmpty({ beganOn: _, ...numbers }: WeekRow): boolean {
  return Object.values(numbers).every((number) => number === 0);
}

async function readWeek(
  client: Queryable,
  { organizationId, createdAt, now }: DueNotice,
): Promise<WeekRow | undefined> {
  const { rows } = await client.query<WeekRow>({
    name: "read_week_to_notify",
    // Money in and out are sums per day; the rest are index counts with a limit.
    text: `
      with monday as (
        select o.time_zone, date_trunc('week', $2::timestamptz at time zone o.time_zone)::date as today
          from organizations o where o.id = $1),
      week as (
        select today - 7 as first_day, today,
            (today - 7)::timestamp at time zone time_zone as began, today::timestamp at time zone time_zone as ended
          from monday),
      decided as (
        select p.state from week w join proposals p on p.organization_id = $1 and p.state <> 'WAITING'
           and p.decided_at >= w.began and p.decided_at < w.ended limit ${MAXIMUM_COUNTED})
      select to_char(w.first_day, 'YYYY-MM-DD') as "beganOn", f.in_in_cents as "inInCents",
          f.out_in_cents as "outInCents",
          (select coalesce(sum(l.credits_in_cents - l.debits_in_cents), 0)::bigint from ledgers l
            where l.organization_id = $1 and l.kind = 'MANAGED') as "totalInCents",
          (select count(*) from decided where state = 'APPROVED')::int as "approvedCount",
          (select count(*) from decided where state = 'DENIED')::int as "deniedCount",
          (select count(*) from decided where state = 'EXPIRED')::int as "expiredCount",
          (select count(*) from (select 1 from proposals p where p.organization_id = $1 and p.state = 'WAITING'
            and p.expires_at > $3 and ${onePerBatch("p")} limit ${MAXIMUM_COUNTED}) waiting)::int as "waitingCount",
          (select count(*) from (select 1 from rule_executions e where e.organization_id = $1
            and e.id >= first_id_at(w.began) and e.id < first_id_at(w.ended) and e.execution_mode = 'LIVE'
            limit ${MAXIMUM_COUNTED}) runs)::int as "runCount",
          (select count(*) from (select 1 from transfers t where t.organization_id = $1
            and t.status in ('FAILED', 'RETURNED') and t.id >= first_id_at(w.began) and t.id < first_id_at(w.ended)
            and t.execution_mode = 'LIVE' limit ${MAXIMUM_COUNTED}) failed)::int as "failedCount"
        from week w cross join border_flows($1, w.first_day, w.today - 1, null) f`,
    values: [organizationId, createdAt, now],
  });
  return rows[0];
}
