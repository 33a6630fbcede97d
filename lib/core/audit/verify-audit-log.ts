import { entryHash, genesisHash, sealHash } from "@/lib/core/audit/audit-digest";
import { type ArchiveFault, type ReadSeal, readArchivedSeals } from "@/lib/core/audit/read-archived-seals";
import { readLastSequence } from "@/lib/core/audit/read-seals";
import type { Queryable } from "@/lib/db/transaction";
import { WORKER_CONNECTION } from "@/lib/db/workers";

/** The worker seals within a second; a longer wait indicates a problem. */
const GRACE_SECONDS = 5;

const PAGE_SIZE = 5_000;

const FIND_STRANGE_ENTRIES = `
  with page as materialized (
    select id from audit_entries where organization_id = $1 and id > $2 order by id limit $3)
  select max(id::text) as last, count(*)::int as size,
         coalesce(array_agg(id::text order by id) filter (
           where not exists (select from audit_seals s where s.organization_id = $1 and s.entry_id = page.id)
             and page.id not in (select u.id from audit_unsealed u where u.organization_id = $1)), '{}') as strangers
    from page`;

/** Problems reported per organization; further ones are only counted. */
const MAXIMUM_REPORTED = 100;

export interface VerifiedLog extends CheckedChain {
  organizationId: string;
  /** Sentences that say what is wrong and where; the first hundred. */
  problems: string[];
  problemCount: number;
  /** Entries whose seal is overdue while no worker could have sealed them: not a problem. */
  waitingCount: number;
}

/**
 * Checks an organization's audit log against its seals, and its end against a head noted earlier: without one, a
 * truncated chain looks like any shorter chain.
 * @param options `archives`: the folder of archived entries; `isSealed` false: no worker runs on this database, so an
 *   entry that waits for its seal is not late
 */
export async function verifyAuditLog(
  database: Queryable,
  organizationId: string,
  known: KnownHead | null = null,
  { archives = null, isSealed = true }: { archives?: string | null; isSealed?: boolean } = {},
): Promise<VerifiedLog> {
  const problems: string[] = [];
  let problemCount = 0;
  const report = (problem: string) => {
    problemCount += 1;
    if (problems.length < MAXIMUM_REPORTED) problems.push(problem);
  };
  const last = await readLastSequence(database, organizationId);
  const seals = readArchivedSeals(database, organizationId, last, archives);
  const chain = await checkChain(organizationId, seals, known, report);
  await findUnsealed(database, organizationId, report, isSealed);
  const waitingCount = isSealed ? 0 : await countOverdue(database, organizationId);
  return { organizationId, ...chain, problems, problemCount, waitingCount };
}

/**
 * Whether a worker is connected to this database, which seals entries within a second. Right after a restore there is
 * none, and the last entries of the backup wait.
 */
export async function hasSealingWorker(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ has: boolean }>({
    name: "has_sealing_worker",
    text: `select exists (select from pg_stat_activity
        where datname = current_database() and application_name = $1) as has`,
    values: [WORKER_CONNECTION],
  });
  return rows[0]?.has === true;
}

/** Every organization that has an audit log, even one that appears nowhere else, ordered by id. */
export async function* listAudited(database: Queryable): AsyncGenerator<string> {
  let after: string | null = "00000000-0000-0000-0000-000000000000";
  while (after !== null) {
    const next: { rows: { id: string | null }[] } = await database.query<{ id: string | null }>({
      name: "next_audited",
      text: `
        select least(
          (select id from organizations where id > $1 order by id limit 1),
          (select organization_id from audit_entries where organization_id > $1 order by organization_id limit 1),
          (select organization_id from audit_seals where organization_id > $1 order by organization_id limit 1)) as id`,
      values: [after],
    });
    after = next.rows[0]?.id ?? null;
    if (after !== null) yield after;
  }
}

/**
 * Looks for entries that were inserted past the log, and for those whose seal is overdue. Each page is one statement, so
 * an entry being sealed at that moment is on one side or the other.
 * @param isSealed false: no worker seals these books (a backup, whose last entries may wait), so none is late
 */
async function findUnsealed(
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
        `the entry ${id} is not sealed and does not wait for it: it was inserted, or its seal was removed`,
      );
    }
    if (!page || page.size < PAGE_SIZE) break;
    after = page.last;
  }
  await reportOverdue(database, organizationId, report, isSealed);
}

