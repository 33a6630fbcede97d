-- How a key ends: revoked by a person or by the operator, or replaced by another and ended after a while of grace.

alter table api_keys
  -- Business time from which a replaced key counts no longer.
  add column ends_at timestamptz,
  -- The key that took its place.
  add column replaced_by uuid,
  add column revoked_because text check (revoked_because in ('MEMBER', 'REPLACED', 'OPERATOR')),
  add foreign key (organization_id, replaced_by) references api_keys (organization_id, id),
  add check ((ends_at is null) = (replaced_by is null)),
  add check (replaced_by <> id);
create index api_keys_to_end on api_keys (ends_at) where ends_at is not null and revoked_at is null;

-- The page of one key reads its own requests, newest first, and must not read those of all others for it.
create index audit_entries_by_key on audit_entries (organization_id, api_key_id, id desc);

-- What a key has under way. Without this a revocation would read every transfer of the organization.
create index transfers_under_way_by_key on transfers (organization_id, proposed_by_id)
  where next_step in ('BOOK', 'SUBMIT') and proposed_by_kind = 'API_KEY';

-- As in 0003, and a key that was replaced counts no longer from its end on, whether or not its end has been worked off.
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

  -- Once a minute is exact enough to be read by people, and spares a logged write per request.
  if v_key.last_used_at is null or v_key.last_used_at < v_business_now - interval '1 minute' then
    update api_keys k set last_used_at = greatest(k.last_used_at, v_business_now)
      where k.organization_id = v_key.organization_id and k.id = v_key.id;
  end if;

  return query select v_organization.id, v_key.id, v_key.name, v_key.permissions, v_requests,
    v_organization.clock_offset_ms;
end $$;

-- `create_transfers` for a group: locks the keys of all its items first. Inside, each item locks its key after the
-- group's ledgers; a revocation, which locks the key first and ledgers last, would wait for the group and the group
-- for it.
create function write_transfers(p_items jsonb)
returns table (outcome text, replay_status integer, replay_body jsonb, replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if jsonb_array_length(p_items) > 1 then
    perform 1 from api_keys k
      where (k.organization_id, k.id) in (
        select (i ->> 'organizationId')::uuid, (i ->> 'apiKeyId')::uuid from jsonb_array_elements(p_items) i)
      order by k.organization_id, k.id for key share;
  end if;
  return query select * from create_transfers(p_items);
end $$;

-- Ends a key at once and for good: denies its proposals that wait, and stops its transfers that were neither booked, nor
-- submitted to the bank, nor leased for it, those that somebody had approved among them. All of it or nothing, in the
-- order of locks of 0004.
--
-- p_revoked_by: an owner or co-owner for MEMBER; null for OPERATOR and REPLACED. p_now: business time.
-- outcome: REVOKED | ALREADY | NOT_ENDED (replaced, and its grace is not over) | MAY_NOT | MISSING
create function revoke_api_key(p_organization_id uuid, p_id uuid, p_revoked_by uuid, p_because text, p_now timestamptz)
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
      where m.organization_id = p_organization_id and m.user_id = p_revoked_by and m.role in ('OWNER', 'CO_OWNER')
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

  -- Waits for whoever books or leases one of them; what has gone its way meanwhile no longer matches.
  select array_agg(s order by s.id) into v_stopped from (
    select t.* from transfers t
      where t.organization_id = p_organization_id and t.proposed_by_id = p_id and t.proposed_by_kind = 'API_KEY'
        and t.next_step in ('BOOK', 'SUBMIT')
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

-- How many requests a key has made in this minute, for its page.
grant select on rate_windows to :"app_role";
grant update (ends_at, replaced_by, revoked_because) on api_keys to :"app_role";
grant execute on function authenticate_api_key, write_transfers, revoke_api_key to :"app_role";
