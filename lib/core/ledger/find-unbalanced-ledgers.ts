import type { Queryable } from "@/lib/db/transaction";

interface UnbalancedLedger {
  organizationId: string;
  ledgerId: string;
}

const MAXIMUM_REPORTED = 10;

/**
 * The first ten ledgers, across organizations, whose balance differs from the sum of their entries, or whose holds differ
 * from those of their transfers, card authorizations and pulls that are not available yet. Sums all entries: for the operator, not for a request.
 * @param owner connected as the owner of the database
 */
export async function findUnbalancedLedgers(owner: Queryable): Promise<UnbalancedLedger[]> {
  const { rows } = await owner.query<UnbalancedLedger>({
    name: "find_unbalanced_ledgers",
    text: `
      with sides as (
        select organization_id, debit_ledger_id as id, sum(amount_in_cents) as debits, 0::numeric as credits, 0::numeric as held
          from entries group by 1, 2
        union all
        select organization_id, credit_ledger_id, 0, sum(amount_in_cents), 0 from entries group by 1, 2
        union all
        select organization_id, source_account_id, 0, 0, sum(hold_in_cents) from transfers where hold_in_cents > 0 group by 1, 2
        union all
        select organization_id, account_id, 0, 0, sum(hold_in_cents) from card_authorizations where hold_in_cents > 0
          group by 1, 2
        union all
        select s.organization_id, t.destination_account_id, 0, 0, sum(s.hold_in_cents)
          from bank_settlements s join transfers t on t.organization_id = s.organization_id and t.id = s.transfer_id
         where s.hold_in_cents > 0 group by 1, 2),
      sums as (
        select organization_id, id, sum(debits) as debits, sum(credits) as credits, sum(held) as held
          from sides group by 1, 2)
      select coalesce(l.organization_id, s.organization_id) as "organizationId", coalesce(l.id, s.id) as "ledgerId"
        from ledgers l full join sums s on s.organization_id = l.organization_id and s.id = l.id
       where l.debits_in_cents is distinct from coalesce(s.debits, 0)
          or l.credits_in_cents is distinct from coalesce(s.credits, 0)
          or l.held_in_cents is distinct from coalesce(s.held, 0)
       limit ${MAXIMUM_REPORTED}`,
  });
  return rows;
}
