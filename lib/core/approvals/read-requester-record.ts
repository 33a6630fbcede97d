import type { RequesterView } from "@/lib/contract/approvals/approval";
import type { ProposalFacts } from "@/lib/core/approvals/proposal-facts";
import type { Queryable } from "@/lib/db/transaction";

/** The most decisions that the requester's history draws. */
const HISTORY_LENGTH = 47;

type RequesterRecord = Pick<RequesterView, "approvedCount" | "decidedCount" | "recent">;
const NO_RECORD: RequesterRecord = { approvedCount: 0, decidedCount: 0, recent: [] };

/** A run that ended with its rule says nothing about its requester, and what it withdrew nobody decided. */
const DECIDED = "api_key_id = $2 and id <> $3 and state not in ('WAITING', 'RULE_CHANGED', 'WITHDRAWN')";

/** The outcomes of earlier proposals of a proposal's key. A member's own proposals have no record. */
export async function readRequesterRecord(
  database: Queryable,
  organizationId: string,
  facts: Pick<ProposalFacts, "key" | "id">,
): Promise<RequesterRecord> {
  if (!facts.key) return NO_RECORD;
  const { rows } = await database.query<RequesterRecord>({
    name: "read_requester_record",
    text: `
      select counted.*, (
          select coalesce(json_agg(state order by id), '[]') from (
            select id, case state when 'REVOKED' then 'DENIED' else state end as state from proposals
             where organization_id = $1 and ${DECIDED} order by id desc limit ${HISTORY_LENGTH}) last) as recent
        from (
          select (count(*) filter (where state = 'APPROVED'))::int as "approvedCount", count(*)::int as "decidedCount"
            from proposals where organization_id = $1 and ${DECIDED}) counted`,
    values: [organizationId, facts.key.id, facts.id],
  });
  return rows[0] ?? NO_RECORD;
}
