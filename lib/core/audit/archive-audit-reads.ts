import { join } from "node:path";
import { readArchiveFile, writeArchiveFile } from "@/lib/core/audit/archive-file";
import { entryHash, genesisHash } from "@/lib/core/audit/audit-digest";
import { readSeals, type Seal } from "@/lib/core/audit/read-seals";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export interface AuditArchiveSetting {
  /** Of the files, `audit-archives` in the data folder. */
  directory: string;
  /** After how many days successful reads leave the database, at least 400; null: never. */
  readsDays: number | null;
}

/** Seals per file: some six megabytes before compression, and a transaction of a second. */
const MAXIMUM_SEALS = 10_000;
const DAY_MS = 86_400_000;

interface Stretch {
  organizationId: string;
  after: number;
  last: number;
  previousHash: string | null;
}

/**
 * Moves successful reads that are old enough from the audit logs to files (docs/audit.md, "Archives"). The seals stay, so
 * the chain is whole. An entry is removed only after its file is on the disk and was read back.
 * @returns how many stretches of chains were archived, at most one of each of a hundred organizations
 */
export async function archiveAuditReads(
  services: Pick<Services, "pool" | "clock">,
  { directory, readsDays }: AuditArchiveSetting,
): Promise<number> {
  if (readsDays === null) return 0;
  const stretches = await findStretches(services, readsDays);
  const failures: unknown[] = [];
  for (const stretch of stretches) {
    try {
      await archive(services, directory, stretch);
    } catch (error) {
      // One organization's files do not stop the others'.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "reads of the audit log were not archived");
  return stretches.length;
}

/** The oldest unarchived seals of each organization, if the first full month of them is old enough. */
async function findStretches(
  { pool, clock }: Pick<Services, "pool" | "clock">,
  readsDays: number,
): Promise<Stretch[]> {
  const { rows } = await pool.query<Stretch>({
    name: "find_stretches_to_archive",
    text: `
      select o.id as "organizationId", done.last as "after", stretch.last,
             (select encode(p.hash, 'hex') from audit_seals p
               where p.organization_id = o.id and p.sequence = done.last) as "previousHash"
        from organizations o
        cross join lateral (
          select coalesce((select a.last_sequence from audit_archives a
            where a.organization_id = o.id order by a.first_sequence desc limit 1), 0) as last) done
        cross join lateral (
          select max(s.sequence) as last from (
            select n.sequence, n.sealed_at from audit_seals n
             where n.organization_id = o.id and n.sequence > done.last
             order by n.sequence limit ${MAXIMUM_SEALS}) s
           where s.sealed_at < $1) stretch
       where (select n.sealed_at < $1 from audit_seals n
               where n.organization_id = o.id and n.sequence = done.last + 1)
       order by o.id limit 100`,
    values: [monthBefore(new Date(clock.now().getTime() - readsDays * DAY_MS))],
  });
  return rows;
}

/** Whole months, so that an organization's reads make a file a month, not one an hour. */
function monthBefore(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth()));
}

async function archive(
  { pool, clock }: Pick<Services, "pool" | "clock">,
  directory: string,
  { organizationId, after, last, previousHash }: Stretch,
): Promise<void> {
  const seals = await readStretch(pool, { organizationId, after, last });
  const reads = seals.filter(({ entry }) => entry !== null);
  const fileName = reads.length === 0 ? null : join(organizationId, `${after + 1}-${last}.jsonl.gz`);
  let sha256: Buffer | null = null;
  if (fileName !== null) {
    const path = join(directory, fileName);
    sha256 = await writeArchiveFile(path, {
      organizationId,
      previousHash: previousHash ?? genesisHash(organizationId),
      seals,
    });
    const written = await readArchiveFile(path, sha256);
    if (written?.size !== reads.length) throw new Error(`${path} does not read as it was written`);
  }
  await pool.query({
    name: "archive_audit_reads",
    text: `
      select archive_audit_reads(jsonb_build_object('organization_id', $1::uuid, 'first_sequence', $2::bigint,
        'last_sequence', $3::bigint, 'entry_count', $4::integer, 'file_name', $5::text, 'sha256', $6::bytea,
        'archived_at', $7::timestamptz), $8)`,
    values: [
      organizationId,
      after + 1,
      last,
      reads.length,
      fileName,
      sha256,
      clock.now(),
      reads.map(({ entryId }) => entryId),
    ],
  });
}

/**
 * As of one moment: another worker may archive this stretch meanwhile, and what it removes must not be missing from a file
 * that then replaces its own.
 */
async function readStretch(
  pool: Services["pool"],
  { organizationId, after, last }: Pick<Stretch, "organizationId" | "after" | "last">,
): Promise<Seal[]> {
  return await inTransaction(
    pool,
    async (client) => {
      const seals: Seal[] = [];
      for await (const seal of readSeals(client, organizationId, last, after))
        seals.push(isArchivable(seal) ? seal : { ...seal, entry: null });
      return seals;
    },
    { isolation: "repeatable read", readOnly: true },
  );
}

/** Changes and refusals stay in the database, and so does an entry that is not what was sealed: it is evidence. */
function isArchivable({ entry, entryHash: sealed }: Seal): boolean {
  return (
    entry !== null && entry.method === "GET" && entry.outcome === "SUCCESS" && entryHash(entry) === sealed
  );
}
