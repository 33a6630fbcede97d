-- Emits card_transaction.changed for new card transactions, once per statement. Locks nothing.
create or replace function emit_for_card_transactions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform emit_events('card_transaction.changed', array_agg(n.organization_id), array_agg(n.id),
      array_agg(n.completed_at))
    from new_card_transactions n having count(*) > 0;
  return null;
end $$;

create or replace trigger card_transactions_emit_new after insert on card_transactions referencing new table as new_card_transactions
  for each statement execute function emit_for_card_transactions();
