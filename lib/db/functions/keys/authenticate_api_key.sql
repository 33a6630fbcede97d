-- Finds the key of a request by the hash of its secret; no row if it is unknown, revoked or past its end. requests: how
-- many requests the key has made in the current minute, this one included. p_now: real time.
-- Locks the key's counter, never its row: whatever holds the key for longer must not delay requests (see note_key_use).
create or replace function authenticate_api_key(p_key_hash bytea, p_now timestamptz)
returns table (
  organization_id uuid, id uuid, name text, permissions jsonb, requests integer, clock_offset_ms bigint
)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_key api_keys;
  v_organization organizations;
  v_requests integer;
  v_business_now timestamptz;
begin
  select * into v_key from api_keys k where k.key_hash = p_key_hash and k.revoked_at is null;
  if not found then return; end if;
  select * into v_organization from organizations o where o.id = v_key.organization_id;
  v_business_now := p_now + v_organization.clock_offset_ms * interval '1 millisecond';
  if v_key.ends_at <= v_business_now then return; end if;

  insert into rate_windows as w values (v_key.id, date_trunc('minute', p_now), 1)
    on conflict (api_key_id) do update set
      requests = case when w.minute >= excluded.minute then w.requests + 1 else 1 end,
      -- A process with a slow clock must not reopen a minute that has ended.
      minute = greatest(w.minute, excluded.minute)
    returning w.requests into v_requests;
  if v_key.last_used_at is null or v_key.last_used_at < v_business_now - interval '1 minute' then
    perform note_key_use(v_key.organization_id, v_key.id, v_business_now);
  end if;

  return query select v_organization.id, v_key.id, v_key.name, v_key.permissions, v_requests,
    v_organization.clock_offset_ms;
end $$;

grant execute on function authenticate_api_key to :"app_role";
