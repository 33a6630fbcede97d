import type { ApprovalStatus, ProposalSubjectView } from "@/lib/contract/approvals/approval";
import { approvalStatus } from "@/lib/core/approvals/approval-facts";
import type { ProposalState, SubjectStatus } from "@/lib/core/approvals/proposal-facts";
import { readProposalSubjects } from "@/lib/core/approvals/proposal-subjects";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { onePerBatch, SUBJECT_JOINS, SUBJECT_STATUS } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";

export interface KeyProposalView {
  id: string;
  href: string;
  at: string;
  subject: ProposalSubjectView;
  status: ApprovalStatus;
}

const LISTED = 12;

interface ProposalRow {
  id: string;
  state: ProposalState;
  status: SubjectStatus;
  createdAt: Date;
  expiresAt: Date;
  waiting: number;
}

/** A key's latest proposals with their outcomes, and how many are waiting. `now`: business time. */
export async function readKeyProposals(
  database: Queryable,
  organizationId: string,
  keyId: string,
  now: Date,
) {
  const { rows } = await database.query<ProposalRow>({
    name: "read_key_proposals",
    text: `
      select p.id, p.state, ${SUBJECT_STATUS} as status, p.created_at as "createdAt", p.expires_at as "expiresAt",
          (select count(*) from proposals w
            where w.organization_id = $1 and w.api_key_id = $2 and w.state = 'WAITING' and w.expires_at > $3
              and ${onePerBatch("w")})::int
            as waiting
        from proposals p ${SUBJECT_JOINS}
       where p.organization_id = $1 and p.api_key_id = $2
       order by p.id desc limit ${LISTED}`,
    values: [organizationId, keyId, now],
  });
  const ids = rows.map((row) => row.id);
  const subjects = await readProposalSubjects(database, { organizationId, now }, ids);
  return {
    waitingCount: rows[0]?.waiting ?? 0,
    proposals: rows.flatMap((row): KeyProposalView[] => {
      const subject = subjects.get(row.id);
      if (!subject) return [];
      const status = approvalStatus({ state: row.state, status: row.status, expiresAt: row.expiresAt }, now);
      const at = row.createdAt.toISOString();
      return [{ id: row.id, href: proposalHref(row.id), at, subject: subject.view, status }];
    }),
  };
}
