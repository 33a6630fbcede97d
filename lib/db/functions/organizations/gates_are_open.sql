-- Whether money may move. An answer of true holds until the commit: a closing waits for every transaction that got it.
-- From the moment a closing waits, the answer is false.
-- Tries the shared advisory lock of the gates and never waits, so it may be called while any lock is held.
-- Volatile and in two statements, so that the second sees a closing that committed just before it released the lock.
create or replace function gates_are_open(p_organization_id uuid) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock_shared(gate_lock(p_organization_id)) then return false; end if;
  return not exists (select from gate_closings g where g.organization_id = p_organization_id and g.opened_at is null);
end $$;

grant execute on function gates_are_open to :"app_role";
