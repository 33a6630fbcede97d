import { runHref } from "@/lib/contract/rule-hrefs";
import type { TransferStatus } from "@/lib/contract/transfer";
import type { RunReference, RunTransferView } from "@/lib/contract/views/run-view";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Queryable } from "@/lib/db/transaction";

/** A step has at most 50 actions, of which one pays at most 20 debts. */
const MAXIMUM_TRANSFERS = 1_000;
const MAXIMUM_SET_OFF = 50;

interface Row {
  id: string;
  from_name: string | null;
  to_name: string | null;
  amount_in_cents: number;
  status: TransferStatus;
  at: Date;
  error_message: string | null;
  is_proposal: boolean;
}

/** The transfers that a run made, in their order. */
export async function readRunTransfers(
  database: Queryable,
  organizationId: string,
  executionId: string,
): Promise<RunTransferView[]> {
  const { rows } = await database.query<Row>({
    name: "read_run_transfers",
    text: `
      select t.id, coalesce(s.name, t.counterparty_name) as from_name, coalesce(d.name, t.counterparty_name) as to_name,
          t.amount_in_cents, t.status, coalesce(t.completed_at, t.created_at) as at, t.error_message,
          exists (select from proposals p where p.organization_id = $1 and p.id = t.id) as is_proposal
        from transfers t
        left join accounts s on s.organization_id = $1 and s.id = t.source_account_id
        left join accounts d on d.organization_id = $1 and d.id = t.destination_account_id
       where t.organization_id = $1 and t.rule_execution_id = $2
       order by t.id limit ${MAXIMUM_TRANSFERS}`,
    values: [organizationId, executionId],
  });
  return rows.map((row) => ({
    id: row.id,
    fromName: row.from_name ?? "Outside Sluice",
    toName: row.to_name ?? "Outside Sluice",
    amountInCents: row.amount_in_cents,
    status: row.status,
    at: row.at.toISOString(),
    errorMessage: row.error_message,
    href: row.is_proposal ? proposalHref(row.id) : null,
  }));
}

/** The runs that the arrival of these transfers set off, oldest first. */
export async function readRunsSetOff(
  database: Queryable,
  organizationId: string,
  transferIds: readonly string[],
): Promise<RunReference[]> {
  if (transferIds.length === 0) return [];
  const { rows } = await database.query<{ id: string; rule_id: string; name: string }>({
    name: "read_runs_set_off",
    text: `
      select e.id, e.rule_id, r.name
        from rule_executions e
        join rules r on r.organization_id = $1 and r.id = e.rule_id
       where e.organization_id = $1 and e.cause_id = any ($2) and e.cause_kind = 'TRANSFER'
       order by e.id limit ${MAXIMUM_SET_OFF}`,
    values: [organizationId, transferIds],
  });
  return rows.map((row) => ({ ruleName: row.name, href: runHref(row.rule_id, row.id) }));
}
