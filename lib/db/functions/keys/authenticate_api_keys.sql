-- Finds the keys of a group of requests, { keyHash, now } each with the hash of its secret in hexadecimal and real time;
-- one row per request, in order, of nulls if its key is unknown, revoked or past its end. requests: how many requests
-- the key has made in the current minute, this one included. Notes the use of keys not noted within the last minute.
-- Locks the keys' counters in the order of the keys, never their rows: whatever holds a key for longer must not delay
-- requests (see note_key_use).
-- Settings: the plan is cached while tables grow from empty; only index look-ups stay right.
create or replace function authenticate_api_keys(p_items jsonb)
returns table (
  organization_id uuid, id uuid, name text, permissions jsonb, requests integer, clock_offset_ms bigint
)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    with asked as materialized (
      select place, decode(i ->> 'keyHash', 'hex') as key_hash, (i ->> 'now')::timestamptz as now
        from jsonb_array_elements(p_items) with ordinality as items (i, place)),
    found as materialized (
      select a.place, a.now, o.now as business_now, k.organization_id, k.id, k.name, k.permissions, k.last_used_at,
          o.clock_offset_ms
        from asked a
        join api_keys k on k.key_hash = a.key_hash and k.revoked_at is null
        cross join lateral (
          select o.clock_offset_ms, a.now + o.clock_offset_ms * interval '1 millisecond' as now
            from organizations o where o.id = k.organization_id) o
        where k.ends_at is null or k.ends_at > o.now),
    noted as (
      select note_key_use(u.organization_id, u.id, u.now) from (
        select f.organization_id, f.id, max(f.business_now) as now from found f
          where f.last_used_at is null or f.last_used_at < f.business_now - interval '1 minute'
          group by f.organization_id, f.id order by f.id) u),
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
        -- Only what is read is carried out.
        cross join (select count(*) from noted) uses
      order by a.place;
end $$;

grant execute on function authenticate_api_keys to :"app_role";
