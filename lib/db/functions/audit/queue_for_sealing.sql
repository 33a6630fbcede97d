-- Queues every new audit entry for sealing. A trigger, so that no code path that writes entries can skip it. Locks
-- nothing.
create or replace function queue_for_sealing() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_unsealed (written_at, organization_id, id)
    select clock_timestamp(), e.organization_id, e.id from written e;
  return null;
end $$;

create or replace trigger audit_entries_to_seal after insert on audit_entries
  referencing new table as written for each statement execute function queue_for_sealing();
