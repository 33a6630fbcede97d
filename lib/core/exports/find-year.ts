import type { Queryable } from "@/lib/db/transaction";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

/** A calendar year in the organization's time zone. */
export interface Year {
  year: number;
  /** The first moment in the year and the first after it; for the current year, now. */
  from: Date;
  to: Date;
  /** `YYYY-MM-DD` */
  firstDay: string;
  lastDay: string;
  goesOn: boolean;
  timeZone: string;
  organizationName: string;
  clearingLedgerId: string;
}

interface Row {
  organizationName: string;
  timeZone: string;
  clearingLedgerId: string;
  beginsAt: Date;
  endsAt: Date;
  firstAt: Date;
}

/** The years with books, latest first. */
export interface FoundYear {
  year: Year;
  years: number[];
}

/**
 * A year of the organization's books and the other years that have any; the latest if `wanted` is not one of them.
 * @param now business time
 */
export async function findYear(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  wanted: number | null,
): Promise<FoundYear> {
  const read = async (year: number): Promise<Row> => {
    const { rows } = await database.query<Row>({
      name: "find_year",
      text: `
        select o.name as "organizationName", o.time_zone as "timeZone", o.clearing_ledger_id as "clearingLedgerId",
            make_timestamp($2, 1, 1, 0, 0, 0) at time zone o.time_zone as "beginsAt",
            make_timestamp($2 + 1, 1, 1, 0, 0, 0) at time zone o.time_zone as "endsAt",
            coalesce((select e.booked_at from entries e where e.organization_id = $1 order by e.id limit 1),
              o.created_at) as "firstAt"
          from organizations o where o.id = $1`,
      values: [organizationId, year],
    });
    const [row] = rows;
    if (!row) throw new Error(`Organization ${organizationId} not found`);
    return row;
  };
  const guess = wanted ?? now.getUTCFullYear();
  const row = await read(guess);
  const latest = yearOf(now, row.timeZone);
  const first = Math.min(latest, yearOf(row.firstAt, row.timeZone));
  const years = Array.from({ length: latest - first + 1 }, (_, index) => latest - index);
  const year = wanted !== null && years.includes(wanted) ? wanted : latest;
  return { year: toYear(year === guess ? row : await read(year), year, now), years };
}

const yearOf = (at: Date, timeZone: string) => Number(calendarDate(at, timeZone).slice(0, 4));

function toYear(
  { beginsAt, endsAt, timeZone, organizationName, clearingLedgerId }: Row,
  year: number,
  now: Date,
): Year {
  const goesOn = endsAt > now;
  return {
    year,
    from: beginsAt,
    to: goesOn ? now : endsAt,
    firstDay: `${year}-01-01`,
    lastDay: goesOn ? calendarDate(now, timeZone) : `${year}-12-31`,
    goesOn,
    timeZone,
    organizationName,
    clearingLedgerId,
  };
}
