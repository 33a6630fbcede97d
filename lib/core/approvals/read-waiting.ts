import type { NextProposalView } from "@/lib/contract/views/approval-view";
import type { Queryable } from "@/lib/platform/db/transaction";

interface WaitingRow {
  count: number;
  id: string | null;
  amount_in_cents: number | null;
  destination_name: string | null;
  expires_at: Date | null;
}

/** How many other proposals wait, and the one that closes soonest. `exceptId`: the one on the screen, or null. */
export async function readWaiting(
  database: Queryable,
  organizationId: string,
  exceptId: string | null,
  now: Date,
): Promise<{ count: number; next: NextProposalView | null }> {
  const { rows } = await database.query<WaitingRow>({
    name: "read_waiting",
    text: `
      with waiting as (
        select id, expires_at from proposals
         where organization_id = $1 and state = 'WAITING' and expires_at > $3 and id is distinct from $2)
      select (select count(*) from waiting)::int as count, t.id, t.amount_in_cents, d.name as destination_name,
          soonest.expires_at
        from (select 1) always
        left join (select * from waiting order by expires_at, id limit 1) soonest on true
        left join transfers t on t.organization_id = $1 and t.id = soonest.id
        left join accounts d on d.organization_id = $1 and d.id = t.destination_account_id`,
    values: [organizationId, exceptId, now],
  });
  const row = rows[0];
  if (!row || row.id === null || row.amount_in_cents === null || row.expires_at === null) {
    return { count: row?.count ?? 0, next: null };
  }
  return {
    count: row.count,
    next: {
      href: proposalHref(row.id),
      amountInCents: row.amount_in_cents,
      destinationName: row.destination_name ?? "",
      expiresAt: row.expires_at.toISOString(),
    },
  };
}

/** The approval screen, on this server. */
export function proposalHref(id: string): string {
  return `/?approvalTransferId=${id}`;
}
