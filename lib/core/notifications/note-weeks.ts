import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Writes the weekly notice of organizations whose Monday morning is due, only the latest after downtime. A new
 * organization waits for its next Monday, so that the first message covers a week that it existed.
 * @returns how many organizations were checked.
 */
export async function noteWeeks(
  services: Pick<Services, "pool" | "clock" | "wake">,
  limit: number,
): Promise<number> {
  const now = services.clock.now();
  const { rows } = await services.pool.query<{ seen: number; noted: number }>({
    name: "note_weeks",
    text: `
      with due as (
        select o.id, o.week_due_at, o.time_zone,
            $1::timestamptz + o.clock_offset_ms * interval '1 millisecond' as business_now
          from organizations o
         where o.week_due_at is null
            or o.week_due_at <= $1::timestamptz + o.clock_offset_ms * interval '1 millisecond'
         order by o.week_due_at nulls first limit cardinality($2::uuid[])
         for no key update of o skip locked),
      moved as (
        update organizations o set week_due_at = next_week_at(due.time_zone, due.business_now)
          from due where o.id = due.id),
      noted as (
        insert into notices (organization_id, id, kind, subject_id, created_at, due_at)
        select id, ($2::uuid[])[row_number() over ()], 'WEEK', id, business_now, business_now
          from due where week_due_at is not null
        returning 1)
      select (select count(*) from due)::int as seen, (select count(*) from noted)::int as noted`,
    values: [now, Array.from({ length: limit }, () => newId(now))],
  });
  const { seen = 0, noted = 0 } = rows[0] ?? {};
  if (noted > 0) services.wake(SEND_NOTICES);
  return seen;
}
