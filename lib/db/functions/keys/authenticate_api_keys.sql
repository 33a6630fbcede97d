-- Finds the keys of a group of requests, { keyHash, now } each with the hash of its secret in hexadecimal and real time;
-- one row per request, in order, of nulls if its key is unknown, revoked or past its end. requests: how many requests
-- the key has made in the current minute, this one included.
-- Locks the keys' counters in the order of the keys, never their rows: whatever holds a key for longer must not delay
-- requests (see note_key_use).
create or replace function authenticate_api_keys(p_items jsonb)
returns table (
  organization_id uuid, id uuid, name text, permissions jsonb, requests integer, clock_offset_ms bigint
)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  v_keys api_keys[];
  v_used record;
begin
  select array_agg(k) into v_keys from api_keys k
    where k.key_hash in (select decode(i ->> 'keyHash', 'hex') from jsonb_array_elements(p_items) i)
      and k.revoked_at is null;

  for v_used in
    select k.organization_id, k.id, o.now from unnest(v_keys) k
      cross join lateral (
        select max((i ->> 'now')::timestamptz) + o.clock_offset_ms * interval '1 millisecond' as now
          from organizations o cross join jsonb_array_elements(p_items) i
          where o.id = k.organization_id group by o.id) o
      where (k.ends_at is null or k.ends_at > o.now)
        and (k.last_used_at is null or k.last_used_at < o.now - interval '1 minute')
      order by k.id
  loop
    perform note_key_use(v_used.organization_id, v_used.id, v_used.now);
  end loop;

  return query
    with asked as materialized (
      select place, decode(i ->> 'keyHash', 'hex') as key_hash, (i ->> 'now')::timestamptz as now
        from jsonb_array_elements(p_items) with ordinality as items (i, place)),
    found as materialized (
      select a.place, a.now, k.organization_id, k.id, k.name, k.permissions, o.clock_offset_ms
        from asked a
        join unnest(v_keys) k on k.key_hash = a.key_hash
        join organizations o on o.id = k.organization_id
        where k.ends_at is null or k.ends_at > a.now + o.clock_offset_ms * interval '1 millisecond'),
    counted as (
      insert into rate_windows as w
        select f.id, date_trunc('minute', max(f.now)), count(*) from found f group by f.id order by f.id
        on conflict (api_key_id) do update set
          requests = case when w.minute >= excluded.minute then w.requests else 0 end + excluded.requests,
          -- A process with a slow clock must not reopen a minute that has ended.
          minute = greatest(w.minute, excluded.minute)
        returning w.api_key_id, w.requests)
    select f.organization_id, f.id, f.name, f.permissions,
        (c.requests - row_number() over (partition by f.id order by a.place desc) + 1)::integer, f.clock_offset_ms
      from asked a left join found f using (place) left join counted c on c.api_key_id = f.id
      order by a.place;
end $$;

grant execute on function authenticate_api_keys to :"app_role";
