import { type AuditPlace, type AuditSearch, auditHref } from "@/lib/contract/search/audit-search";
import { downloadHref } from "@/lib/contract/shown";
import { searchConditions } from "@/lib/core/audit/audit-search";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayExport } from "@/lib/core/shared/roles";
import type { Queryable } from "@/lib/db/transaction";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { startOfDay } from "@/lib/engine/schedule/wall-clock";
import { firstIdAt, lastIdAt } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { readProposalReasons } from "@/lib/views/audit/read-proposal-reasons";
import {
  type AuditRowView,
  SEALED_ENTRIES,
  type SealedEntryRow,
  toRow,
  toSeal,
} from "@/lib/views/audit/read-sealed-entries";
import type { Reading } from "@/lib/views/reading";
import { namesToChoose } from "@/lib/words/names-to-choose";

/** A request in a list, with where it is opened. */
export interface AuditListedView extends AuditRowView {
  href: string;
  /** Of the proposal that it made or is about, where that has one; `reason` is that of the call. */
  proposalReason: string | null;
}

/** Entries of the same caller before and after. */
const NEAR_EACH = 4;

const NEAR_MS = 60_000;

const ENTRIES_PER_PAGE = 25;
/** The count stops here; the page then shows `more than`. */
const COUNTED = 1_000;
const SPAN_MS = 4 * 60 * 60_000;
const SPANS = 14 * 6;
/** Per span; higher values are drawn at this height. */
const MOST_IN_SPAN = 300;
/** More than an organization's active keys. */
const MAXIMUM_CALLERS = 100;
/** The worker seals within a second; a longer delay has a cause (docs/audit.md). */
const LATE_SECONDS = 5;

interface Look {
  search: AuditSearch;
  place: AuditPlace;
  timeZone: string;
}

/**
 * The organization's complete audit log for any member, not only the 90 days of the API's list. Pages are keyed by the
 * ID of their first and last entry, so every page costs the same. Each entry shown is verified against its seal.
 */
export async function readAuditPage({ services, context }: Reading, look: Look) {
  const { organizationId } = context;
  const { search, place } = look;
  const [page, found, chain, spans, callers, opened] = await Promise.all([
    readPage(services.pool, organizationId, look),
    countFound(services.pool, organizationId, look),
    readChain(services.pool, organizationId),
    readSpans(services.pool, context, look.timeZone),
    readCallers(services.pool, organizationId),
    place.entry === undefined ? null : readAuditEntry(services, context, look, place.entry),
  ]);
  const rows = page.rows.map(toRow);
  const reasons = await readProposalReasons(services.pool, organizationId, rows);
  const seals = page.rows.map(toSeal).filter((seal) => seal !== null);
  const href = (to: AuditPlace) => auditHref(search, to);
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    search,
    /** Newest first. */
    entries: rows.map(
      (row): AuditListedView => ({
        ...row,
        href: href({ ...place, entry: row.id }),
        proposalReason: reasons.get(row.id) ?? null,
      }),
    ),
    newerHref: first && page.hasNewer ? href({ after: first.id }) : null,
    olderHref: last && page.hasOlder ? href({ before: last.id }) : null,
    /** Matches; there are more than `count` if `isMore`. */
    found,
    opened,
    chain: {
      ...chain /** Of the page's entries: how many were verified against their seals just now, and how many failed. */,
      checked: seals.length,
      broken: seals.filter(({ holds }) => !holds).length,
    },
    /** The last two weeks. Bars above `mostInSpan` are drawn at that height. */
    spans,
    mostInSpan: MOST_IN_SPAN,
    /** For the filter: keys and assistants, most recently used first. */
    callers: withSearched(callers, rows, search),
    /** Null: this member may only read. */
    exportHrefs: mayExport(context)
      ? {
          csv: downloadHref(auditHref(search, {}, "/audit/export/csv"), context),
          json: downloadHref(auditHref(search, {}, "/audit/export/json"), context),
        }
      : null,
  };
}

/** The audit log of an organization. */
export type AuditView = Awaited<ReturnType<typeof readAuditPage>>;

interface FoundPage {
  rows: SealedEntryRow[];
  hasNewer: boolean;
  hasOlder: boolean;
}

async function readPage(database: Queryable, organizationId: string, look: Look): Promise<FoundPage> {
  const { before, after } = look.place;
  if (after !== undefined) {
    const rows = await readRows(database, organizationId, look, `id > $`, after);
    // Less than a full page: start from the newest entry instead.
    if (rows.length > ENTRIES_PER_PAGE) {
      return { rows: rows.slice(0, ENTRIES_PER_PAGE).reverse(), hasNewer: true, hasOlder: true };
    }
  } else if (before !== undefined) {
    const rows = await readRows(database, organizationId, look, `id < $`, before);
    return toNewestFirst(rows, true);
  }
  return toNewestFirst(await readRows(database, organizationId, look, null, null), false);
}

