-- What keeps connections refreshed, and what the application may write of the world outside. None of it is our books:
-- it is what a provider said, and may be said anew.

-- While an error is set the specification wants no balance; what was known before it is kept here, for people.
alter table provider_balances
  add column last_known_balance_in_cents bigint,
  add column last_known_available_in_cents bigint;

alter table external_transactions
  -- The provider's own fine category (Plaid's «personal finance category», e.g. LOAN_PAYMENTS_CREDIT_CARD_PAYMENT): tells
  -- income, moves between own accounts, debt payments and kinds of fees apart, which the eight buckets do not.
  add column provider_category text check (length(provider_category) <= 100),
  -- Institutions take back posted transactions too (a correction, a duplicate of theirs), not only pending ones.
  drop constraint external_transactions_check;

-- Lists filter by direction and status, and read pages of ids from these alone.
drop index external_transactions_by_date;
drop index external_transactions_by_account;
create index external_transactions_by_date
  on external_transactions (organization_id, transaction_date desc, id desc) include (direction, status)
  where vanished_at is null;
create index external_transactions_by_account
  on external_transactions (organization_id, account_id, transaction_date desc, id desc) include (direction, status)
  where vanished_at is null;

-- A transfer has one other side, and where it was returned one movement back.
create unique index external_transactions_by_transfer
  on external_transactions (organization_id, transfer_id, direction) where transfer_id is not null;

-- Disconnected here and not yet at the provider.
create index connections_to_remove on connections (organization_id, id)
  where status = 'DISCONNECTED' and sealed_access_token is not null;

grant insert on connections, external_transactions to :"app_role";
grant update (status, error_code, sealed_access_token, cursor, last_refreshed_at, refresh_due_at, attempts, leased_until)
  on connections to :"app_role";
grant update (provider_transaction_id, amount_in_cents, direction, status, description, transaction_date, merchant_name,
    category, provider_category, transfer_id, updated_at, vanished_at)
  on external_transactions to :"app_role";

-- Finds the other side of our own transfers among the movements on these accounts since p_since: same account, amount
-- and direction, at most five days apart, the closest in time first, each transfer once (and, returned, once back).
-- Looks again at what found nothing before: a transfer may be returned after the institution has shown it.
create function match_own_transfers(p_organization_id uuid, p_account_ids uuid[], p_since timestamptz)
returns table (external_transaction_id uuid, transfer_id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_pair record;
  -- UUIDv7: ids made before this moment sort before it, so that old transfers are not read. A return may come 60
  -- banking days after the settlement.
  v_first_id uuid := (lpad(to_hex((extract(epoch from p_since - interval '100 days') * 1000)::bigint), 12, '0')
    || '70008000000000000000')::uuid;
begin
  for v_pair in
    with candidates as materialized (
      select t.id, side.account_id, t.amount_in_cents, side.direction, side.moved_at
        from unnest(p_account_ids) as account(id)
        cross join lateral (
          select * from transfers s
            where s.organization_id = p_organization_id and s.source_account_id = account.id
              and s.execution_mode = 'LIVE' and s.id >= v_first_id and s.status in ('PROCESSING', 'COMPLETE', 'RETURNED')
          union all
          select * from transfers d
            where d.organization_id = p_organization_id and d.destination_account_id = account.id
              and d.execution_mode = 'LIVE' and d.id >= v_first_id and d.status in ('PROCESSING', 'COMPLETE', 'RETURNED')
        ) as t
        cross join lateral (values
          (account.id, case when t.source_account_id = account.id then 'MONEY_OUT' else 'MONEY_IN' end, true,
           coalesce(t.completed_at, t.expected_completion_date::timestamptz, t.accepted_at)),
          (account.id, case when t.source_account_id = account.id then 'MONEY_IN' else 'MONEY_OUT' end,
           t.status = 'RETURNED', t.updated_at)
        ) as side(account_id, direction, is_seen, moved_at)
        where side.is_seen)
    select x.id as external_id, c.id as candidate_id, x.direction
      from external_transactions x
      join candidates c on c.account_id = x.account_id and c.amount_in_cents = x.amount_in_cents
        and c.direction = x.direction
        and x.transaction_date between c.moved_at - interval '5 days' and c.moved_at + interval '5 days'
      where x.organization_id = p_organization_id and x.account_id = any (p_account_ids)
        and x.transaction_date >= p_since and x.transfer_id is null and x.vanished_at is null
      order by abs(extract(epoch from x.transaction_date - c.moved_at)), x.id, c.id
  loop
    update external_transactions x set transfer_id = v_pair.candidate_id
      where x.organization_id = p_organization_id and x.id = v_pair.external_id and x.transfer_id is null
        and not exists (
          select from external_transactions taken
            where taken.organization_id = p_organization_id and taken.transfer_id = v_pair.candidate_id
              and taken.direction = v_pair.direction);
    if found then
      external_transaction_id := v_pair.external_id;
      transfer_id := v_pair.candidate_id;
      return next;
    end if;
  end loop;
end $$;

grant execute on function match_own_transfers(uuid, uuid[], timestamptz) to :"app_role";
