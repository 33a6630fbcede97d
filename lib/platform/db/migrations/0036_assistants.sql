-- Assistants: programs that a member connected in a browser (OAuth), and what the authorization server remembers.

-- A caller is a key or the connection of an assistant; both propose, are counted, audited and revoked alike, so that
-- nothing that guards the one can be forgotten for the other. An assistant has no key text and no permissions of its
-- own: it may what its member may, read at every request.
alter table api_keys
  alter column prefix drop not null,
  alter column key_hash drop not null,
  -- OAuth: the client, by its id or the address of its metadata document. Null: a key.
  add column client_id text check (length(client_id) between 1 and 2048),
  -- Host to which the browser was sent back, which is what was checked of the client.
  add column client_host text check (length(client_host) between 1 and 255),
  add check ((client_id is null) = (key_hash is not null)),
  add check ((client_id is null) = (prefix is not null)),
  add check ((client_id is null) = (client_host is null)),
  add check (client_id is null or permissions = '[]'),
  drop constraint api_keys_revoked_because_check,
  -- CLIENT: the assistant gave its access back. REUSE: a code or refresh token was used twice, so somebody has a copy.
  add constraint api_keys_revoked_because_check
    check (revoked_because in ('MEMBER', 'REPLACED', 'OPERATOR', 'CLIENT', 'REUSE'));
comment on table api_keys is 'Callers: API keys, and connections of assistants (those with a client_id).';

create index api_keys_of_assistants on api_keys (organization_id, created_by) where client_id is not null;

-- Everything that the authorization server keeps: clients, interactions, codes, tokens, grants. Ids are hashed, for most
-- of them are secrets; payloads hold none.
create table oauth_records (
  model           text not null check (length(model) between 1 and 40),
  -- SHA-256 of the record's id.
  id_hash         bytea not null check (length(id_hash) = 32),
  -- Of a session: SHA-256 of the id under which its browser is known to interactions.
  uid_hash        bytea,
  -- Of what belongs to the connection of an assistant: api_keys.
  organization_id uuid,
  grant_id        uuid,
  -- Of a token: the resource for which it is (RFC 8707).
  audience        text,
  payload         jsonb not null,
  created_at      timestamptz not null,
  -- Real time, as all of these.
  consumed_at     timestamptz,
  -- Null: as long as it is not deleted.
  expires_at      timestamptz,
  primary key (model, id_hash)
) with (fillfactor = 80);
create unique index oauth_records_by_uid on oauth_records (model, uid_hash) where uid_hash is not null;
create index oauth_records_by_grant on oauth_records (grant_id, model) where grant_id is not null;
create index oauth_records_by_expiry on oauth_records (expires_at) where expires_at is not null;

-- Which assistant calls with this access token, for whom, with the role that the member has now, and the how-manyeth
-- request of this minute it is: one round trip. No row for a token that is unknown, over, or for another resource, for
-- a connection that was ended, and for a member who left. p_now is real time.
create function authenticate_assistant(p_token_hash bytea, p_resource text, p_now timestamptz)
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
    update api_keys k set last_used_at = greatest(k.last_used_at, v_business_now)
      where k.organization_id = v_grant.organization_id and k.id = v_grant.id;
  end if;

  return query select v_grant.organization_id, v_grant.id, v_grant.name, v_grant.created_by, v_role, v_requests,
    v_clock_offset_ms;
end $$;

-- Supersedes 0028: whoever connected an assistant may end that connection, whatever their role is now, and the codes and
-- tokens of a connection go with it.
create or replace function revoke_api_key(p_organization_id uuid, p_id uuid, p_revoked_by uuid, p_because text,
  p_now timestamptz)
