-- Emits payee.changed for what happens to a payee, and proposal.changed for one that a program proposed. Locks nothing.
create or replace function emit_for_payee() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if is_event_asked(new.organization_id, 'payee.changed') then
    perform emit_asked_event('payee.changed', new.organization_id, new.payee_id, new.at);
  end if;
  if new.kind in ('PROPOSED', 'CONFIRMED', 'REMOVED') and is_event_asked(new.organization_id, 'proposal.changed') then
    perform emit_asked_event('proposal.changed', p.organization_id, p.id, new.at) from payees p
      where p.organization_id = new.organization_id and p.id = new.payee_id and p.proposed_by_kind = 'API_KEY'
        and (new.kind <> 'CONFIRMED' or new.version = 1) and (new.kind <> 'REMOVED' or p.version = 0);
  end if;
  return null;
end $$;

create or replace trigger payee_events_emit after insert on payee_events for each row execute function emit_for_payee();
