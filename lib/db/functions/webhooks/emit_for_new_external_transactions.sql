-- Emits external_transaction.changed for new transactions outside, once per statement. Locks nothing.
create or replace function emit_for_new_external_transactions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform emit_events('external_transaction.changed', array_agg(n.organization_id), array_agg(n.id),
      array_agg(n.created_at))
    from new_external_transactions n having count(*) > 0;
  return null;
end $$;

create or replace trigger external_transactions_emit_new after insert on external_transactions
  referencing new table as new_external_transactions
  for each statement execute function emit_for_new_external_transactions();
