-- Locks these ledgers FOR UPDATE in id order until the commit, so that a balance cannot change between a check and what
-- it allows.
create or replace function lock_ledgers(p_organization_id uuid, p_ids uuid[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  select from ledgers where organization_id = p_organization_id and id = any (p_ids) order by id for update
$$;

grant execute on function lock_ledgers to :"app_role";
