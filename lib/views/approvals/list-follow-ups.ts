import { runHref } from "@/lib/contract/rule-hrefs";
import { MAXIMUM_CHAIN_DEPTH } from "@/lib/contract/rules/chain-depth";
import type { TransferStatus } from "@/lib/contract/transfer";
import type { FollowUpView } from "@/lib/contract/views/approval-view";
import { statusOfAccepted } from "@/lib/core/approvals/approval-status";
import type { Queryable } from "@/lib/db/transaction";

const MAXIMUM_FOLLOW_UPS = 50;

interface FollowUpRow {
  id: string;
  status: TransferStatus;
  amount_in_cents: number;
  source_name: string;
  destination_name: string;
  rule_id: string;
  rule_name: string;
  execution_id: string;
}

/**
 * What rules have moved because this proposal was approved: the transfers of the runs that its money set off, and of
 * those that theirs did, oldest first. Runs that looked and moved nothing are none.
 */
export async function listFollowUps(
  database: Queryable,
  organizationId: string,
  proposalId: string,
): Promise<FollowUpView[]> {
  const { rows } = await database.query<FollowUpRow>({
    name: "list_follow_ups",
    text: `
      with recursive set_off as (
        select e.id, 1 as depth
          from transfers t join rule_executions e
            on e.organization_id = $1 and e.cause_id = t.id::text and e.cause_kind = 'TRANSFER'
         where t.organization_id = $1 and t.id = $2
        union all
        select e.id, 1
          from transfers t join rule_executions e
            on e.organization_id = $1 and e.cause_id = t.id::text and e.cause_kind = 'TRANSFER'
         where t.organization_id = $1 and t.rule_execution_id = $2
        union all
        select e.id, s.depth + 1
          from set_off s
          join transfers t on t.organization_id = $1 and t.rule_execution_id = s.id
          join rule_executions e on e.organization_id = $1 and e.cause_id = t.id::text and e.cause_kind = 'TRANSFER'
         where s.depth < $3)
      select t.id, t.status, t.amount_in_cents, source.name as source_name, destination.name as destination_name,
          r.id as rule_id, r.name as rule_name, s.id as execution_id
        from set_off s
        join transfers t on t.organization_id = $1 and t.rule_execution_id = s.id
        join accounts source on source.organization_id = $1 and source.id = t.source_account_id
        join accounts destination on destination.organization_id = $1 and destination.id = t.destination_account_id
        join rules r on r.organization_id = $1 and r.id = t.rule_id
       order by t.id limit $4`,
    values: [organizationId, proposalId, MAXIMUM_CHAIN_DEPTH, MAXIMUM_FOLLOW_UPS],
  });
  return rows.map((row) => ({
    key: row.id,
    ruleName: row.rule_name,
    runHref: runHref(row.rule_id, row.execution_id),
    sourceName: row.source_name,
    destinationName: row.destination_name,
    amountInCents: row.amount_in_cents,
    status: statusOfAccepted(row.status),
  }));
}
