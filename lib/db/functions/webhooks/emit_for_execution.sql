-- Emits rule_execution.changed for a new live run and for every change of its status;
-- its event is of the latest moment that the run records. Locks nothing.
create or replace function emit_for_execution() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if is_event_asked(new.organization_id, 'rule_execution.changed') then
    perform emit_asked_event('rule_execution.changed', new.organization_id, new.id,
      greatest(new.created_at, new.planned_at, new.ended_at,
        (select p.decided_at from proposals p where p.organization_id = new.organization_id and p.id = new.id)));
  end if;
  return null;
end $$;

create or replace trigger rule_executions_emit_new after insert on rule_executions for each row
  when (new.execution_mode = 'LIVE') execute function emit_for_execution();
create or replace trigger rule_executions_emit_status after update of status on rule_executions for each row
  when (new.status is distinct from old.status and new.execution_mode = 'LIVE') execute function emit_for_execution();
