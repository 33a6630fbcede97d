-- Emits rule.changed for a new rule, a new or discarded version, and when it is activated, paused, resumed, stopped or
-- deleted; not when a schedule only moves on. Locks nothing.
create or replace function emit_for_rule() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if is_event_asked(new.organization_id, 'rule.changed') then
    perform emit_asked_event('rule.changed', new.organization_id, new.id, new.updated_at);
  end if;
  return null;
end $$;

create or replace trigger rules_emit_new after insert on rules for each row execute function emit_for_rule();
create or replace trigger rules_emit_change after update of latest_version, active_version, paused_at, deleted_at on rules
  for each row when ((new.latest_version, new.active_version, new.paused_at, new.deleted_at)
    is distinct from (old.latest_version, old.active_version, old.paused_at, old.deleted_at))
  execute function emit_for_rule();
