import type { Queryable } from "@/lib/db/transaction";

/** The worker seals within a second; what waits longer waits for a reason. */
const GRACE_SECONDS = 5;
const PAGE_SIZE = 5_000;

/**
 * Looks for what the chain does not hold: entries that nobody wrote through the log, and those whose seal is overdue.
 * Reads page by page, each in one statement, so that an entry that is just being sealed is on one side or the other.
 * @param isSealed false: no worker seals these books now (a backup, of which the last entries may wait), so none is late
 */
export async function findUnsealed(
  database: Queryable,
  organizationId: string,
  report: (problem: string) => void,
  isSealed: boolean,
): Promise<void> {
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const { rows } = await database.query<{ last: string; size: number; strangers: string[] }>({
      name: "find_strange_entries",
      text: FIND_STRANGE_ENTRIES,
      values: [organizationId, after, PAGE_SIZE],
    });
    const page = rows[0];
    for (const id of page?.strangers ?? []) {
      report(
        `the entry ${id} is not sealed and does not wait for it: it was put in, or its seal was removed`,
      );
    }
    if (!page || page.size < PAGE_SIZE) break;
    after = page.last;
  }
  await reportOverdue(database, organizationId, report, isSealed);
}

const FIND_STRANGE_ENTRIES = `
  with page as materialized (
    select id from audit_entries where organization_id = $1 and id > $2 order by id limit $3)
  select max(id::text) as last, count(*)::int as size,
         coalesce(array_agg(id::text order by id) filter (
           where not exists (select from audit_seals s where s.organization_id = $1 and s.entry_id = page.id)
             and page.id not in (select u.id from audit_unsealed u where u.organization_id = $1)), '{}') as strangers
    from page`;

async function reportOverdue(
  database: Queryable,
  organizationId: string,
  report: (problem: string) => void,
  isSealed: boolean,
): Promise<void> {
  const { rows } = await database.query<{ id: string; seconds: number; is_gone: boolean }>({
    name: "find_overdue_seals",
    text: `
      select u.id, extract(epoch from clock_timestamp() - u.written_at)::int as seconds, e.id is null as is_gone
        from audit_unsealed u left join audit_entries e on e.organization_id = u.organization_id and e.id = u.id
       where u.organization_id = $1 and (e.id is null or $4) and u.written_at < clock_timestamp() - $2 * interval '1 second'
       order by u.written_at limit $3`,
    values: [organizationId, GRACE_SECONDS, PAGE_SIZE, isSealed],
  });
  for (const { id, seconds, is_gone } of rows) {
    report(
      is_gone
        ? `the entry ${id} was removed before it was sealed`
        : `the entry ${id} has waited ${seconds} seconds for its seal: is a worker running?`,
    );
  }
}