function toNewestFirst(rows: SealedEntryRow[], hasNewer: boolean): FoundPage {
  return { rows: rows.slice(0, ENTRIES_PER_PAGE), hasNewer, hasOlder: rows.length > ENTRIES_PER_PAGE };
}

/**
 * Unnamed on purpose: the statement is planned for these filters. A generic plan would have to fit both a key with one
 * entry and one with millions.
 */
async function readRows(
  database: Queryable,
  organizationId: string,
  { search, timeZone }: Look,
  beyond: "id > $" | "id < $" | null,
  id: string | null,
): Promise<SealedEntryRow[]> {
  const { text, values } = searchConditions(organizationId, search, timeZone);
  const order = beyond === "id > $" ? "asc" : "desc";
  const condition = beyond === null ? "" : ` and ${beyond}${values.push(id)}`;
  const { rows } = await database.query<SealedEntryRow>({
    text: `
      with page as materialized (
        select id from audit_entries where ${text}${condition}
         order by id ${order} limit ${ENTRIES_PER_PAGE + 1})
      ${SEALED_ENTRIES}
       order by entry.id ${order}`,
    values,
  });
  return rows;
}

async function countFound(database: Queryable, organizationId: string, { search, timeZone }: Look) {
  const { text, values } = searchConditions(organizationId, search, timeZone);
  const { rows } = await database.query<{
    /** How many are sealed. */ count: number;
    failed: number;
  }>({
    text: `
      select count(*)::int as count, (count(*) filter (where outcome = 'FAILURE'))::int as failed
        from (select outcome from audit_entries where ${text} order by id desc limit ${COUNTED + 1}) found`,
    values,
  });
  const { count = 0, failed = 0 } = rows[0] ?? {};
  return { count: Math.min(count, COUNTED), failed: Math.min(failed, COUNTED), isMore: count > COUNTED };
}

async function readChain(database: Queryable, organizationId: string) {
  const { rows } = await database.query<{
    sequence: number | null;
    sealedAt: Date | null;
    hash: string | null;
    isLate: boolean;
    archivedUntil: Date | null;
  }>({
    name: "read_chain_state",
    text: `
      select newest.sequence, newest.sealed_at as "sealedAt", newest.hash,
          exists (select from audit_unsealed u where u.organization_id = $1
            and u.written_at < clock_timestamp() - ${LATE_SECONDS} * interval '1 second') as "isLate",
          (select s.sealed_at from audit_archives a
             join audit_seals s on s.organization_id = a.organization_id and s.sequence = a.last_sequence
            where a.organization_id = $1 and a.file_name is not null
            order by a.first_sequence desc limit 1) as "archivedUntil"
        from (select) nothing
        left join lateral (
          select s.sequence, s.sealed_at, encode(s.hash, 'hex') as hash from audit_seals s
           where s.organization_id = $1 order by s.sequence desc limit 1) newest on true`,
    values: [organizationId],
  });
  const row = rows[0];
  return {
    count: row?.sequence ?? 0,
    /** ISO 8601, of the newest seal. */
    sealedAt: row?.sealedAt?.toISOString() ?? null,
    /** The newest seal's hash. */
    head: row?.hash ?? null,
    /** The oldest unsealed entry has waited longer than the worker should take. */
    isLate: row?.isLate ?? false,
    /** Up to when successful reads have left for files; null: none have. */
    archivedUntil: row?.archivedUntil?.toISOString() ?? null,
  };
}

/** Two weeks in spans of four hours, each read from the index only up to the height drawn. */
async function readSpans(database: Queryable, { organizationId, now }: Context, timeZone: string) {
  const today = startOfDay(calendarDate(now, timeZone), timeZone).getTime();
  const begin = today + 6 * SPAN_MS - SPANS * SPAN_MS;
  const starts = Array.from({ length: SPANS + 1 }, (_, index) => new Date(begin + index * SPAN_MS));
  const { rows } = await database.query<{ total: number; failed: number }>({
    name: "read_audit_spans",
    text: `
      select (select count(*)::int from (select from audit_entries
               where organization_id = $1 and id >= span.from_id and id < span.to_id limit ${MOST_IN_SPAN}) e) as total,
             (select count(*)::int from (select from audit_entries
               where organization_id = $1 and id >= span.from_id and id < span.to_id and outcome = 'FAILURE'
               limit ${MOST_IN_SPAN}) e) as failed
        from unnest($2::uuid[], $3::uuid[]) with ordinality as span (from_id, to_id, place)
       order by span.place`,
    values: [organizationId, starts.slice(0, SPANS).map(firstIdAt), starts.slice(1).map(firstIdAt)],
  });
  return rows.map(({ total, failed }, index) => ({
    /** ISO 8601, its beginning. */
    at: (starts[index] ?? now).toISOString(),
    succeeded: Math.max(0, total - failed),
    failed,
  }));
}

