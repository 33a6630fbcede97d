-- What flowed between each two ledgers on each day, for the overview: a month of a busy organization is a million
-- entries, and a page that adds them up is slow however good its index. Kept by the statement that books, so that it
-- never disagrees with the books; nothing that moves money reads it.

create table daily_flows (
  organization_id  uuid not null references organizations (id),
  -- In the time zone that the organization had when it was booked.
  day              date not null,
  debit_ledger_id  uuid not null,
  credit_ledger_id uuid not null,
  -- Who is on the other side of the border: 'account:<id>', 'name:<as the bank says>', or 'card' for all that cards
  -- spend and get. Empty between two managed accounts.
  party            text not null,
  -- A return, or a card's refund, is taken off what it undoes, so it can fall below zero.
  amount_in_cents  bigint not null,
  primary key (organization_id, day, debit_ledger_id, credit_ledger_id, party)
) with (fillfactor = 70);

create function flow_party(p_organization_id uuid, p_transfer_id uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(
      'account:' || case when t.direction = 'MONEY_IN' then t.source_account_id else t.destination_account_id end,
      'name:' || coalesce(btrim(t.counterparty_name), ''))
    from transfers t where t.organization_id = p_organization_id and t.id = p_transfer_id
$$;

-- Whether an entry takes back what an earlier one moved.
create function undoes(p_kind text, p_organization_id uuid, p_card_transaction_id uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select p_kind = 'RETURN' or p_kind = 'CARD' and exists (
    select from card_transactions c
     where c.organization_id = p_organization_id and c.id = p_card_transaction_id and c.subtype = 'REFUND')
$$;

-- Runs after `entries_move_balances` (triggers go by name), which has both ledgers of each entry locked: whoever writes
-- the same flow waited for them, so the rows of this table are never waited for in two orders.
create function remember_flows() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into daily_flows as f (organization_id, day, debit_ledger_id, credit_ledger_id, party, amount_in_cents)
    select e.organization_id, (e.booked_at at time zone o.time_zone)::date,
        case when back.is_undone then e.credit_ledger_id else e.debit_ledger_id end,
        case when back.is_undone then e.debit_ledger_id else e.credit_ledger_id end,
        -- Only the few that cross the border look at what they are about.
        case when e.kind = 'CARD' then 'card'
          when o.clearing_ledger_id in (e.debit_ledger_id, e.credit_ledger_id)
            then coalesce(flow_party(e.organization_id, e.transfer_id), 'name:')
          else '' end,
        sum(case when back.is_undone then -e.amount_in_cents else e.amount_in_cents end)
      from new_entries e
      join organizations o on o.id = e.organization_id
      cross join lateral (
        select case when e.kind = 'TRANSFER' then false
          else undoes(e.kind, e.organization_id, e.card_transaction_id) end as is_undone) back
     group by 1, 2, 3, 4, 5
  on conflict (organization_id, day, debit_ledger_id, credit_ledger_id, party)
    do update set amount_in_cents = f.amount_in_cents + excluded.amount_in_cents;
  return null;
end $$;
create trigger entries_remember_flows after insert on entries referencing new table as new_entries
  for each statement execute function remember_flows();

-- What was booked before this migration.
insert into daily_flows (organization_id, day, debit_ledger_id, credit_ledger_id, party, amount_in_cents)
  select e.organization_id, (e.booked_at at time zone o.time_zone)::date,
      case when back.is_undone then e.credit_ledger_id else e.debit_ledger_id end,
      case when back.is_undone then e.debit_ledger_id else e.credit_ledger_id end,
      case when e.kind = 'CARD' then 'card'
        when o.clearing_ledger_id in (e.debit_ledger_id, e.credit_ledger_id)
          then coalesce(flow_party(e.organization_id, e.transfer_id), 'name:')
        else '' end,
      sum(case when back.is_undone then -e.amount_in_cents else e.amount_in_cents end)
    from entries e
    join organizations o on o.id = e.organization_id
    cross join lateral (
      select case when e.kind = 'TRANSFER' then false
        else undoes(e.kind, e.organization_id, e.card_transaction_id) end as is_undone) back
   group by 1, 2, 3, 4, 5;

grant select on daily_flows to :"app_role";
