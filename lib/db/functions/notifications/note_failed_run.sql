-- Queues a notice in the transaction in which a live run fails or fails in part, however it came to that, unless
-- is_end_told says that none is needed. Locks nothing; the caller holds the run.
create or replace function note_failed_run() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_now timestamptz := coalesce(new.ended_at, new.created_at);
begin
  if is_end_told(new) then return null; end if;
  insert into notices (organization_id, id, kind, subject_id, api_key_id, created_at, due_at)
    values (new.organization_id, new_id(v_now), 'RULE_RUN_FAILED', new.id, new.rule_id, v_now, v_now);
  return null;
end $$;

-- A run beyond the maximum depth of a chain is inserted as failed.
create or replace trigger rule_executions_note_stillborn after insert on rule_executions for each row
  when (new.execution_mode = 'LIVE' and new.status in ('FAILED', 'PARTIAL'))
  execute function note_failed_run();
create or replace trigger rule_executions_note_failed after update of status on rule_executions for each row
  when (new.execution_mode = 'LIVE' and new.status in ('FAILED', 'PARTIAL') and old.status is distinct from new.status)
  execute function note_failed_run();
