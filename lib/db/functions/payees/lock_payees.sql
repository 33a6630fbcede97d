-- Locks the payees among these accounts FOR NO KEY UPDATE in id order until the commit, so that what an approver sees of
-- a payee is what is paid. Before them, where one of the accounts may cool off, what may leave to those that do
-- (lock_cool_off). The caller holds the ledgers.
create or replace function lock_payees(p_organization_id uuid, p_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  if exists (select from payees p where p.organization_id = p_organization_id and p.id = any (p_ids)) or exists (
      select from registered_accounts r where r.organization_id = p_organization_id and r.account_id = any (p_ids)) then
    perform lock_cool_off(p_organization_id);
  end if;
  perform 1 from payees p where p.organization_id = p_organization_id and p.id = any (p_ids)
    order by p.id for no key update;
end $$;

grant execute on function lock_payees to :"app_role";
