-- Trigger: no path accepts a payment out above the organization's cap, whatever it checked before (outgoing_problem, or
-- the room that a plan was made with). Raises check_violation.
-- Locks as lock_outgoing does, which the caller has done already.
create or replace function cap_outgoing() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_cap bigint := outgoing_cap(new.organization_id);
begin
  if v_cap is null then return new; end if;
  perform lock_outgoing(array[new.organization_id]);
  if outgoing_used(new.organization_id, new.accepted_at) + new.amount_in_cents > v_cap then
    raise exception 'transfer % would exceed the outgoing cap of organization %', new.id, new.organization_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace trigger transfers_cap_outgoing_new before insert on transfers for each row
  when (new.next_step = 'SUBMIT' and new.direction = 'MONEY_OUT') execute function cap_outgoing();
create or replace trigger transfers_cap_outgoing before update of next_step on transfers for each row
  when (new.next_step = 'SUBMIT' and old.next_step is distinct from 'SUBMIT' and new.direction = 'MONEY_OUT')
  execute function cap_outgoing();
