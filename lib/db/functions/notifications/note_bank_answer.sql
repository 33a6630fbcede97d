-- Queues a notice when the bank returns or refuses a live transfer. Trigger argument: the kind of notice. api_key_id
-- groups notices into one digest; here it is the organization. Locks nothing; the caller holds the transfer.
create or replace function note_bank_answer() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into notices (organization_id, id, kind, subject_id, api_key_id, created_at, due_at)
    values (new.organization_id, new_id(new.updated_at), tg_argv[0], new.id, new.organization_id, new.updated_at,
      new.updated_at);
  return null;
end $$;

create or replace trigger transfers_note_returned after update of status on transfers for each row
  when (new.execution_mode = 'LIVE' and new.status = 'RETURNED' and old.status is distinct from new.status)
  execute function note_bank_answer('TRANSFER_RETURNED');
create or replace trigger transfers_note_refused after update of status on transfers for each row
  when (new.execution_mode = 'LIVE' and new.status = 'FAILED' and old.status is distinct from new.status
    and (new.error_code is null or new.error_code like 'ACH\_%'))
  execute function note_bank_answer('TRANSFER_REFUSED');
