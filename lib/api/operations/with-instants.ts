import type { Operation } from "@/lib/api/operations/operation";
import { readTimeZone } from "@/lib/core/organizations/read-time-zone";
import type { Queryable } from "@/lib/db/transaction";
import { dateOf, dayOf } from "@/lib/engine/schedule/calendar-day";
import { instantsOn } from "@/lib/engine/schedule/wall-clock";

const PLAIN_DATE = /^(19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}$/;
const FIRST_INSTANT = Date.parse("1970-01-01T00:00:00.000Z");
const LAST_INSTANT = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * The fields of a request with the plain dates of `from` and `to` as instants, both inclusive: a day begins and ends in
 * the organization's zone. A text that names no day stays, and is refused as such.
 */
export async function withInstants(
  pool: Queryable,
  organizationId: string,
  { input }: Operation,
  fields: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { from, to } = fields;
  const hasRange = "from" in input.shape && "to" in input.shape;
  if (!hasRange || !(isPlainDate(from) || isPlainDate(to))) return fields;
  return withInstantsIn(await readTimeZone(pool, organizationId), fields);
}

/** The same in a known zone, for fields that have a range of dates. */
export function withInstantsIn(timeZone: string, fields: Record<string, unknown>): Record<string, unknown> {
  const { from, to } = fields;
  return {
    ...fields,
    ...(isPlainDate(from) && { from: toText(beginningOf(dayOf(from), timeZone)) }),
    ...(isPlainDate(to) && { to: toText(beginningOf(dayOf(to) + 1, timeZone) - 1) }),
  };
}

function isPlainDate(value: unknown): value is string {
  if (typeof value !== "string" || !PLAIN_DATE.test(value)) return false;
  const day = dayOf(value);
  return !Number.isNaN(day) && dateOf(day) === value;
}

/** Islands that changed the date line skipped a day: it begins with the next one. */
function beginningOf(day: number, timeZone: string): number {
  const atMidnight = { runsOn: () => true, minutesOfDay: [0] };
  const [beginning] = [
    ...instantsOn(day, atMidnight, timeZone),
    ...instantsOn(day + 1, atMidnight, timeZone),
  ];
  if (beginning === undefined) throw new RangeError(`There is no day ${day} in ${timeZone}`);
  return beginning;
}

/** A zone can push a day over either end of what the API accepts. */
const toText = (instant: number) =>
  new Date(Math.min(Math.max(instant, FIRST_INSTANT), LAST_INSTANT)).toISOString();
