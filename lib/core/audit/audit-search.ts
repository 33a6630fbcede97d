import { z } from "zod";
import { auditActionSchema, auditOutcomeSchema, errorCodeText } from "@/lib/contract/audit-log";
import { dateText } from "@/lib/contract/input/instants";
import type { AuditPlace, AuditSearch } from "@/lib/contract/search/audit-search";
import { startOfDay } from "@/lib/engine/schedule/wall-clock";
import { firstIdAt, lastIdAt } from "@/lib/platform/ids";

const searchedDate = dateText.optional().catch(undefined);

/** The filters in the address. Invalid ones are ignored instead of causing an error page. */
const filtersSchema = z.object({
  caller: z.uuid().optional().catch(undefined),
  action: auditActionSchema.optional().catch(undefined),
  outcome: auditOutcomeSchema.optional().catch(undefined),
  error: errorCodeText.optional().catch(undefined),
  request: z.string().trim().toLowerCase().min(1).max(100).optional().catch(undefined),
  q: z.string().trim().min(1).max(100).optional().catch(undefined),
  from: searchedDate,
  to: searchedDate,
});

/** As responses have it: `7fq2-m81x-03kd`. */
const REQUEST_ID = /^[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$/i;

/** A request id typed into the search has an index of its own. */
const searchSchema = filtersSchema.transform(({ q, ...search }) =>
  q !== undefined && REQUEST_ID.test(q) ? { ...search, request: q.toLowerCase() } : { ...search, q },
);

const placeSchema = z.object({
  entry: z.uuid().optional().catch(undefined),
  before: z.uuid().optional().catch(undefined),
  after: z.uuid().optional().catch(undefined),
});

type Parameters = Record<string, string | string[] | undefined>;

export function readAuditSearch(parameters: Parameters): AuditSearch {
  return searchSchema.parse(parameters);
}

export function readAuditPlace(parameters: Parameters): AuditPlace {
  return placeSchema.parse(parameters);
}

/** Text has no index: a search reads this many of the newest requests that meet the other filters. */
const READ_FOR_TEXT = 20_000;

const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const DAY_MS = 86_400_000;

/**
 * The conditions of a search on `audit_entries`. Ids begin with the millisecond of creation, so days are a range of ids.
 * Without a limit of days: members see the whole log (the API lists 90 days).
 */
export function searchConditions(organizationId: string, search: AuditSearch, timeZone: string) {
  const from = search.from === undefined ? FIRST_ID : firstIdAt(startOfDay(search.from, timeZone));
  const to = search.to === undefined ? LAST_ID : lastIdAt(endOfDay(search.to, timeZone));
  const values: unknown[] = [organizationId, from, to];
  const conditions = [
    ["api_key_id", search.caller],
    ["action", search.action],
    ["outcome", search.outcome],
    ["error_code", search.error],
    ["request_id", search.request],
  ]
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => ` and ${column} = $${values.push(value)}`);
  const text = `organization_id = $1 and id between $2 and $3${conditions.join("")}`;
  if (search.q === undefined) return { text, values };
  const like = `$${values.push(`%${search.q.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`)}`;
  return {
    text: `organization_id = $1 and id in (
      select id from (
        select id, reason, error_detail from audit_entries where ${text} order by id desc limit ${READ_FOR_TEXT}) newest
       where reason ilike ${like} or error_detail ilike ${like})`,
    values,
  };
}

function endOfDay(date: string, timeZone: string): Date {
  const next = new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  return new Date(startOfDay(next, timeZone).getTime() - 1);
}
