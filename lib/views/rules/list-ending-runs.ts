import type { RequesterView } from "@/lib/contract/approvals/approval";
import { readProposalSubjects } from "@/lib/core/approvals/proposal-subjects";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { REQUESTER_KIND, REQUESTER_NAME, SUBJECT_JOINS } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";

/** A run that waits for a decision. */
export interface WaitingRunView {
  id: string;
  href: string;
  requesterKind: RequesterView["kind"];
  requesterName: string;
  /** What it would move now; null: it can't run now. */
  amountInCents: number | null;
  version: number;
}

/** The waiting runs that an activation or deactivation ends. */
export interface EndingRunsView {
  count: number;
  /** The first few, soonest to expire first. */
  listed: WaitingRunView[];
}

/** The dialog lists these; the inbox has the rest. */
const MAXIMUM_LISTED = 5;

interface Row {
  id: string;
  count: number;
  version: number;
  requesterKind: EndingRunsView["listed"][number]["requesterKind"];
  requesterName: string;
}

/**
 * The waiting runs of a rule that end when a version is activated.
 * @param keptVersion the version to activate, whose runs stay; null: the rule is deactivated
 */
export async function listEndingRuns(
  database: Queryable,
  where: { organizationId: string; now: Date },
  { ruleId, keptVersion }: { ruleId: string; keptVersion: number | null },
): Promise<EndingRunsView> {
  const { rows } = await database.query<Row>({
    name: "list_ending_runs",
    text: `
      select p.id, (count(*) over ())::int as count, e.rule_version as version, ${REQUESTER_KIND} as "requesterKind",
          coalesce(${REQUESTER_NAME}, '') as "requesterName"
        from proposals p ${SUBJECT_JOINS}
       where p.organization_id = $1 and p.state = 'WAITING' and p.kind = 'RULE_RUN' and p.expires_at > $2
         and e.rule_id = $3 and ($4::int is null or e.rule_version <> $4)
       order by p.expires_at, p.id limit ${MAXIMUM_LISTED}`,
    values: [where.organizationId, where.now, ruleId, keptVersion],
  });
  const subjects = await readProposalSubjects(
    database,
    where,
    rows.map(({ id }) => id),
  );
  return {
    count: rows[0]?.count ?? 0,
    listed: rows.map(({ count: _count, ...run }) => ({
      ...run,
      href: proposalHref(run.id),
      amountInCents: subjects.get(run.id)?.view.amountInCents ?? null,
    })),
  };
}
