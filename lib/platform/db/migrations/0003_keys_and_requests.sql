-- API keys, and what is remembered of requests: rate windows, idempotent results, the audit log.

create table api_keys (
  organization_id uuid not null references organizations (id),
  id              uuid not null,
  name            text not null check (length(name) between 1 and 60),
  -- The first characters, shown so that a person can tell keys apart.
  prefix          text not null,
  -- SHA-256 of the whole key. It has 190 random bits, so a slow hash would protect nothing and cost every request.
  key_hash        bytea not null,
  -- Fixed at creation: what a key may do never changes under its holder or its approver.
  permissions     jsonb not null,
  created_by      uuid not null references users (id),
  created_at      timestamptz not null,
  last_used_at    timestamptz,
  revoked_at      timestamptz,
  revoked_by      uuid references users (id),
  primary key (organization_id, id)
) with (fillfactor = 80);
create unique index api_keys_by_hash on api_keys (key_hash);

-- One row per key: the current minute of real time and its count. Unlogged: losing it in a crash costs one window.
create unlogged table rate_windows (
  api_key_id uuid primary key,
  minute     timestamptz not null,
  requests   integer not null
) with (fillfactor = 50);

create table idempotency_results (
  organization_id uuid not null,
  -- API key or OAuth grant.
  caller_id       uuid not null,
  operation       text not null,
  path            text not null,
  idempotency_key text not null,
  fingerprint     bytea not null,
  status          integer not null,
  body            jsonb not null,
  expires_at      timestamptz not null,
  primary key (organization_id, caller_id, operation, path, idempotency_key)
);
create index idempotency_results_by_expiry on idempotency_results (expires_at);

create table audit_entries (
  organization_id uuid not null,
  id              uuid not null,
  created_at      timestamptz not null,
  api_key_id      uuid not null,
  api_key_name    text not null,
  method          text not null,
  path            text not null,
  action          text,
  reason          text,
  request_id      text not null,
  outcome         text not null check (outcome in ('SUCCESS', 'FAILURE')),
  error_code      text,
  primary key (organization_id, id)
);
create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();

-- Who calls, and the how-manyeth request of this minute it is: one round trip, one row lock.
-- A revoked or unknown key gives no row. p_now is real time.
create function authenticate_api_key(p_key_hash bytea, p_now timestamptz)
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

  insert into rate_windows as w values (v_key.id, date_trunc('minute', p_now), 1)
    on conflict (api_key_id) do update set
      requests = case when w.minute >= excluded.minute then w.requests + 1 else 1 end,
      -- A process whose clock lags must not reopen a minute that another has begun.
      minute = greatest(w.minute, excluded.minute)
    returning w.requests into v_requests;

  -- Once a minute is exact enough to be read by people, and spares a logged write per request.
  if v_key.last_used_at is null or v_key.last_used_at < v_business_now - interval '1 minute' then
    update api_keys k set last_used_at = greatest(k.last_used_at, v_business_now)
      where k.organization_id = v_key.organization_id and k.id = v_key.id;
  end if;

  return query select v_organization.id, v_key.id, v_key.name, v_key.permissions, v_requests,
    v_organization.clock_offset_ms;
end $$;

-- Audit entries of many requests in one statement; p_entries is a JSON array of them (audit-entry.ts).
create function write_audit_entries(p_entries jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into audit_entries (organization_id, id, created_at, api_key_id, api_key_name, method, path, action, reason,
      request_id, outcome, error_code)
    select e."organizationId", e.id, e."createdAt", e."apiKeyId", e."apiKeyName", e.method, e.path, e.action, e.reason,
        e."requestId", e.outcome, e."errorCode"
    from jsonb_to_recordset(p_entries) as e(
      "organizationId" uuid, id uuid, "createdAt" timestamptz, "apiKeyId" uuid, "apiKeyName" text, method text,
      path text, action text, reason text, "requestId" text, outcome text, "errorCode" text)
$$;

grant select on audit_entries to :"app_role";
grant select, insert on api_keys to :"app_role";
grant update (revoked_at, revoked_by) on api_keys to :"app_role";
grant select, insert, delete on idempotency_results to :"app_role";
grant execute on function authenticate_api_key, write_audit_entries to :"app_role";
