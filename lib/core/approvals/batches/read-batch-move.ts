import type { ProposalState } from "@/lib/core/approvals/proposal-facts";
import type { Queryable } from "@/lib/db/transaction";

/** A batch in one sentence, for messages. */
export interface BatchMoveFacts {
  batchId: string;
  /** Approved once any line was. */
  state: ProposalState;
  sourceName: string;
  /** Struck lines are not counted. */
  lineCount: number;
  totalInCents: number;
  /** The total of the approved lines. */
  approvedCount: number;
  approvedInCents: number;
}

/** The batches of which these proposals are lines, by the id of the line. */
export async function readBatchMoves(
  database: Queryable,
  organizationId: string,
  proposalIds: readonly string[],
): Promise<Map<string, BatchMoveFacts>> {
  const { rows } = await database.query<BatchMoveFacts & { lineId: string }>({
    name: "read_batch_moves",
    text: `
      select p.id as "lineId", b.id as "batchId",
          (count(*) filter (where line.struck_by is null))::int as "lineCount",
          coalesce(sum(t.amount_in_cents) filter (where line.struck_by is null), 0)::bigint as "totalInCents",
          (array_agg(line.state order by line.state = 'WAITING', line.state <> 'APPROVED', line.batch_line))[1] as state,
          case when count(distinct t.source_account_id) = 1 then min(source.name)
            else count(distinct t.source_account_id) || ' accounts' end as "sourceName",
          (count(*) filter (where line.state = 'APPROVED'))::int as "approvedCount",
          coalesce(sum(t.amount_in_cents) filter (where line.state = 'APPROVED'), 0)::bigint as "approvedInCents"
        from proposals p
        join transfer_batches b on b.organization_id = p.organization_id and b.id = p.batch_id
        join proposals line on line.organization_id = b.organization_id and line.batch_id = b.id
        join transfers t on t.organization_id = line.organization_id and t.id = line.id
        join accounts source on source.organization_id = t.organization_id and source.id = t.source_account_id
       where p.organization_id = $1 and p.id = any ($2)
       group by p.id, b.id`,
    values: [organizationId, proposalIds],
  });
  return new Map(rows.map(({ lineId, ...facts }) => [lineId, facts]));
}
