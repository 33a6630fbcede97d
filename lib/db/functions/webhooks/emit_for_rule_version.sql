-- Emits proposal.changed for a version of a rule that a program wrote. Locks nothing.
create or replace function emit_for_rule_version() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if is_event_asked(new.organization_id, 'proposal.changed') then
    perform emit_asked_event('proposal.changed', new.organization_id, new.proposal_id, new.created_at);
  end if;
  return null;
end $$;

create or replace trigger rule_versions_emit_new after insert on rule_versions for each row
  when (new.proposal_id is not null) execute function emit_for_rule_version();
