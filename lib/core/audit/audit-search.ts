import { z } from "zod";
import { auditActionSchema, auditOutcomeSchema, errorCodeText } from "@/lib/contract/audit-log";
import type { AuditSearch } from "@/lib/contract/views/audit-view";
import { startOfDay } from "@/lib/engine/schedule/wall-clock";
import { firstIdAt, lastIdAt } from "@/lib/platform/ids";

const dateText = z.iso.date().optional().catch(undefined);

/** The filters in the address. Invalid ones are ignored instead of causing an error page. */
const searchSchema = z.object({
  caller: z.uuid().optional().catch(undefined),
  action: auditActionSchema.optional().catch(undefined),
  outcome: auditOutcomeSchema.optional().catch(undefined),
  error: errorCodeText.optional().catch(undefined),
  request: z.string().trim().toLowerCase().min(1).max(100).optional().catch(undefined),
  from: dateText,
  to: dateText,
});

const placeSchema = z.object({
  entry: z.uuid().optional().catch(undefined),
  before: z.uuid().optional().catch(undefined),
  after: z.uuid().optional().catch(undefined),
});

/** The position in the list, and which entry is open. */
export type AuditPlace = z.infer<typeof placeSchema>;

type Parameters = Record<string, string | string[] | undefined>;

export function readAuditSearch(parameters: Parameters): AuditSearch {
  return searchSchema.parse(parameters);
}

export function readAuditPlace(parameters: Parameters): AuditPlace {
  return placeSchema.parse(parameters);
}

/** The address of the log with this search and position. */
export function auditHref(search: AuditSearch, place: AuditPlace = {}, base = "/audit"): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...search, ...place })) {
    if (value !== undefined) parameters.set(name, value);
  }
  return parameters.size === 0 ? base : `${base}?${parameters}`;
}

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
  const conditions = Object.entries({
    api_key_id: search.caller,
    action: search.action,
    outcome: search.outcome,
    error_code: search.error,
    request_id: search.request,
  })
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => ` and ${column} = $${values.push(value)}`);
  return { text: `organization_id = $1 and id between $2 and $3${conditions.join("")}`, values };
}

function endOfDay(date: string, timeZone: string): Date {
  const next = new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  return new Date(startOfDay(next, timeZone).getTime() - 1);
}
