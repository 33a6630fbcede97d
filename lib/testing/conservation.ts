import type { TestDatabase } from "@/lib/testing/database";

/** The state of the books, computed only from the entries. */
interface BooksReport {
  /** Ledgers whose balance differs from the sum of their entries or daily flows. */
  wrongLedgers: string[];
  /** Managed accounts below zero without a bank's return or a card network's settlement. */
  negative: string[];
  /** Holds without a transfer or card authorization, or the reverse. */
  wrongHolds: string[];
  /** Card transactions without an entry of their amount, direction and pod; entries without their cause. */
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
                 where organization_id = $1 and account_id = l.id), 0)
             + coalesce((select sum(s.hold_in_cents) from bank_settlements s
                 join transfers t on t.organization_id = $1 and t.id = s.transfer_id
                 where s.organization_id = $1 and t.destination_account_id = l.id), 0) as holds
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

/** A transfer for which the bank, the books and its status disagree. */
interface Disagreement {
  transferId: string;
  status: string | null;
  booked: number;
  bookedBack: number;
  isSettled: boolean;
  isReturned: boolean;
}

/**
 * Compares what the sandbox bank knows with what was booked, for one organization in which everything has ended. Each
 * settled order has exactly one entry of its amount, each later return exactly one reversing entry; everything else has
 * none. Between managed accounts only the status says whether there is an entry.
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
