import { readWaitingSubjects } from "@/lib/core/approvals/batches/waiting-subjects";
import type { ProposalSubject } from "@/lib/core/approvals/proposal-subjects";
import { onePerBatch } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";

/** More than this at once is a runaway key. */
const MAXIMUM_WAITING = 200;

export interface WaitingSubject extends ProposalSubject {
  id: string;
  expiresAt: Date;
}

/** The subjects of waiting proposals, soonest to expire first. `now`: business time. */
export async function listWaitingSubjects(
  database: Queryable,
  where: { organizationId: string; now: Date },
): Promise<WaitingSubject[]> {
  const { rows } = await database.query<{ id: string; expiresAt: Date }>({
    name: "list_waiting_subjects",
    text: `
      select id, expires_at as "expiresAt" from proposals
       where organization_id = $1 and state = 'WAITING' and expires_at > $2 and ${onePerBatch("")}
       order by expires_at, id limit ${MAXIMUM_WAITING}`,
    values: [where.organizationId, where.now],
  });
  const ids = rows.map((row) => row.id);
  const subjects = await readWaitingSubjects(database, where, ids);
  return rows.flatMap((row) => {
    const subject = subjects.get(row.id);
    return subject ? [{ ...subject, id: row.id, expiresAt: row.expiresAt }] : [];
  });
}
