-- What rules know of these accounts, one row for each pair of organization and account: balances, floor, money on its
-- way, terms of debts. For an outside account, what we took since the provider's last report is subtracted from its
-- available balance, and what we sent that the report cannot show yet counts as on its way. Reads only open transfers, plus
-- transfers outside since 5 days before the last report, each from its own partial index, once for all organizations.
-- Locks nothing; lock_facts calls it under its locks.
create or replace function read_facts_of_accounts(p_organization_ids uuid[], p_account_ids uuid[])
returns table (
  organization_id uuid, id uuid, name text, type text, "externalAccountType" text, "isClosed" boolean,
  "balanceInCents" bigint, "availableInCents" bigint, "floorInCents" bigint, "onItsWayInCents" bigint,
  "nextPaymentMinimumInCents" bigint, "lastStatementBalanceInCents" bigint, "interestRatePercentage" double precision
)
language sql stable security definer set search_path = public, pg_temp as $$
  with asked as materialized (
    select distinct o as organization_id, i as id from unnest(p_organization_ids, p_account_ids) as a (o, i)),
  -- Each branch matches one partial index and selects only columns that it holds, so that finished transfers are not
  -- read: an account may have a million of them.
  open as (
    select organization_id, destination_account_id, amount_in_cents from transfers
      where next_step in ('BOOK', 'FAIL') and organization_id = any (p_organization_ids) and fails_with is null
    union all
    select organization_id, destination_account_id, amount_in_cents from transfers
      where next_step in ('SUBMIT', 'ASK') and organization_id = any (p_organization_ids)
    union all
    select organization_id, destination_account_id, amount_in_cents from transfers
      where next_step = 'AWAIT' and organization_id = any (p_organization_ids)),
  on_its_way as materialized (
    select organization_id, destination_account_id, sum(amount_in_cents)::bigint as amount_in_cents from open
     where destination_account_id = any (p_account_ids) group by 1, 2),
  brought as materialized (
    select s.organization_id, s.destination_account_id, s.id, s.amount_in_cents,
        s.completed_at >= b.refreshed_at as is_since
      from asked
      join provider_balances b on b.organization_id = asked.organization_id and b.account_id = asked.id
      join transfers s on s.organization_id = b.organization_id and s.destination_account_id = b.account_id
       and s.direction <> 'INTERNAL' and s.execution_mode = 'LIVE' and s.status = 'COMPLETE'
       and s.completed_at >= b.refreshed_at - interval '5 days'),
  -- Settled after the provider's last report, or within the 5 days before it and in no movement that the provider has
  -- shown: a report may lag behind, and not counting it would pay twice.
  unseen as materialized (
    select organization_id, destination_account_id, sum(amount_in_cents)::bigint as amount_in_cents from brought
     where is_since
        -- Read once and hashed: probing the index for each of thousands of transfers took most of the function's time.
        or (organization_id, id, destination_account_id) not in (
          select x.organization_id, x.transfer_id, x.account_id from external_transactions x
           where x.organization_id = any (p_organization_ids) and x.transfer_id >= (
             select id from brought where not is_since order by id limit 1)
             and x.direction = 'MONEY_IN' and x.status = 'COMPLETE' and x.vanished_at is null)
     group by 1, 2)
  select a.organization_id, a.id, a.name, a.type, a.external_account_type, a.deleted_at is not null,
      coalesce(l.credits_in_cents - l.debits_in_cents, p.balance_in_cents),
      coalesce(l.credits_in_cents - l.debits_in_cents - l.held_in_cents, case when p.refreshed_at is not null then
        coalesce(p.available_balance_in_cents, p.balance_in_cents) - (
          select coalesce(sum(pulled.amount_in_cents), 0)::bigint from transfers pulled
            where pulled.organization_id = a.organization_id and pulled.source_account_id = a.id
              and pulled.direction <> 'INTERNAL' and pulled.execution_mode = 'LIVE'
              and pulled.accepted_at >= p.refreshed_at and pulled.status in ('PROCESSING', 'COMPLETE')) end),
      a.floor_in_cents,
      coalesce(o.amount_in_cents, 0) + coalesce(u.amount_in_cents, 0),
      p.next_payment_minimum_in_cents, p.last_statement_balance_in_cents,
      p.interest_rate_percentage::double precision
    from asked
    join accounts a on a.organization_id = asked.organization_id and a.id = asked.id
    left join ledgers l on l.organization_id = a.organization_id and l.id = a.id
    left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id
    left join on_its_way o on o.organization_id = a.organization_id and o.destination_account_id = a.id
    left join unseen u on u.organization_id = a.organization_id and u.destination_account_id = a.id
$$;

grant execute on function read_facts_of_accounts to :"app_role";
