-- Adds the entries of a statement to the daily sums per pair of ledgers. Runs after entries_move_balances (triggers
-- fire in order of name), while the transaction holds both ledgers of each entry; two writers of one sum have therefore
-- queued on the ledgers already, and the rows of daily_flows cannot deadlock.
-- Locks the daily sums that it writes.
create or replace function remember_flows() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into daily_flows as f (organization_id, day, debit_ledger_id, credit_ledger_id, party, amount_in_cents)
    select e.organization_id, (e.booked_at at time zone o.time_zone)::date,
        case when back.is_undone then e.credit_ledger_id else e.debit_ledger_id end,
        case when back.is_undone then e.debit_ledger_id else e.credit_ledger_id end,
        -- Only entries that cross the organization's border need to look up their party.
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

create or replace trigger entries_remember_flows after insert on entries referencing new table as new_entries
  for each statement execute function remember_flows();
