-- Locks both ledgers of an entry FOR UPDATE in id order, before the foreign keys are checked: two bookings on one
-- ledger would otherwise both hold the foreign key's share lock and deadlock when they update the balance.
-- A statement with several entries locks all of its ledgers beforehand (lock_facts): entry by entry they are not in
-- order.
create or replace function lock_entry_ledgers() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from ledgers
    where organization_id = new.organization_id and id in (new.debit_ledger_id, new.credit_ledger_id)
    order by id for update;
  return new;
end $$;

create or replace trigger entries_lock_ledgers before insert on entries for each row execute function lock_entry_ledgers();
