-- Emits proposal.changed when a member activates or discards a version that a program wrote. Locks nothing.
create or replace function emit_for_rule_event() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if is_event_asked(new.organization_id, 'proposal.changed') then
    perform emit_asked_event('proposal.changed', v.organization_id, v.proposal_id, new.at) from rule_versions v
      where v.organization_id = new.organization_id and v.rule_id = new.rule_id and v.version = new.version
        and v.proposal_id is not null;
  end if;
  return null;
end $$;

create or replace trigger rule_events_emit_decision after insert on rule_events for each row
  when (new.kind in ('ACTIVATED', 'DISCARDED')) execute function emit_for_rule_event();
