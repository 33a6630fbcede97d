-- A request notes that its key was used. It must not wait for who holds the key meanwhile (those who look at how keys
-- are used hold several at a time): where the key is held, the next request notes it, for nothing was noted yet.
-- Once a minute is exact enough to be read by people, and spares a logged write per request.
create function note_key_use(p_organization_id uuid, p_id uuid, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from api_keys k where k.organization_id = p_organization_id and k.id = p_id for no key update skip locked;
  if not found then return; end if;
  update api_keys k set last_used_at = greatest(k.last_used_at, p_now),
      watch_due_at = coalesce(k.watch_due_at, p_now + interval '10 seconds'),
      silent_since = case when k.last_used_at < p_now - interval '45 days' then k.last_used_at else k.silent_since end
    where k.organization_id = p_organization_id and k.id = p_id;
end $$;
-- Only for the two below, who run as the owner.
revoke execute on function note_key_use from public;

-- Supersedes 0057, which waited for the key.
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
      -- A process whose clock lags must not reopen a minute that another has begun.
      minute = greatest(w.minute, excluded.minute)
    returning w.requests into v_requests;
  if v_key.last_used_at is null or v_key.last_used_at < v_business_now - interval '1 minute' then
    perform note_key_use(v_key.organization_id, v_key.id, v_business_now);
  end if;

  return query select v_organization.id, v_key.id, v_key.name, v_key.permissions, v_requests,
    v_organization.clock_offset_ms;
end $$;

-- Supersedes 0057, likewise.
create or replace function authenticate_assistant(p_token_hash bytea, p_resource text, p_now timestamptz)
returns table (
  organization_id uuid, id uuid, name text, user_id uuid, role text, requests integer, clock_offset_ms bigint
)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_token oauth_records;
  v_grant api_keys;
  v_role text;
  v_clock_offset_ms bigint;
  v_requests integer;
  v_business_now timestamptz;
begin
  select * into v_token from oauth_records r
    where r.model = 'AccessToken' and r.id_hash = p_token_hash and r.expires_at > p_now and r.consumed_at is null;
  if not found or v_token.audience is distinct from p_resource then return; end if;
  select * into v_grant from api_keys k
    where k.organization_id = v_token.organization_id and k.id = v_token.grant_id and k.revoked_at is null
      and k.client_id is not null;
  if not found then return; end if;
  select m.role into v_role from memberships m
    where m.organization_id = v_grant.organization_id and m.user_id = v_grant.created_by;
  if not found then return; end if;
  select o.clock_offset_ms into v_clock_offset_ms from organizations o where o.id = v_grant.organization_id;
  v_business_now := p_now + v_clock_offset_ms * interval '1 millisecond';

  insert into rate_windows as w values (v_grant.id, date_trunc('minute', p_now), 1)
    on conflict (api_key_id) do update set
      requests = case when w.minute >= excluded.minute then w.requests + 1 else 1 end,
      minute = greatest(w.minute, excluded.minute)
    returning w.requests into v_requests;
  if v_grant.last_used_at is null or v_grant.last_used_at < v_business_now - interval '1 minute' then
    perform note_key_use(v_grant.organization_id, v_grant.id, v_business_now);
  end if;

  return query select v_grant.organization_id, v_grant.id, v_grant.name, v_grant.created_by, v_role, v_requests,
    v_clock_offset_ms;
end $$;
