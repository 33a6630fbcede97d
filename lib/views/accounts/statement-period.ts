import type { StatementPeriod } from "@/lib/contract/views/statement-view";
import { calendarDate } from "@/lib/engine/calendar-date";
import { dateOf, dayOf, describeDay } from "@/lib/engine/schedule/calendar-day";
import { instantsOn } from "@/lib/engine/schedule/wall-clock";

/** A statement of more days than this is asked for a year at a time. */
const MAXIMUM_DAYS = 366;
const EVERY_MIDNIGHT = { runsOn: () => true, minutesOfDay: [0] };

/** What an address says of the period; what is not readable is null. */
export interface AskedPeriod {
  /** `YYYY-MM` */
  month: string | null;
  /** `YYYY-MM-DD`, both inclusive. */
  from: string | null;
  to: string | null;
}

/** The period that is meant: the days, else the month, else the current month. Pure. */
export function statementPeriod(asked: AskedPeriod, now: Date, timeZone: string): StatementPeriod {
  const today = calendarDate(now, timeZone);
  if (asked.from !== null && asked.to !== null) {
    const [first, last] = [dayOf(asked.from), dayOf(asked.to)].sort((left, right) => left - right);
    if (first !== undefined && last !== undefined) {
      return { from: dateOf(first), to: dateOf(Math.min(last, first + MAXIMUM_DAYS - 1)) };
    }
  }
  return monthPeriod(asked.month ?? today.slice(0, 7));
}

/** @param month `YYYY-MM` */
export function monthPeriod(month: string): StatementPeriod {
  const from = `${month}-01`;
  const first = dayOf(from);
  return { from, to: dateOf(first + describeDay(first).lastOfMonth - 1) };
}

/** The moments at which a period begins and is over, as clocks in the zone show its midnights. */
export function instantsOf({ from, to }: StatementPeriod, timeZone: string): { from: Date; until: Date } {
  return { from: midnight(dayOf(from), timeZone), until: midnight(dayOf(to) + 1, timeZone) };
}

/** Where the clocks skip midnight, the moment after the gap. */
function midnight(day: number, timeZone: string): Date {
  const [first] = instantsOn(day, EVERY_MIDNIGHT, timeZone);
  if (first === undefined) throw new Error(`The day ${dateOf(day)} has no beginning in ${timeZone}`);
  return new Date(first);
}

/** The last months in which an account was there, newest first. */
export function monthsSince(openedAt: Date, now: Date, timeZone: string, limit: number): string[] {
  const months: string[] = [];
  const first = calendarDate(openedAt, timeZone).slice(0, 7);
  let month = calendarDate(now, timeZone).slice(0, 7);
  while (months.length < limit && month >= first) {
    months.push(month);
    month = dateOf(dayOf(`${month}-01`) - 1).slice(0, 7);
  }
  return months;
}