async function reportOverdue(
  database: Queryable,
  organizationId: string,
  report: (problem: string) => void,
  isSealed: boolean,
): Promise<void> {
  const { rows } = await database.query<{ id: string; seconds: number; isGone: boolean }>({
    name: "find_overdue_seals",
    text: `
      select u.id, extract(epoch from clock_timestamp() - u.written_at)::int as seconds, e.id is null as "isGone"
        from audit_unsealed u left join audit_entries e on e.organization_id = u.organization_id and e.id = u.id
       where u.organization_id = $1 and (e.id is null or $4) and u.written_at < clock_timestamp() - $2 * interval '1 second'
       order by u.written_at limit $3`,
    values: [organizationId, GRACE_SECONDS, PAGE_SIZE, isSealed],
  });
  for (const { id, seconds, isGone } of rows) {
    report(
      isGone
        ? `the entry ${id} was removed before it was sealed`
        : `the entry ${id} has waited ${seconds} seconds for its seal: is a worker running?`,
    );
  }
}

async function countOverdue(database: Queryable, organizationId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    name: "count_overdue_seals",
    text: `
      select count(*)::int as count from audit_unsealed u
       where u.organization_id = $1 and u.written_at < clock_timestamp() - $2 * interval '1 second'
         and exists (select from audit_entries e where e.organization_id = u.organization_id and e.id = u.id)`,
    values: [organizationId, GRACE_SECONDS],
  });
  return rows[0]?.count ?? 0;
}

/** A head noted earlier, outside the database. */
export interface KnownHead {
  hash: string;
  /** How many entries there were; null: any position in the chain. */
  count: number | null;
}

interface CheckedChain {
  count: number;
  /** The hash of the newest seal, or of the genesis. */
  head: string;
}

/**
 * Recomputes a chain from its beginning.
 * @param report receives one sentence per problem, with its position
 */
async function checkChain(
  organizationId: string,
  seals: AsyncIterable<ReadSeal>,
  known: KnownHead | null,
  report: (problem: string) => void,
): Promise<CheckedChain> {
  let count = 0;
  let expected = 1;
  let head = genesisHash(organizationId);
  let isKnownHeadMet = known !== null && isMet(known, 0, head);
  let fault: ArchiveFault | null = null;
  for await (const seal of seals) {
    if (seal.sequence !== expected) report(missingSeals(expected, seal.sequence - 1));
    if (seal.fault === null) checkEntry(seal, report);
    else if (seal.fault !== fault) report(faultyArchive(seal.fault));
    fault = seal.fault ?? fault;
    if (sealHash(head, seal) !== seal.hash) {
      report(
        `sequence ${seal.sequence}: the seal does not follow from the one before it: it was altered, or its predecessor was altered, removed or replaced`,
      );
    }
    count += 1;
    expected = seal.sequence + 1;
    head = seal.hash;
    isKnownHeadMet ||= known !== null && isMet(known, seal.sequence, head);
  }
  if (known && !isKnownHeadMet) report(missingHead(known, count));
  return { count, head };
}

const isMet = (known: KnownHead, sequence: number, hash: string) =>
  known.hash === hash && (known.count === null || known.count === sequence);

function checkEntry(seal: ReadSeal, report: (problem: string) => void): void {
  if (seal.entry === null) {
    report(`sequence ${seal.sequence}: the entry ${seal.entryId} is missing`);
  } else if (entryHash(seal.entry) !== seal.entryHash) {
    report(`sequence ${seal.sequence}: the entry ${seal.entryId} is not the one that was sealed`);
  }
}

function faultyArchive({ firstSequence, lastSequence, path, kind }: ArchiveFault): string {
  return `sequences ${firstSequence} to ${lastSequence}: the archive ${path} ${IS[kind]}`;
}

const IS: Readonly<Record<ArchiveFault["kind"], string>> = {
  MISSING: "is missing",
  ALTERED: "is not the file that was written",
  UNREADABLE: "cannot be read: check who may read it, and the disk",
};

function missingSeals(first: number, last: number): string {
  return first === last
    ? `sequence ${first}: the seal is missing`
    : `sequences ${first} to ${last}: the seals are missing`;
}

function missingHead(known: KnownHead, count: number): string {
  return known.count === null
    ? `the known head ${known.hash} is not in this chain of ${count}: its end was cut off, or it was rewritten`
    : `the known head ${known.hash} is not at sequence ${known.count} of ${count}: the end was cut off, or the chain was rewritten`;
}
