-- Locks the payees among these accounts FOR NO KEY UPDATE in id order until the commit, so that what an approver sees of
-- a payee is what is paid. The caller holds the ledgers.
create or replace function lock_payees(p_organization_id uuid, p_ids uuid[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  select from payees where organization_id = p_organization_id and id = any (p_ids) order by id for no key update
$$;

grant execute on function lock_payees to :"app_role";
