import type { Queryable } from "@/lib/db/transaction";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

/** A calendar year of an organization, in its zone. */
export interface Year {
  year: number;
  /** The first moment that is in it, and the first that is not. Of a year that goes on: now. */
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
  name: string;
  time_zone: string;
  clearing_ledger_id: string;
  begins_at: Date;
  ends_at: Date;
  first_booked_at: Date | null;
  created_at: Date;
}

/** The years that an organization has books of, latest first. */
export interface FoundYear {
  year: Year;
  years: number[];
}

/**
 * A year of the organization's books, with the other years that there are; the latest where `wanted` is none of them.
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
        select o.name, o.time_zone, o.clearing_ledger_id, o.created_at,
            make_timestamp($2, 1, 1, 0, 0, 0) at time zone o.time_zone as begins_at,
            make_timestamp($2 + 1, 1, 1, 0, 0, 0) at time zone o.time_zone as ends_at,
            (select e.booked_at from entries e where e.organization_id = $1 order by e.id limit 1) as first_booked_at
          from organizations o where o.id = $1`,
      values: [organizationId, year],
    });
    const [row] = rows;
    if (!row) throw new Error(`There is no organization ${organizationId}`);
    return row;
  };
  const guess = wanted ?? now.getUTCFullYear();
  const row = await read(guess);
  const latest = yearOf(now, row.time_zone);
  const first = Math.min(latest, yearOf(row.first_booked_at ?? row.created_at, row.time_zone));
  const years = Array.from({ length: latest - first + 1 }, (_, index) => latest - index);
  const year = wanted !== null && years.includes(wanted) ? wanted : latest;
  return { year: toYear(year === guess ? row : await read(year), year, now), years };
}

const yearOf = (at: Date, timeZone: string) => Number(calendarDate(at, timeZone).slice(0, 4));

function toYear(row: Row, year: number, now: Date): Year {
  const goesOn = row.ends_at > now;
  return {
    year,
    from: row.begins_at,
    to: goesOn ? now : row.ends_at,
    firstDay: `${year}-01-01`,
    lastDay: goesOn ? calendarDate(now, row.time_zone) : `${year}-12-31`,
    goesOn,
    timeZone: row.time_zone,
    organizationName: row.name,
    clearingLedgerId: row.clearing_ledger_id,
  };
}
