import type { Operation } from "@/lib/api/operations/operation";
import { beginningOf, endOf, isCalendarDate } from "@/lib/core/organizations/day-bounds";
import { readTimeZone } from "@/lib/core/organizations/read-time-zone";
import type { Queryable } from "@/lib/db/transaction";

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
  if (!hasRange || !(isCalendarDate(from) || isCalendarDate(to))) return fields;
  return withInstantsIn(await readTimeZone(pool, organizationId), fields);
}

/** The same in a known zone, for fields that have a range of dates. */
export function withInstantsIn(timeZone: string, fields: Record<string, unknown>): Record<string, unknown> {
  const { from, to } = fields;
  return {
    ...fields,
    ...(isCalendarDate(from) && { from: toText(beginningOf(from, timeZone)) }),
    ...(isCalendarDate(to) && { to: toText(endOf(to, timeZone)) }),
  };
}

/** A zone can push a day over either end of what the API accepts. */
const toText = (instant: number) =>
  new Date(Math.min(Math.max(instant, FIRST_INSTANT), LAST_INSTANT)).toISOString();
