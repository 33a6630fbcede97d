-- Emits external_transaction.changed when a transaction outside settles. Locks nothing.
create or replace function emit_for_external_transaction() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform emit_events('external_transaction.changed', array[new.organization_id], array[new.id],
    array[new.updated_at]);
  return null;
end $$;

create or replace trigger external_transactions_emit_settled after update of status on external_transactions for each row
  when (new.status = 'COMPLETE' and old.status is distinct from new.status)
  execute function emit_for_external_transaction();