/** Requests of a few hours, at most as many as are drawn. */
export type AuditSpanView = Awaited<ReturnType<typeof readSpans>>[number];

async function readCallers(database: Queryable, organizationId: string) {
  const { rows } = await database.query<{ id: string; name: string }>({
    name: "list_audit_callers",
    text: `
      select id, name from api_keys where organization_id = $1
       order by last_used_at desc nulls last, id desc limit ${MAXIMUM_CALLERS}`,
    values: [organizationId],
  });
  const nameOf = namesToChoose(rows);
  return rows.map(({ id }) => ({ id, name: nameOf(id) }));
}

/** A caller in the URL but not in the list, such as a rule's webhook, still appears and can be removed. */
function withSearched(
  callers: { id: string; name: string }[],
  rows: readonly { callerId: string; callerName: string }[],
  { caller }: AuditSearch,
) {
  if (caller === undefined || callers.some(({ id }) => id === caller)) return callers;
  const name = rows.find(({ callerId }) => callerId === caller)?.callerName ?? "Another caller";
  return [{ id: caller, name }, ...callers];
}

/**
 * One entry with its verified seal, and what the same caller did around it. Null: the organization has no such entry.
 */
async function readAuditEntry(
  services: Pick<Services, "pool">,
  { organizationId }: Context<MemberActor>,
  { search, place }: { search: AuditSearch; place: AuditPlace },
  entryId: string,
) {
  const { rows } = await services.pool.query<SealedEntryRow & { isOfKey: boolean; isOfAssistant: boolean }>({
    name: "read_audit_entry",
    text: `
      with page as (select $2::uuid as id), opened as (${SEALED_ENTRIES})
      select opened.*, k.id is not null and k.client_id is null as "isOfKey",
          k.client_id is not null as "isOfAssistant"
        from opened left join api_keys k on k.organization_id = $1 and k.id = opened."apiKeyId"`,
    values: [organizationId, entryId],
  });
  const row = rows[0];
  if (!row) return null;
  const entry = toRow(row);
  const near = await readNear(services, organizationId, row);
  const reasons = await readProposalReasons(services.pool, organizationId, [entry]);
  return {
    entry,
    /** Of the proposal that it made or is about; null: it has none. */
    proposalReason: reasons.get(entry.id) ?? null,
    /** Null: it waits for its seal, a second at most. */
    seal: toSeal(row),
    /** The page of the key; null if the caller is not a listed key. */
    callerHref: callerHref(row),
    /** Requests of the same caller within a minute, oldest first, including this one. */
    near: near.map(toRow).map((one) => ({ ...one, href: auditHref(search, { ...place, entry: one.id }) })),
    closeHref: auditHref(search, { ...place, entry: undefined }),
  };
}

/** One request, opened. */
export type AuditOpenedView = NonNullable<Awaited<ReturnType<typeof readAuditEntry>>>;

function callerHref(row: { apiKeyId: string; isOfKey: boolean; isOfAssistant: boolean }): string | null {
  if (row.isOfKey) return `/settings/api-keys/${row.apiKeyId}`;
  return row.isOfAssistant ? "/settings/assistants" : null;
}

async function readNear(
  services: Pick<Services, "pool">,
  organizationId: string,
  { id, apiKeyId, createdAt }: SealedEntryRow,
): Promise<SealedEntryRow[]> {
  const at = new Date(createdAt).getTime();
  const { rows } = await services.pool.query<SealedEntryRow>({
    name: "read_audit_near",
    text: `
      with page as materialized (
        (select id from audit_entries
          where organization_id = $1 and api_key_id = $2 and id between $4 and $3 order by id desc
          limit ${NEAR_EACH + 1})
        union all
        (select id from audit_entries
          where organization_id = $1 and api_key_id = $2 and id > $3 and id <= $5 order by id
          limit ${NEAR_EACH}))
      ${SEALED_ENTRIES}
       order by entry.id`,
    values: [
      organizationId,
      apiKeyId,
      id,
      firstIdAt(new Date(at - NEAR_MS)),
      lastIdAt(new Date(at + NEAR_MS)),
    ],
  });
  return rows;
}
