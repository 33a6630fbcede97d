import type { RequesterView } from "@/lib/contract/views/approval-view";
import type { ProposalFacts } from "@/lib/core/approvals/proposal-facts";
import type { Queryable } from "@/lib/db/transaction";

/** What the tally draws at most. */
const TALLY_LENGTH = 47;

interface RecordRow {
  approved: number;
  decided: number;
  recent: RequesterView["recent"] | null;
}

/** What became of the earlier proposals of a proposal's key. A member's own proposals are not tallied. */
export async function readRequesterRecord(
  database: Queryable,
  organizationId: string,
  facts: Pick<ProposalFacts, "key" | "id">,
): Promise<Pick<RequesterView, "approvedCount" | "decidedCount" | "recent">> {
  if (!facts.key) return { approvedCount: 0, decidedCount: 0, recent: [] };
  const { rows } = await database.query<RecordRow>({
    name: "read_requester_record",
    text: `
      with decided as (
        select id, case state when 'REVOKED' then 'DENIED' else state end as state from proposals
         where organization_id = $1 and api_key_id = $2 and state <> 'WAITING' and id <> $3)
      select (select count(*) from decided where state = 'APPROVED')::int as approved,
          (select count(*) from decided)::int as decided,
          (select json_agg(state order by id) from (select * from decided order by id desc limit ${TALLY_LENGTH}) last)
            as recent`,
    values: [organizationId, facts.key.id, facts.id],
  });
  const row = rows[0];
  return { approvedCount: row?.approved ?? 0, decidedCount: row?.decided ?? 0, recent: row?.recent ?? [] };
}
