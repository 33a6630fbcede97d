import { type CheckedChain, checkChain, type KnownHead } from "@/lib/core/audit/check-chain";
import { findUnsealed } from "@/lib/core/audit/find-unsealed";
import { readLastSequence, readSeals } from "@/lib/core/audit/read-seals";
import type { Queryable } from "@/lib/db/transaction";

/** What is wrong with one organization is told this many times; beyond that it is counted. */
const MAXIMUM_TOLD = 100;

export interface VerifiedLog extends CheckedChain {
  organizationId: string;
  /** Sentences that say what is wrong and where; the first hundred. */
  problems: string[];
  problemCount: number;
}

/**
 * Checks an organization's audit log against its seals, and its end against a head that was noted earlier: without one,
 * a chain whose end was cut off is a shorter chain like any other.
 * @param options `isSealed` false: no worker runs on this database, so an entry that waits for its seal is not late
 */
export async function verifyAuditLog(
  database: Queryable,
  organizationId: string,
  known: KnownHead | null = null,
  options: { isSealed?: boolean } = {},
): Promise<VerifiedLog> {
  const problems: string[] = [];
  let problemCount = 0;
  const report = (problem: string) => {
    problemCount += 1;
    if (problems.length < MAXIMUM_TOLD) problems.push(problem);
  };
  const last = await readLastSequence(database, organizationId);
  const chain = await checkChain(organizationId, readSeals(database, organizationId, last), known, report);
  await findUnsealed(database, organizationId, report, options.isSealed ?? true);
  return { organizationId, ...chain, problems, problemCount };
}

/** Every organization that has an audit log, also one that is named nowhere else. In the order of ids. */
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