returns table (outcome text, denied_proposals integer, stopped_transfers integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_key api_keys;
  v_denied uuid[];
  v_stopped transfers[];
  v_transfer transfers;
begin
  denied_proposals := 0;
  stopped_transfers := 0;
  -- Waits for every transfer and every decision that has the key FOR KEY SHARE; those that come later find it revoked.
  select * into v_key from api_keys k where k.organization_id = p_organization_id and k.id = p_id for update;
  if not found then
    outcome := 'MISSING';
    return next;
    return;
  end if;
  if (p_revoked_by is null) = (p_because = 'MEMBER') then raise exception 'a member revokes, and nobody else'; end if;
  if p_because = 'MEMBER' then
    perform 1 from memberships m
      where m.organization_id = p_organization_id and m.user_id = p_revoked_by
        and (m.role in ('OWNER', 'CO_OWNER') or (v_key.client_id is not null and v_key.created_by = p_revoked_by))
      for share;
    if not found then
      outcome := 'MAY_NOT';
      return next;
      return;
    end if;
  end if;
  if v_key.revoked_at is not null then
    outcome := 'ALREADY';
    return next;
    return;
  end if;
  if p_because = 'REPLACED' and (v_key.ends_at is null or v_key.ends_at > p_now) then
    outcome := 'NOT_ENDED';
    return next;
    return;
  end if;

  update api_keys k set revoked_at = p_now, revoked_by = p_revoked_by, revoked_because = p_because
    where k.organization_id = p_organization_id and k.id = p_id;
  delete from oauth_records r where r.grant_id = p_id;

  perform 1 from proposals p
    where p.organization_id = p_organization_id and p.api_key_id = p_id and p.state = 'WAITING' and p.expires_at > p_now
    order by p.id for update;
  -- What is past its 24 hours has expired, and is written as that.
  with denied as (
    update proposals p set state = 'REVOKED', decided_at = p_now, remind_at = null
      where p.organization_id = p_organization_id and p.api_key_id = p_id and p.state = 'WAITING'
        and p.expires_at > p_now
      returning p.id)
  select coalesce(array_agg(d.id), '{}') into v_denied from denied d;
  perform deny_transfers(p_organization_id, v_denied, p_now);

  -- Runs without a plan yet. Those with one are left to their transfers: a booking locks a transfer before its run.
  perform 1 from rule_executions e
    where e.organization_id = p_organization_id and e.started_by_id = p_id and e.started_by_kind = 'API_KEY'
      and e.status = 'IN_PROGRESS' and e.due_at is not null
    order by e.id for update;
  update rule_executions e set status = 'FAILED', due_at = null, next_attempt_at = null, ended_at = p_now,
      error_message = case
        when v_key.client_id is null then 'The key that asked for this run was revoked before it began. Nothing moved.'
        else 'The assistant that asked for this run was disconnected before it began. Nothing moved.' end
    where e.organization_id = p_organization_id and e.started_by_id = p_id and e.started_by_kind = 'API_KEY'
      and e.status = 'IN_PROGRESS' and e.due_at is not null;

  -- Waits for whoever books or leases one of them; what has gone its way meanwhile no longer matches.
  select array_agg(s order by s.id) into v_stopped from (
    select t.* from transfers t
      where t.organization_id = p_organization_id and t.next_step in ('BOOK', 'SUBMIT')
        and t.id in (select stoppable_transfers(p_organization_id, p_id))
      order by t.id for update) s;
  v_stopped := coalesce(v_stopped, array[]::transfers[]);
  perform 1 from ledgers l
    where l.organization_id = p_organization_id and l.id in (select u.source_account_id from unnest(v_stopped) u)
    order by l.id for update;
  foreach v_transfer in array v_stopped loop
    perform end_unmoved(v_transfer, 'CANCELLED', null, p_now);
  end loop;
  update transfers t set cancelled_by = p_revoked_by
    where t.organization_id = p_organization_id and t.id in (select u.id from unnest(v_stopped) u)
      and p_revoked_by is not null;

  outcome := 'REVOKED';
  denied_proposals := cardinality(v_denied);
  stopped_transfers := cardinality(v_stopped);
  return next;
end $$;

grant select, insert, update, delete on oauth_records to :"app_role";
grant execute on function authenticate_assistant, revoke_api_key to :"app_role";
