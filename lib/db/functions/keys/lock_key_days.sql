-- Cap and use of today for those of these keys that have a daily cap, as they are under the lock.
-- Locks their days FOR UPDATE in order of organization, key and day, creating missing ones. Comes after the keys and
-- before the limits and ledgers.
create or replace function lock_key_days(p_organization_ids uuid[], p_key_ids uuid[], p_nows timestamptz[])
returns table (organization_id uuid, api_key_id uuid, cap_in_cents bigint, used_in_cents bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  insert into key_days (organization_id, api_key_id, day)
    select distinct k.organization_id, k.id, day_of(k.organization_id, a.now)
      from unnest(p_organization_ids, p_key_ids, p_nows) as a (organization_id, key_id, now)
      join api_keys k on k.organization_id = a.organization_id and k.id = a.key_id and k.daily_cap_in_cents is not null
      order by 1, 2, 3
    on conflict do nothing;
  perform 1 from key_days d
    where (d.organization_id, d.api_key_id, d.day) in (
      select a.organization_id, a.key_id, day_of(a.organization_id, a.now)
        from unnest(p_organization_ids, p_key_ids, p_nows) as a (organization_id, key_id, now))
    order by d.organization_id, d.api_key_id, d.day for update;
  -- A separate statement, so that it sees what the previous holder of the lock committed, such as a changed cap.
  return query
    select k.organization_id, k.id, k.daily_cap_in_cents, d.used_in_cents
      from (select distinct * from unnest(p_organization_ids, p_key_ids, p_nows)) as a (organization_id, key_id, now)
      join api_keys k on k.organization_id = a.organization_id and k.id = a.key_id
      join key_days d on d.organization_id = k.organization_id and d.api_key_id = k.id
        and d.day = day_of(k.organization_id, a.now)
      where k.daily_cap_in_cents is not null;
end $$;

grant execute on function lock_key_days to :"app_role";
