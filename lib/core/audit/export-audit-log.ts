import { toLine, toLink } from "@/lib/core/audit/archive-file";
import { genesisHash } from "@/lib/core/audit/audit-digest";
import { type ReadSeal, readArchivedSeals } from "@/lib/core/audit/read-archived-seals";
import { readLastSequence } from "@/lib/core/audit/read-seals";
import type { Queryable } from "@/lib/db/transaction";

/**
 * An organization's sealed entries as JSON lines: a header, one line per entry, and a footer with count and head
 * (docs/audit.md, "Export"). `clients/verify-audit-export.mjs` checks them without Sluice.
 * @param archives the folder of archived entries; null: there is none
 * @throws Error for an organization that does not exist, before the first line; where a file of archived entries is
 *   missing or altered, at its first entry.
 */
export async function exportAuditLog(
  database: Queryable,
  organizationId: string,
  archives: string | null = null,
): Promise<AsyncGenerator<string>> {
  const { rows } = await database.query("select from organizations where id = $1", [organizationId]);
  if (rows.length === 0) throw new Error(`There is no organization ${organizationId}.`);
  const last = await readLastSequence(database, organizationId);
  return writeLines(organizationId, readArchivedSeals(database, organizationId, last, archives));
}

async function* writeLines(organizationId: string, seals: AsyncIterable<ReadSeal>): AsyncGenerator<string> {
  const genesis = genesisHash(organizationId);
  yield toLine({ format: "sluice-audit-export-v2", organizationId, algorithm: "SHA-256", genesis });
  let count = 0;
  let head = genesis;
  for await (const seal of seals) {
    if (seal.fault)
      throw new Error(`The archive ${seal.fault.path} is missing or altered: the export is not whole.`);
    yield toLine(toLink(seal));
    count += 1;
    head = seal.hash;
  }
  yield toLine({ count, head });
}
