import { join } from "node:path";
import { readArchiveFile } from "@/lib/core/audit/archive-file";
import type { CanonicalEntry } from "@/lib/core/audit/audit-digest";
import { readSeals, type Seal } from "@/lib/core/audit/read-seals";
import type { Queryable } from "@/lib/db/transaction";
import { hasCode } from "@/lib/platform/error-code";

interface Archive {
  firstSequence: number;
  lastSequence: number;
  fileName: string;
  sha256: Buffer;
}

/** What is wrong with the file that holds an entry. */
export interface ArchiveFault {
  firstSequence: number;
  lastSequence: number;
  path: string;
  kind: "MISSING" | "ALTERED" | "UNREADABLE";
}

export interface ReadSeal extends Seal {
  /** Null: the entry is here, or in no file. */
  fault: ArchiveFault | null;
}

/**
 * An organization's seals in order, those of archived entries with the entry from its file.
 * @param directory the folder of the files; null: there is none, so every file is missing
 */
export async function* readArchivedSeals(
  database: Queryable,
  organizationId: string,
  lastSequence: number,
  directory: string | null,
): AsyncGenerator<ReadSeal> {
  let opened: (Archive & Opened) | null = null;
  for await (const seal of readSeals(database, organizationId, lastSequence)) {
    if (seal.entry !== null) {
      yield { ...seal, fault: null };
      continue;
    }
    if (opened === null || seal.sequence > opened.lastSequence) {
      const archive = await findArchive(database, organizationId, seal.sequence);
      opened = archive && { ...archive, ...(await openArchive(directory, archive)) };
    }
    const entry = opened?.entries.get(seal.sequence) ?? null;
    yield { ...seal, entry, fault: entry === null ? (opened?.fault ?? null) : null };
  }
}

interface Opened {
  entries: ReadonlyMap<number, CanonicalEntry>;
  fault: ArchiveFault | null;
}

const NO_ENTRIES: Opened["entries"] = new Map();

async function openArchive(directory: string | null, archive: Archive): Promise<Opened> {
  const { firstSequence, lastSequence, fileName, sha256 } = archive;
  if (directory === null)
    return { entries: NO_ENTRIES, fault: { firstSequence, lastSequence, path: fileName, kind: "MISSING" } };
  const path = join(directory, fileName);
  try {
    const entries = await readArchiveFile(path, sha256);
    if (entries !== null) return { entries, fault: null };
    return { entries: NO_ENTRIES, fault: { firstSequence, lastSequence, path, kind: "ALTERED" } };
  } catch (error) {
    const kind = hasCode(error, "ENOENT", "ENOTDIR") ? "MISSING" : "UNREADABLE";
    return { entries: NO_ENTRIES, fault: { firstSequence, lastSequence, path, kind } };
  }
}

/** The file that holds the entry of a seal; null: none does. */
async function findArchive(
  database: Queryable,
  organizationId: string,
  sequence: number,
): Promise<Archive | null> {
  const { rows } = await database.query<Archive>({
    name: "find_audit_archive",
    text: `
      select a.first_sequence as "firstSequence", a.last_sequence as "lastSequence", a.file_name as "fileName", a.sha256
        from audit_archives a
       where a.organization_id = $1 and a.first_sequence <= $2 and a.last_sequence >= $2 and a.file_name is not null
       order by a.first_sequence desc limit 1`,
    values: [organizationId, sequence],
  });
  return rows[0] ?? null;
}
