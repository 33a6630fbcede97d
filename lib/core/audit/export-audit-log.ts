import { genesisHash } from "@/lib/core/audit/audit-digest";
import { readLastSequence, readSeals, type Seal } from "@/lib/core/audit/read-seals";
import type { Queryable } from "@/lib/db/transaction";

/**
 * An organization's sealed entries as JSON lines: a header, one line per entry, and a footer with count and head
 * (docs/audit.md, "Export"). `clients/verify-audit-export.mjs` checks them without Sluice.
 * @throws Error for an organization that does not exist, before the first line.
 */
export async function exportAuditLog(
  database: Queryable,
  organizationId: string,
): Promise<AsyncGenerator<string>> {
  const { rows } = await database.query("select from organizations where id = $1", [organizationId]);
  if (rows.length === 0) throw new Error(`There is no organization ${organizationId}.`);
  return writeLines(database, organizationId, await readLastSequence(database, organizationId));
}

async function* writeLines(
  database: Queryable,
  organizationId: string,
  lastSequence: number,
): AsyncGenerator<string> {
  const genesis = genesisHash(organizationId);
  yield line({ format: "sluice-audit-export-v2", organizationId, algorithm: "SHA-256", genesis });
  let count = 0;
  let head = genesis;
  for await (const seal of readSeals(database, organizationId, lastSequence)) {
    yield line(toRecord(seal));
    count += 1;
    head = seal.hash;
  }
  yield line({ count, head });
}

const line = (record: object) => `${JSON.stringify(record)}\n`;

function toRecord({ sequence, sealedAt, entryHash, hash, entry }: Seal) {
  return { sequence, sealedAt, entryHash, hash, entry };
}
