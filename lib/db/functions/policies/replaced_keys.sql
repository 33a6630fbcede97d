-- These keys, and those that they replaced one after the other: a program that got a new key is the same program.
-- Locks nothing.
create or replace function replaced_keys(p_organization_id uuid, p_key_ids uuid[]) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  with recursive line as (
    select k.id from api_keys k where k.organization_id = p_organization_id and k.id = any (p_key_ids)
    union
    select k.id from line join api_keys k on k.organization_id = p_organization_id and k.replaced_by = line.id)
  select line.id from line
$$;

grant execute on function replaced_keys to :"app_role";
