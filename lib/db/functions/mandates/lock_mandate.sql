-- Keeps a mandate as it is until the commit: nobody else uses, ends or signs it until then.
-- Locks the mandate FOR UPDATE; the caller holds the organization and the key.
create or replace function lock_mandate(p_organization_id uuid, p_id uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  select from mandates where organization_id = p_organization_id and id = p_id for update
$$;

grant execute on function lock_mandate to :"app_role";
