-- Cap and use of the last 24 hours for those of these keys that have a daily cap, as they are under the lock.
-- Locks what these keys use (advisory) in order of organization and key. Comes after the keys and before the limits and
-- ledgers. One lock per key, not per day: two requests on either side of midnight would not see each other.
create or replace function lock_key_uses(p_organization_ids uuid[], p_key_ids uuid[], p_nows timestamptz[])
returns table (organization_id uuid, api_key_id uuid, cap_in_cents bigint, used_in_cents bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  v_key_id uuid;
begin
  for v_key_id in
    select k.id from api_keys k
      where (k.organization_id, k.id) in (select * from unnest(p_organization_ids, p_key_ids))
        and k.daily_cap_in_cents is not null
      order by k.organization_id, k.id
  loop
    perform lock_key_use(v_key_id);
  end loop;
  -- A separate statement, so that it sees what the previous holder of the lock committed, such as a changed cap.
  return query
    select k.organization_id, k.id, k.daily_cap_in_cents, key_used(k.organization_id, k.id, a.now)
      from (select o as organization_id, i as key_id, min(t) as now
        from unnest(p_organization_ids, p_key_ids, p_nows) as asked (o, i, t) group by 1, 2) a
      join api_keys k on k.organization_id = a.organization_id and k.id = a.key_id
      where k.daily_cap_in_cents is not null;
end $$;

grant execute on function lock_key_uses to :"app_role";
