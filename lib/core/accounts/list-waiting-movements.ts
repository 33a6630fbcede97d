import type { WaitingMovementView } from "@/lib/contract/views/account-page-view";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Context } from "@/lib/core/context";
import type { Queryable } from "@/lib/platform/db/transaction";

interface WaitingRow {
  id: string;
  source_name: string | null;
  destination_name: string | null;
  destination_account_id: string | null;
  amount_in_cents: number;
  expires_at: Date;
}

const MAXIMUM_WAITING = 20;

/** Proposals that would move money into or out of the account, soonest to close first. */
export async function listWaitingMovements(
  database: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  accountId: string,
): Promise<WaitingMovementView[]> {
  const { rows } = await database.query<WaitingRow>({
    name: "list_waiting_movements",
    text: `
      select p.id, s.name as source_name, d.name as destination_name, t.destination_account_id, t.amount_in_cents,
          p.expires_at
        from proposals p
        join transfers t on t.organization_id = p.organization_id and t.id = p.id
        left join accounts s on s.organization_id = p.organization_id and s.id = t.source_account_id
        left join accounts d on d.organization_id = p.organization_id and d.id = t.destination_account_id
       where p.organization_id = $1 and p.state = 'WAITING' and p.expires_at > $3
         and $2::uuid in (t.source_account_id, t.destination_account_id)
       order by p.expires_at, p.id limit $4`,
    values: [context.organizationId, accountId, context.now, MAXIMUM_WAITING],
  });
  return rows.map((row) => ({
    id: row.id,
    href: proposalHref(row.id),
    fromName: row.source_name ?? "",
    toName: row.destination_name ?? "",
    changeInCents: row.destination_account_id === accountId ? row.amount_in_cents : -row.amount_in_cents,
    expiresAt: row.expires_at.toISOString(),
    destinationAccountId: row.destination_account_id,
  }));
}
