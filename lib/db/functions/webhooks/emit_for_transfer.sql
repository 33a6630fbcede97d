-- Emits transfer.changed for a new live transfer and for every change of its status. Simulations emit nothing
-- (decisions page, "Transfer"). A transfer that is booked as it is accepted gets both its events from create_transfers
-- (emit_booked_transfers); a new complete one of a rule has but one. Locks nothing.
create or replace function emit_for_transfer() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Checked here too: most organizations have no endpoint, and this costs a transfer 9 to 17 us instead of the 50 us
  -- that emit_events takes to find out.
  if exists (
    select from webhook_endpoints e where e.organization_id = new.organization_id and e.status <> 'DELETED') then
    perform emit_events('transfer.changed', array[new.organization_id], array[new.id],
      array[case tg_op when 'INSERT' then new.created_at else new.updated_at end]);
  end if;
  return null;
end $$;

create or replace trigger transfers_emit_new after insert on transfers for each row
  when (new.execution_mode = 'LIVE' and (new.status <> 'COMPLETE' or new.origin <> 'API')) execute function emit_for_transfer();
create or replace trigger transfers_emit_status after update of status on transfers for each row
  when (new.status is distinct from old.status and new.execution_mode = 'LIVE') execute function emit_for_transfer();
