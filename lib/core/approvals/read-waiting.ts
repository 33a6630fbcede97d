import type { NextProposalView } from "@/lib/contract/approvals/approval";
import { readWaitingSubjects } from "@/lib/core/approvals/batches/waiting-subjects";
import { onePerBatch } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";

interface WaitingRow {
  count: number;
  id: string | null;
  expiresAt: Date | null;
}

/** How many other proposals wait, and the one that expires soonest. `exceptId`: the one on the screen. */
export async function readWaiting(
  database: Queryable,
  organizationId: string,
  exceptId: string,
  now: Date,
): Promise<{ count: number; next: NextProposalView | null }> {
  const { rows } = await database.query<WaitingRow>({
    name: "read_waiting",
    text: `
      with waiting as (
        select id, expires_at from proposals
         where organization_id = $1 and state = 'WAITING' and expires_at > $3 and id <> $2 and ${onePerBatch("")})
      select (select count(*) from waiting)::int as count, soonest.id, soonest.expires_at as "expiresAt"
        from (select 1) always
        left join (select * from waiting order by expires_at, id limit 1) soonest on true`,
    values: [organizationId, exceptId, now],
  });
  const row = rows[0];
  if (!row || row.id === null || row.expiresAt === null) return { count: row?.count ?? 0, next: null };
  const subjects = await readWaitingSubjects(database, { organizationId, now }, [row.id]);
  const subject = subjects.get(row.id);
  return {
    count: row.count,
    next: subject
      ? { href: proposalHref(row.id), subject: subject.view, expiresAt: row.expiresAt.toISOString() }
      : null,
  };
}

/** How many proposals wait. `now`: business time. */
export async function countWaiting(database: Queryable, organizationId: string, now: Date): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    name: "count_waiting",
    text: `select count(*)::int as count from proposals
            where organization_id = $1 and state = 'WAITING' and expires_at > $2 and ${onePerBatch("")}`,
    values: [organizationId, now],
  });
  return rows[0]?.count ?? 0;
}

export function proposalHref(id: string): string {
  return `/?approvalTransferId=${id}`;
}
