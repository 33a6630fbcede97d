-- Finds the assistant of a request by the hash of its access token, with the role of the member who connected it; no
-- row if the token is unknown, expired, consumed or meant for another resource, if the connection has ended, or if the
-- member has left. requests: as for authenticate_api_keys. p_now: real time.
-- Locks the assistant's counter, never its row.
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

grant execute on function authenticate_assistant to :"app_role";
