import type { TestDatabase } from "@/lib/testing/database";

/** One transfer of which the bank, the books and the state do not tell the same story. */
export interface Disagreement {
  transferId: string;
  status: string | null;
  booked: number;
  bookedBack: number;
  isSettled: boolean;
  isReturned: boolean;
}

/**
 * Compares what the sandbox bank knows with what was booked, for one organization in which everything has ended. To
 * each settled order belongs exactly one entry of its amount, to each return after it exactly one entry back; to
 * anything else none. Between managed accounts the state alone says whether there is an entry.
 */
export async function findDisagreements(
  { ownerPool }: Pick<TestDatabase, "ownerPool">,
  organizationId: string,
): Promise<Disagreement[]> {
  const { rows } = await ownerPool.query<Disagreement>(
    `with bank as (
       select o.transfer_id, o.amount_in_cents, case o.direction when 'CREDIT' then 'MONEY_OUT' else 'MONEY_IN' end
           as direction,
           coalesce(bool_or(n.kind = 'SETTLED'), false) as settled,
           coalesce(bool_or(n.kind = 'RETURNED'), false) as returned
         from sandbox_bank_orders o left join sandbox_bank_notices n using (organization_id, transfer_id)
        where o.organization_id = $1
        group by o.organization_id, o.transfer_id),
     booked as (
       select transfer_id, count(*) filter (where kind = 'TRANSFER')::int as transfers,
           count(*) filter (where kind = 'RETURN')::int as returns,
           min(amount_in_cents) as least, max(amount_in_cents) as most
         from entries where organization_id = $1 group by transfer_id),
     stories as (
       select coalesce(t.id, bank.transfer_id) as id, t.status, t.direction, t.amount_in_cents,
           bank.direction as bank_direction, bank.amount_in_cents as bank_amount,
           case when t.direction = 'INTERNAL' then t.status = 'COMPLETE' else coalesce(bank.settled, false) end
             as settled,
           coalesce(bank.returned, false) as returned,
           coalesce(booked.transfers, 0) as transfers, coalesce(booked.returns, 0) as returns,
           coalesce(booked.least, t.amount_in_cents) as least, coalesce(booked.most, t.amount_in_cents) as most
         from (select * from transfers where organization_id = $1 and proposed_by_kind <> 'BANK') t
         full join bank on bank.transfer_id = t.id
         left join booked on booked.transfer_id = coalesce(t.id, bank.transfer_id))
     select id as "transferId", status, transfers as booked, returns as "bookedBack", settled as "isSettled",
         returned as "isReturned"
       from stories
      where status is null
         or bank_amount <> amount_in_cents or bank_direction <> direction
         or least <> amount_in_cents or most <> amount_in_cents
         or transfers <> settled::int
         or returns <> (settled and returned)::int
         or (status = 'COMPLETE') <> (settled and not returned)
         or (status = 'RETURNED') <> (settled and returned)`,
    [organizationId],
  );
  return rows;
}
