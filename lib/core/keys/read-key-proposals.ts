import type { TransferStatus } from "@/lib/contract/transfer";
import type { KeyProposalView } from "@/lib/contract/views/keys-view";
import type { ProposalState } from "@/lib/core/approvals/approval-facts";
import { approvalStatus } from "@/lib/core/approvals/get-approval";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Queryable } from "@/lib/platform/db/transaction";

const LISTED = 12;

interface ProposalRow {
  id: string;
  state: ProposalState;
  status: TransferStatus;
  created_at: Date;
  expires_at: Date;
  source_name: string;
  destination_name: string;
  amount_in_cents: number;
  waiting: number;
}

/** The latest proposals of a key with what became of them, and how many wait. `now`: business time. */
export async function readKeyProposals(
  database: Queryable,
  organizationId: string,
  keyId: string,
  now: Date,
): Promise<{ proposals: KeyProposalView[]; waitingCount: number }> {
  const { rows } = await database.query<ProposalRow>({
    name: "read_key_proposals",
    text: `
      select p.id, p.state, t.status, p.created_at, p.expires_at, s.name as source_name, d.name as destination_name,
          t.amount_in_cents,
          (select count(*) from proposals w
            where w.organization_id = $1 and w.api_key_id = $2 and w.state = 'WAITING' and w.expires_at > $3)::int
            as waiting
        from proposals p
        join transfers t on t.organization_id = p.organization_id and t.id = p.id
        join accounts s on s.organization_id = p.organization_id and s.id = t.source_account_id
        join accounts d on d.organization_id = p.organization_id and d.id = t.destination_account_id
       where p.organization_id = $1 and p.api_key_id = $2
       order by p.id desc limit ${LISTED}`,
    values: [organizationId, keyId, now],
  });
  return {
    waitingCount: rows[0]?.waiting ?? 0,
    proposals: rows.map((row) => ({
      id: row.id,
      href: proposalHref(row.id),
      at: row.created_at.toISOString(),
      sourceName: row.source_name,
      destinationName: row.destination_name,
      amountInCents: row.amount_in_cents,
      status: approvalStatus({ state: row.state, status: row.status, expiresAt: row.expires_at }, now),
    })),
  };
}
