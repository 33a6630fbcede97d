import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { firstIdAt } from "@/lib/platform/ids";

/** Proposals on one day of the organization's calendar. */
export interface ProposalDayView {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Made on this day. */
  asked: number;
  /** Ended on this day, whenever they were made. */
  approved: number;
  denied: number;
  /** Expired, withdrawn, or ended with their key, assistant or rule. */
  lapsed: number;
}

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Limit for proposals asked and for proposals decided; a runaway key could make more in a month. */
const COUNTED = 5_000;

/** How many proposals were asked and how many were decided on each day of the organization's calendar. */
export async function readProposalDays(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  timeZone: string,
): Promise<ProposalDayView[]> {
  const from = new Date(now.getTime() - DAYS * DAY_MS);
  const { rows } = await database.query<ProposalDayView>({
    name: "read_proposal_days",
    // Only indexes are read: an ID holds the time of its creation, and the index of decisions their states.
    text: `
      with asked as (
        select (uuid_extract_timestamp(id) at time zone $3)::date as date, count(*)::int as asked
          from (select id from proposals where organization_id = $1 and id >= $4
                 order by id desc limit ${COUNTED}) created
         group by 1),
      decided as (
        select (decided_at at time zone $3)::date as date, (count(*) filter (where state = 'APPROVED'))::int as approved,
            (count(*) filter (where state = 'DENIED'))::int as denied,
            (count(*) filter (where state in ('EXPIRED', 'REVOKED', 'RULE_CHANGED', 'WITHDRAWN')))::int as lapsed
          from (select decided_at, state from proposals
                 where organization_id = $1 and state <> 'WAITING' and decided_at >= $5
                 order by decided_at desc limit ${COUNTED}) ended
         group by 1)
      select day.date::text as date, coalesce(a.asked, 0) as asked, coalesce(d.approved, 0) as approved,
          coalesce(d.denied, 0) as denied, coalesce(d.lapsed, 0) as lapsed
        from (select ($2::timestamptz at time zone $3)::date - back as date
                from generate_series(0, ${DAYS - 1}) as back) day
        left join asked a on a.date = day.date
        left join decided d on d.date = day.date
       order by day.date`,
    values: [organizationId, now, timeZone, firstIdAt(from), from],
  });
  return rows;
}
