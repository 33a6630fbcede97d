-- What rules know of these accounts: balances, floor, money on its way, terms of debts. For an outside account, what we
-- took since the provider's last report is subtracted from its available balance, and what we sent that the report cannot
-- show yet counts as on its way. Reads only open transfers, plus transfers outside since 5 days before the last report,
-- each from its own partial index.
-- Locks nothing; lock_facts calls it under its locks.
create or replace function read_account_facts(p_organization_id uuid, p_account_ids uuid[])
returns table (
  id uuid, name text, type text, "externalAccountType" text, "isClosed" boolean, "balanceInCents" bigint,
  "availableInCents" bigint, "floorInCents" bigint, "onItsWayInCents" bigint, "nextPaymentMinimumInCents" bigint,
  "lastStatementBalanceInCents" bigint, "interestRatePercentage" double precision
)
language sql stable security definer set search_path = public, pg_temp as $$
  -- Each branch matches one partial index and selects only columns that it holds, so that finished transfers are not
  -- read: an account may have a million of them.
  with open as (
    select destination_account_id, amount_in_cents from transfers
      where next_step in ('BOOK', 'FAIL') and organization_id = p_organization_id and fails_with is null
    union all
    select destination_account_id, amount_in_cents from transfers
      where next_step in ('SUBMIT', 'ASK') and organization_id = p_organization_id
    union all
    select destination_account_id, amount_in_cents from transfers
      where next_step = 'AWAIT' and organization_id = p_organization_id),
  on_its_way as materialized (
    select destination_account_id, sum(amount_in_cents)::bigint as amount_in_cents from open
     where destination_account_id = any (p_account_ids) group by 1),
  brought as materialized (
    select s.destination_account_id, s.id, s.amount_in_cents, s.completed_at >= b.refreshed_at as is_since
      from provider_balances b
      join transfers s on s.organization_id = b.organization_id and s.destination_account_id = b.account_id
       and s.direction <> 'INTERNAL' and s.execution_mode = 'LIVE' and s.status = 'COMPLETE'
       and s.completed_at >= b.refreshed_at - interval '5 days'
     where b.organization_id = p_organization_id and b.account_id = any (p_account_ids)),
  -- Settled after the provider's last report, or within the 5 days before it and in no movement that the provider has
  -- shown: a report may lag behind, and not counting it would pay twice.
  unseen as materialized (
    select destination_account_id, sum(amount_in_cents)::bigint as amount_in_cents from brought
     where is_since
        -- Read once and hashed: probing the index for each of thousands of transfers took most of the function's time.
        or (id, destination_account_id) not in (
          select x.transfer_id, x.account_id from external_transactions x
           where x.organization_id = p_organization_id and x.transfer_id >= (
             select id from brought where not is_since order by id limit 1)
             and x.direction = 'MONEY_IN' and x.status = 'COMPLETE' and x.vanished_at is null)
     group by 1)
  select a.id, a.name, a.type, a.external_account_type, a.deleted_at is not null,
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
    from accounts a
    left join ledgers l on l.organization_id = a.organization_id and l.id = a.id
    left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id
    left join on_its_way o on o.destination_account_id = a.id
    left join unseen u on u.destination_account_id = a.id
   where a.organization_id = p_organization_id and a.id = any (p_account_ids)
$$;

grant execute on function read_account_facts to :"app_role";
