import type { Queryable } from "@/lib/db/transaction";
import { firstIdAt } from "@/lib/platform/ids";
import type { Stored } from "@/lib/views/stored";

export interface KeyRequestView {
  id: string;
  at: string;
  method: string;
  path: string;
  /** Null: it succeeded. */
  errorCode: string | null;
  /** The caller's words, unchanged. */
  reason: string | null;
}

/** Activity of a key in the last 30 days of the organization's calendar. */
export interface KeyActivityView {
  /** One for each day, oldest first, the last one today. `date` is `YYYY-MM-DD`. */
  days: { date: string; succeeded: number; failed: number }[];
  totalCount: number;
  failedCount: number;
  /** Most frequent first. */
  failures: { code: string; count: number }[];
  /** More requests than are counted. */
  isTruncated: boolean;
  lastRequests: KeyRequestView[];
}

const DAYS = 30;
const DAY_MS = 86_400_000;
/** The count stops here; a key at its rate limit reaches this in half a day. */
const COUNTED = 20_000;
const LISTED = 8;

interface ActivityRow {
  total: number;
  days: { date: string; succeeded: number; failed: number }[];
  failures: { code: string; count: number }[] | null;
}

/**
 * What a key did in the last 30 days, from the audit log, by day in the organization's time zone.
 * @param now business time
 */
export async function readActivity(
  database: Queryable,
  organizationId: string,
  keyId: string,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<KeyActivityView> {
  const [activity, requests] = await Promise.all([
    database.query<ActivityRow>({
      name: "read_key_activity",
      // IDs sort by creation, so bounding them keeps the index scan to these days.
      text: `
        with counted as materialized (
          select (created_at at time zone $3)::date as date, error_code from audit_entries
           where organization_id = $1 and api_key_id = $2 and id >= $4 order by id desc limit ${COUNTED}),
        calendar as (
          select (($5::timestamptz at time zone $3)::date - back) as date from generate_series(0, ${DAYS - 1}) as back)
        select (select count(*)::int from counted) as total,
            (select json_agg(json_build_object('date', d.date, 'succeeded', d.succeeded, 'failed', d.failed) order by d.date)
               from (select c.date, count(o.date) filter (where o.error_code is null)::int as succeeded,
                         count(o.error_code)::int as failed
                       from calendar c left join counted o using (date) group by c.date) d) as days,
            (select json_agg(json_build_object('code', f.error_code, 'count', f.count) order by f.count desc, f.error_code)
               from (select error_code, count(*)::int as count from counted where error_code is not null
                      group by error_code) f) as failures`,
      values: [organizationId, keyId, timeZone, firstIdAt(new Date(now.getTime() - DAYS * DAY_MS)), now],
    }),
    database.query<Stored<KeyActivityView["lastRequests"][number], "at">>({
      name: "read_key_requests",
      text: `
        select id, created_at as at, method, path, error_code as "errorCode", reason from audit_entries
         where organization_id = $1 and api_key_id = $2 order by id desc limit ${LISTED}`,
      values: [organizationId, keyId],
    }),
  ]);
  const row = activity.rows[0];
  const days = row?.days ?? [];
  return {
    days,
    totalCount: days.reduce((sum, day) => sum + day.succeeded + day.failed, 0),
    failedCount: days.reduce((sum, day) => sum + day.failed, 0),
    failures: row?.failures ?? [],
    isTruncated: (row?.total ?? 0) >= COUNTED,
    lastRequests: requests.rows.map(({ at, ...request }) => ({ ...request, at: at.toISOString() })),
  };
}
