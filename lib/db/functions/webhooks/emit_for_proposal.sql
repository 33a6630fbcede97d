-- Emits proposal.changed for a new proposal of a transfer, a run or the deactivation of a rule, and for its decision or
-- end. Locks nothing.
create or replace function emit_for_proposal() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if is_event_asked(new.organization_id, 'proposal.changed') then
    perform emit_asked_event('proposal.changed', new.organization_id, new.id, coalesce(new.decided_at, new.created_at));
  end if;
  return null;
end $$;

create or replace trigger proposals_emit_new after insert on proposals for each row execute function emit_for_proposal();
create or replace trigger proposals_emit_state after update of state on proposals for each row
  when (new.state is distinct from old.state) execute function emit_for_proposal();
create or replace trigger rule_deactivation_proposals_emit_new after insert on rule_deactivation_proposals for each row
  execute function emit_for_proposal();
create or replace trigger rule_deactivation_proposals_emit_state after update of state on rule_deactivation_proposals
  for each row when (new.state is distinct from old.state) execute function emit_for_proposal();
