import type { TestDatabase } from "@/lib/testing/database";

/** What the books say of themselves, added up from the entries alone. */
export interface BooksReport {
  /** Ledgers whose balance is not what their entries, or their daily flows, add up to. */
  wrongLedgers: string[];
  /** Managed accounts below zero without a bank's return or a card network's settlement. */
  negative: string[];
  /** Holds that no transfer and no card authorization explains, or the reverse. */
  wrongHolds: string[];
  /** Card transactions without an entry of their amount, in their direction, on their pod; entries without their cause. */
  unbookedCauses: string[];
  managedInCents: number;
  cameInInCents: number;
  wentOutInCents: number;
}

/** Reads the whole books of one organization as an auditor would, from entries, not from balances. */
export async function auditBooks(
  database: Pick<TestDatabase, "ownerPool">,
  organizationId: string,
): Promise<BooksReport> {
  const { rows } = await database.ownerPool.query(
    `with sums as (
       select l.id, l.kind, l.credits_in_cents - l.debits_in_cents as balance, l.held_in_cents as held,
           l.return_shortfall_in_cents as shortfall,
           coalesce((select sum(amount_in_cents) from entries where organization_id = $1 and credit_ledger_id = l.id), 0)
             - coalesce((select sum(amount_in_cents) from entries where organization_id = $1 and debit_ledger_id = l.id), 0)
             as entries,
           coalesce((select sum(amount_in_cents) from daily_flows where organization_id = $1 and credit_ledger_id = l.id), 0)
             - coalesce((select sum(amount_in_cents) from daily_flows where organization_id = $1 and debit_ledger_id = l.id), 0)
             as flows,
           coalesce((select sum(hold_in_cents) from transfers where organization_id = $1 and source_account_id = l.id), 0)
             + coalesce((select sum(hold_in_cents) from card_authorizations
                 where organization_id = $1 and account_id = l.id), 0) as holds
         from ledgers l where l.organization_id = $1),
     unbooked as (
       select coalesce(t.id, e.id) as id
         from (select * from card_transactions where organization_id = $1) t
         full join (select * from entries where organization_id = $1 and kind = 'CARD') e
           on e.card_transaction_id = t.id and e.amount_in_cents = t.amount_in_cents
          and t.account_id = case when t.subtype = 'PURCHASE' then e.debit_ledger_id else e.credit_ledger_id end
        where t.id is null or e.id is null
       union all
       select e.id from entries e left join transfers t on t.organization_id = $1 and t.id = e.transfer_id
        where e.organization_id = $1 and e.kind <> 'CARD' and t.amount_in_cents is distinct from e.amount_in_cents)
     select
       (select coalesce(json_agg(id), '[]') from sums where balance <> entries or balance <> flows) as "wrongLedgers",
       (select coalesce(json_agg(id), '[]') from sums where kind = 'MANAGED' and balance < 0 and shortfall = 0) as negative,
       (select coalesce(json_agg(id), '[]') from sums where kind = 'MANAGED' and held <> holds) as "wrongHolds",
       (select coalesce(json_agg(id), '[]') from unbooked) as "unbookedCauses",
       (select coalesce(sum(balance), 0)::bigint from sums where kind = 'MANAGED') as "managedInCents",
       (select coalesce(sum(e.amount_in_cents), 0)::bigint from entries e join sums s on s.id = e.debit_ledger_id
         where e.organization_id = $1 and s.kind = 'CLEARING') as "cameInInCents",
       (select coalesce(sum(e.amount_in_cents), 0)::bigint from entries e join sums s on s.id = e.credit_ledger_id
         where e.organization_id = $1 and s.kind = 'CLEARING') as "wentOutInCents"`,
    [organizationId],
  );
  return rows[0];
}
