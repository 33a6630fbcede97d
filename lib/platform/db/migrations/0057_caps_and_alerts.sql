-- Keys that go wild: how much a key may set moving in a day without a person, and what its owner hears of unusual use.
--
-- The day of a key comes in the order of locks (0026) after the execution and before the limits of a rule: api key,
-- membership, proposal, rule, execution, transfer, day of a key, limits, card, card authorization, ledgers, provider
-- balances.

-- while serving: an organization has some dozens of keys, so that this takes milliseconds
alter table api_keys
  -- The most that it may set moving in a day of the organization without a person, with all that rules move because of
  -- it. Null: no such bound. What is beyond waits for an approval.
  add column daily_cap_in_cents bigint check (daily_cap_in_cents between 0 and 9007199254740991),
  -- An assistant moves nothing alone.
  add check (client_id is null or daily_cap_in_cents is null),
  -- Business time. The state is the queue: when its use is looked at next; null while nobody uses it.
  add column watch_due_at timestamptz,
  -- Until when its transfers were counted into `key_habits`.
  add column watched_until timestamptz,
  -- When it was last used before a silence of 45 days that nobody has been told of yet: what runs once a
  -- month is never silent for so long.
  add column silent_since timestamptz;
-- while serving: an organization has some dozens of keys, so that this takes milliseconds
create index api_keys_to_watch on api_keys (watch_due_at) where watch_due_at is not null;

-- What a capped key has set moving in a day, its knock-on runs included. Never given back: a key that sends the same money
-- to and fro all day would otherwise never reach its cap. No foreign key to api_keys: a run that is carried out holds its
-- execution, and must not wait for a revocation, which locks the key first.
create table key_days (
  organization_id uuid not null,
  api_key_id      uuid not null,
  -- In the organization's time zone.
  day             date not null,
  used_in_cents   bigint not null default 0 check (used_in_cents >= 0),
  primary key (organization_id, api_key_id, day)
) with (fillfactor = 70);

alter table rule_executions
  -- The key whose doing this run is, through any number of rules, without a person having approved any of it; it counts
  -- against that key's cap. Null: nobody's, or a person knew.
  add column charged_key_id uuid;

alter table proposals
  -- Why it waits where the key need not have asked: its cap, and what it had set moving of it. Both or neither.
  add column cap_in_cents bigint,
  add column cap_used_in_cents bigint,
  -- Not validated: no row from before has either.
  add constraint proposals_cap_check check (cap_in_cents >= 0 and cap_used_in_cents >= 0) not valid,
  add constraint proposals_cap_whole_check
    check ((cap_in_cents is null) = (cap_used_in_cents is null)) not valid,
  add constraint proposals_cap_of_a_key_check check (cap_in_cents is null or api_key_id is not null) not valid;

-- Networks from which a key or an assistant was used, shortened (`shortNetwork`); at most a hundred of each.
create table key_networks (
  organization_id uuid not null,
  api_key_id      uuid not null,
  network         text not null check (length(network) between 1 and 64),
  first_seen_at   timestamptz not null,
  primary key (organization_id, api_key_id, network)
);

-- What a key moved alone, by days: what is usual for it. Counted by the watch, a few seconds after the fact.
create table key_habits (
  organization_id  uuid not null,
  api_key_id       uuid not null,
  day              date not null,
  transfers        integer not null,
  sum_in_cents     bigint not null,
  largest_in_cents bigint not null,
  primary key (organization_id, api_key_id, day)
) with (fillfactor = 70);

-- Unusual use of a key or an assistant; of one kind at most one a day.
create table key_alerts (
  organization_id uuid not null,
  id              uuid not null,
  api_key_id      uuid not null,
  kind            text not null check (kind in
    ('NEW_NETWORK', 'AFTER_SILENCE', 'REFUSALS', 'LARGE_AMOUNT', 'LARGE_DAY', 'CAP_REACHED', 'MANY_WAITING')),
  day             date not null,
  -- What was seen and what is usual (contract/key-alerts.ts).
  facts           jsonb not null,
  -- Business time.
  noticed_at      timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, api_key_id, kind, day)
);
create index key_alerts_by_key on key_alerts (organization_id, api_key_id, id desc);

grant select on key_days, key_networks, key_habits, key_alerts to :"app_role";

-- The day of the organization's calendar.
create function day_of(p_organization_id uuid, p_at timestamptz) returns date
language sql stable security definer set search_path = public, pg_temp as $$
  select (p_at at time zone o.time_zone)::date from organizations o where o.id = p_organization_id
$$;

-- Locks the days of those of these keys that have a cap, and answers cap and use as they are under the lock.
create function lock_key_days(p_organization_ids uuid[], p_key_ids uuid[], p_nows timestamptz[])
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
  -- A statement of its own: it sees what was committed by whoever held the lock before, a changed cap above all.
  return query
    select k.organization_id, k.id, k.daily_cap_in_cents, d.used_in_cents
      from (select distinct * from unnest(p_organization_ids, p_key_ids, p_nows)) as a (organization_id, key_id, now)
      join api_keys k on k.organization_id = a.organization_id and k.id = a.key_id
      join key_days d on d.organization_id = k.organization_id and d.api_key_id = k.id
        and d.day = day_of(k.organization_id, a.now)
      where k.daily_cap_in_cents is not null;
end $$;

-- Counts what a key has set moving. Whoever calls this has looked whether it may; that it may is made sure of here.
create function charge_key(p_organization_id uuid, p_key_id uuid, p_amount_in_cents bigint, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_cap bigint;
begin
  select k.daily_cap_in_cents into v_cap from api_keys k where k.organization_id = p_organization_id and k.id = p_key_id;
  if v_cap is null then return; end if;
  insert into key_days as d (organization_id, api_key_id, day, used_in_cents)
    values (p_organization_id, p_key_id, day_of(p_organization_id, p_now), p_amount_in_cents)
    on conflict (organization_id, api_key_id, day) do update set used_in_cents = d.used_in_cents + excluded.used_in_cents
      where d.used_in_cents + excluded.used_in_cents <= v_cap;
  if not found or p_amount_in_cents > v_cap then
    raise exception 'key % would pass its daily cap', p_key_id using errcode = 'check_violation';
  end if;
end $$;

-- The key whose doing a transfer is, where no person approved it: the key that asked for it, or the one that its run is
-- charged to.
create function key_behind(p_organization_id uuid, p_transfer_id uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select case when t.rule_execution_id is not null then e.charged_key_id
      when t.proposed_by_kind = 'API_KEY' and not exists (
        select from proposals p where p.organization_id = t.organization_id and p.id = t.id) then t.proposed_by_id end
    from transfers t
    left join rule_executions e on e.organization_id = t.organization_id and e.id = t.rule_execution_id
   where t.organization_id = p_organization_id and t.id = p_transfer_id
$$;

-- More than these at once nobody decides: a key that floods its owner with questions is told to wait.
create function maximum_waiting() returns integer language sql immutable as $$ select 100 $$;
create function has_too_many_waiting(p_organization_id uuid, p_key_id uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select count(*) >= maximum_waiting() from (
    select from proposals p where p.organization_id = p_organization_id and p.api_key_id = p_key_id and p.state = 'WAITING'
      limit maximum_waiting()) waiting
$$;

-- Writes an alert down, and that its owners are to be told: once a day of each kind and key.
create function note_key_alert(p_organization_id uuid, p_key_id uuid, p_kind text, p_facts jsonb, p_now timestamptz)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_id uuid := new_id(p_now);
begin
  insert into key_alerts (organization_id, id, api_key_id, kind, day, facts, noticed_at)
    values (p_organization_id, v_id, p_key_id, p_kind, day_of(p_organization_id, p_now), p_facts, p_now)
    on conflict (organization_id, api_key_id, kind, day) do nothing;
  if not found then return; end if;
  insert into notices (organization_id, id, kind, subject_id, api_key_id, created_at, due_at)
    values (p_organization_id, new_id(p_now), 'KEY_UNUSUAL', v_id, p_organization_id, p_now, p_now);
end $$;

-- A run that would pass its key's cap, on its way to a person (see run-result.ts). The caller holds the key FOR KEY SHARE.
create function hold_run(p_run jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_run ->> 'organizationId')::uuid;
  v_id uuid := (p_run ->> 'id')::uuid;
  v_now timestamptz := (p_run ->> 'now')::timestamptz;
  v_held jsonb := p_run -> 'held';
  v_key_id uuid;
begin
  select e.charged_key_id into strict v_key_id from rule_executions e
    where e.organization_id = v_organization_id and e.id = v_id and e.charged_key_id is not null;
  insert into proposals (organization_id, id, kind, state, api_key_id, request, created_at, expires_at, remind_at,
      cap_in_cents, cap_used_in_cents)
    values (v_organization_id, v_id, 'RULE_RUN', 'WAITING', v_key_id, null, v_now, (v_held ->> 'expiresAt')::timestamptz,
      (v_held ->> 'remindAt')::timestamptz, (v_held ->> 'capInCents')::bigint, (v_held ->> 'usedInCents')::bigint);
  insert into notices (organization_id, id, kind, proposal_id, api_key_id, created_at, due_at)
    values (v_organization_id, new_id(v_now), 'APPROVAL_ASKED', v_id, v_key_id, v_now, v_now);
  perform note_key_alert(v_organization_id, v_key_id, 'CAP_REACHED', jsonb_build_object('capInCents',
    v_held -> 'capInCents', 'usedInCents', v_held -> 'usedInCents'), v_now);
end $$;

-- Takes the place of `claim_rule_runs` (0040), which stays for a version that serves while this migration runs: it knows no
-- caps, and `carry_out_runs` refuses what it would move beyond one. Answers besides the capped key that a run is charged
-- to; null: none, or one without a cap.
create function claim_due_runs(p_now timestamptz, p_limit integer)
returns table (
  organization_id uuid, id uuid, rule_id uuid, rule_version integer, rule_name text, base jsonb, chain_depth integer,
  attempts integer, attempt_log jsonb, business_now timestamptz, time_zone text, stopped_because text, capped_key_id uuid
)
language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select e.* from rule_executions e
      where e.due_at is not null and e.due_at <= p_now + (
        select o.clock_offset_ms * interval '1 millisecond' from organizations o where o.id = e.organization_id)
      order by e.due_at, e.id limit p_limit
      for update skip locked)
  select e.organization_id, e.id, e.rule_id, e.rule_version, r.name, e.base, e.chain_depth::integer, e.attempts,
      e.attempt_log, p_now + o.clock_offset_ms * interval '1 millisecond', o.time_zone,
      case when not gates_are_open(e.organization_id) then 'GATES_CLOSED'
        when r.active_version is null then 'DEACTIVATED'
        when r.paused_at is not null then 'PAUSED'
        when e.cause_kind = 'TRANSFER' and (select t.status from transfers t
            where t.organization_id = e.organization_id and t.id = e.cause_id::uuid) = 'RETURNED' then 'MONEY_CAME_BACK'
      end,
      case when e.charged_key_id is not null then (
        select k.id from api_keys k where k.organization_id = e.organization_id and k.id = e.charged_key_id
          and k.daily_cap_in_cents is not null) end
    from due e
    join rules r on r.organization_id = e.organization_id and r.id = e.rule_id
    join organizations o on o.id = e.organization_id
   order by e.due_at, e.id
   for key share of r
$$;

-- What is left to decide by of the keys that claimed runs are charged to, each with its day locked. No row: its cap was
-- taken away meanwhile.
--   key_state: ACTIVE | OVER (revoked or ended) | BUSY (being revoked at this moment: what is in its day is not said) |
--     FLOODED (as many of its proposals wait as may)
create function lock_caps(p_organization_ids uuid[], p_key_ids uuid[], p_nows timestamptz[])
returns table (organization_id uuid, key_id uuid, key_state text, cap_in_cents bigint, used_in_cents bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  v_held uuid[];
begin
  -- A proposal will name the key. Waiting for a revocation here would be in a circle: it waits for these runs.
  select coalesce(array_agg(k.id), '{}') into v_held from (
    select k.id from api_keys k
      where (k.organization_id, k.id) in (select * from unnest(p_organization_ids, p_key_ids))
      order by k.organization_id, k.id for key share skip locked) k;
  perform lock_key_days(array_agg(a.o), array_agg(a.i), array_agg(a.t))
    from unnest(p_organization_ids, p_key_ids, p_nows) as a (o, i, t) where a.i = any (v_held) having count(*) > 0;
  return query
    select k.organization_id, k.id,
        case when k.id <> all (v_held) then 'BUSY'
          when k.revoked_at is not null or k.ends_at <= a.t then 'OVER'
          when has_too_many_waiting(k.organization_id, k.id) then 'FLOODED'
          else 'ACTIVE' end,
        k.daily_cap_in_cents, coalesce(d.used_in_cents, 0)
      from (select distinct on (o, i) * from unnest(p_organization_ids, p_key_ids, p_nows) as a (o, i, t)) a
      join api_keys k on k.organization_id = a.o and k.id = a.i and k.daily_cap_in_cents is not null
      left join key_days d on d.organization_id = k.organization_id and d.api_key_id = k.id
        and d.day = day_of(k.organization_id, a.t);
end $$;

-- Sets or takes away the cap of a key that is not over. Its day is locked, so that whoever counts is before or after this.
-- Answers CHANGED | MAY_NOT | MISSING. p_now: business time.
create function set_key_cap(p_organization_id uuid, p_id uuid, p_cap_in_cents bigint, p_by uuid, p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from memberships m where m.organization_id = p_organization_id and m.user_id = p_by
    and m.role in ('OWNER', 'CO_OWNER') for share;
  if not found then return 'MAY_NOT'; end if;
  update api_keys k set daily_cap_in_cents = p_cap_in_cents
    where k.organization_id = p_organization_id and k.id = p_id and k.client_id is null and k.revoked_at is null
      and (k.ends_at is null or k.ends_at > p_now);
  if not found then return 'MISSING'; end if;
  insert into key_days (organization_id, api_key_id, day)
    values (p_organization_id, p_id, day_of(p_organization_id, p_now)) on conflict do nothing;
  perform 1 from key_days d where d.organization_id = p_organization_id and d.api_key_id = p_id
    and d.day = day_of(p_organization_id, p_now) for update;
  return 'CHANGED';
end $$;

-- A new key goes on where the one whose place it takes has come to in its day.
create function hand_on_key_day(p_organization_id uuid, p_old_id uuid, p_new_id uuid, p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into key_days (organization_id, api_key_id, day, used_in_cents)
    select d.organization_id, p_new_id, d.day, d.used_in_cents from key_days d
     where d.organization_id = p_organization_id and d.api_key_id = p_old_id and d.day = day_of(p_organization_id, p_now)
    on conflict do nothing
$$;

-- while serving: what members change of their organization, by hand
alter table organization_changes
  drop constraint organization_changes_kind_check,
  add constraint organization_changes_kind_check check (kind in ('RENAMED', 'TIME_ZONE', 'NEW_POD_FLOOR',
    'BENEFICIARY_RENAMED', 'BENEFICIARY_REMOVED', 'DEFAULT_BENEFICIARY', 'MEMBER_ROLE', 'MEMBER_REMOVED', 'KEY_CAP'));

-- From here on: functions of earlier migrations, each with what it lacks of the above.

-- Supersedes 0013: the days of capped keys are locked after the keys and before the ledgers, in order, so that two groups
-- cannot wait for each other.
create or replace function write_transfers(p_items jsonb)
returns table (outcome text, replay_status integer, replay_body jsonb, replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_has_cap boolean;
begin
  if jsonb_array_length(p_items) > 1 then
    select bool_or(k.daily_cap_in_cents is not null) into v_has_cap from (
      select k.daily_cap_in_cents from api_keys k
        where (k.organization_id, k.id) in (
          select (i ->> 'organizationId')::uuid, (i ->> 'apiKeyId')::uuid from jsonb_array_elements(p_items) i)
        order by k.organization_id, k.id for key share) k;
    if v_has_cap then
      perform lock_key_days(array_agg((i ->> 'organizationId')::uuid), array_agg((i ->> 'apiKeyId')::uuid),
          array_agg((i ->> 'now')::timestamptz))
        from jsonb_array_elements(p_items) i where i -> 'transfer' ->> 'status' = 'PROCESSING' having count(*) > 0;
    end if;
  end if;
  return query select * from create_transfers(p_items);
end $$;

-- Supersedes 0040: what a key may not set moving alone is not written, and the caller asks again for an approval.
--   CREATED | REPLAY (with what was answered then) | IN_PROGRESS | KEY_REVOKED | GATES_CLOSED | TOO_MANY_WAITING |
--   ABOVE_CAP (nothing written; replay_body: { capInCents, usedInCents }. Another column would break the prepared
--   statements of a version that serves meanwhile)
create or replace function create_transfers(p_items jsonb)
returns table (outcome text, replay_status integer, replay_body jsonb, replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_item jsonb;
  v_transfer jsonb;
  v_idempotency jsonb;
  v_previous idempotency_results;
  v_organization_id uuid;
  v_key_id uuid;
  v_now timestamptz;
  v_error_code text;
  v_is_managed boolean;
  v_cap bigint;
  v_day record;
begin
  -- All ledgers of the batch in order first, so that two batches cannot wait for each other.
  perform 1 from ledgers l
    where (l.organization_id, l.id) in (
      select (i ->> 'organizationId')::uuid, (i -> 'transfer' ->> 'sourceAccountId')::uuid
      from jsonb_array_elements(p_items) i where i -> 'transfer' ->> 'status' = 'PROCESSING')
      and jsonb_array_length(p_items) > 1
    order by l.organization_id, l.id for update;

  for v_item in select i from jsonb_array_elements(p_items) i loop
    v_transfer := v_item -> 'transfer';
    v_idempotency := v_item -> 'idempotency';
    v_organization_id := (v_item ->> 'organizationId')::uuid;
    v_key_id := (v_item ->> 'apiKeyId')::uuid; -- null: a member asks
    v_now := (v_item ->> 'now')::timestamptz;
    outcome := 'CREATED'; replay_status := null; replay_body := null; replay_fingerprint := null;

    if v_idempotency is not null and jsonb_typeof(v_idempotency) = 'object' then
      -- A rival with the same key is answered at once, it does not queue behind the original.
      if not pg_try_advisory_xact_lock(hashtextextended(concat_ws('|', v_key_id, v_idempotency ->> 'operation',
          v_idempotency ->> 'path', v_idempotency ->> 'key'), 0)) then
        outcome := 'IN_PROGRESS';
        return next;
        continue;
      end if;
      select * into v_previous from idempotency_results r
        where r.organization_id = v_organization_id and r.caller_id = v_key_id
          and r.operation = v_idempotency ->> 'operation' and r.path = v_idempotency ->> 'path'
          and r.idempotency_key = v_idempotency ->> 'key';
      if found and v_previous.expires_at > v_now then
        outcome := 'REPLAY'; replay_status := v_previous.status; replay_body := v_previous.body;
        replay_fingerprint := encode(v_previous.fingerprint, 'hex');
        return next;
        continue;
      end if;
    end if;

    -- Conflicts with the FOR UPDATE of a revocation only: what a revocation did not see, it did not let through.
    select k.daily_cap_in_cents into v_cap from api_keys k where k.organization_id = v_organization_id and k.id = v_key_id
      and k.revoked_at is null for key share;
    if not found and v_key_id is not null then
      outcome := 'KEY_REVOKED';
      return next;
      continue;
    end if;

    -- After the replay: what was answered before the closing is answered again.
    if v_key_id is not null and v_transfer ->> 'executionMode' = 'LIVE' and not gates_are_open(v_organization_id) then
      outcome := 'GATES_CLOSED';
      return next;
      continue;
    end if;

    if v_key_id is null and v_transfer ->> 'status' <> 'APPROVAL_PENDING' then
      raise exception 'what a member asks for waits for a confirmed approval';
    end if;

    if v_key_id is not null and v_transfer ->> 'status' = 'APPROVAL_PENDING'
        and has_too_many_waiting(v_organization_id, v_key_id) then
      outcome := 'TOO_MANY_WAITING';
      return next;
      continue;
    end if;

    if v_transfer ->> 'status' <> 'PROCESSING' then v_cap := null; end if;
    if v_cap is not null then
      -- Before the source's ledger, and locked until the commit: of many at the same moment each sees those before it.
      select * into v_day from lock_key_days(array[v_organization_id], array[v_key_id], array[v_now]);
      v_cap := v_day.cap_in_cents;
      if v_day.used_in_cents + (v_transfer ->> 'amountInCents')::bigint > v_cap then
        outcome := 'ABOVE_CAP';
        replay_body := jsonb_build_object('capInCents', v_cap, 'usedInCents', v_day.used_in_cents);
        return next;
        continue;
      end if;
    end if;

    v_error_code := null;
    v_is_managed := false;
    if v_transfer ->> 'status' = 'PROCESSING' then
      v_error_code := reserve(v_organization_id, (v_transfer ->> 'sourceAccountId')::uuid,
        (v_transfer ->> 'amountInCents')::bigint, true);
      v_is_managed := v_transfer ->> 'direction' <> 'MONEY_IN';
      if v_cap is not null and v_error_code is null then
        perform charge_key(v_organization_id, v_key_id, (v_transfer ->> 'amountInCents')::bigint, v_now);
      end if;
    end if;

    insert into transfers (
        organization_id, id, status, execution_mode, direction, origin, amount_in_cents, description,
        source_account_id, destination_account_id, reason_for_approval, proposed_by_kind, proposed_by_id,
        proposed_by_name, created_at, updated_at, accepted_at, completed_at, expected_completion_date,
        hold_in_cents, next_step, due_at, fails_with)
      values (
        v_organization_id, (v_transfer ->> 'id')::uuid, v_transfer ->> 'status', v_transfer ->> 'executionMode',
        v_transfer ->> 'direction', v_transfer ->> 'origin', (v_transfer ->> 'amountInCents')::bigint, v_transfer ->> 'description',
        (v_transfer ->> 'sourceAccountId')::uuid, (v_transfer ->> 'destinationAccountId')::uuid,
        v_transfer ->> 'reasonForApproval', v_item -> 'proposedBy' ->> 'kind',
        (v_item -> 'proposedBy' ->> 'id')::uuid, v_item -> 'proposedBy' ->> 'name', v_now, v_now,
        case when v_transfer ->> 'status' = 'PROCESSING' then v_now end,
        case when v_transfer ->> 'status' = 'COMPLETE' then v_now end,
        (v_transfer ->> 'expectedCompletionDate')::date,
        case when v_is_managed and v_error_code is null then (v_transfer ->> 'amountInCents')::bigint else 0 end,
        case when v_transfer ->> 'status' = 'PROCESSING'
          then first_step(v_transfer ->> 'direction', v_error_code) end,
        case when v_transfer ->> 'status' = 'PROCESSING' then v_now end, v_error_code);

    if v_transfer ->> 'status' = 'APPROVAL_PENDING' then
      insert into proposals (organization_id, id, kind, state, api_key_id, request, created_at, expires_at, remind_at,
          cap_in_cents, cap_used_in_cents)
        values (v_organization_id, (v_transfer ->> 'id')::uuid, 'TRANSFER', 'WAITING', v_key_id,
          nullif(v_item -> 'request', 'null'), v_now, (v_item ->> 'expiresAt')::timestamptz, (v_item ->> 'remindAt')::timestamptz,
          (v_item -> 'aboveCap' ->> 'capInCents')::bigint, (v_item -> 'aboveCap' ->> 'usedInCents')::bigint);
      if jsonb_typeof(v_item -> 'aboveCap') = 'object' then
        perform note_key_alert(v_organization_id, v_key_id, 'CAP_REACHED', v_item -> 'aboveCap', v_now);
      end if;
      insert into notices (organization_id, id, kind, proposal_id, api_key_id, created_at, due_at)
        values (v_organization_id, (v_item ->> 'noticeId')::uuid, 'APPROVAL_ASKED', (v_transfer ->> 'id')::uuid,
          v_key_id, v_now, v_now);
    end if;

    if v_idempotency is not null and jsonb_typeof(v_idempotency) = 'object' then
      insert into idempotency_results values (v_organization_id, v_key_id, v_idempotency ->> 'operation',
          v_idempotency ->> 'path', v_idempotency ->> 'key', decode(v_idempotency ->> 'fingerprint', 'hex'),
          (v_idempotency ->> 'status')::integer, v_idempotency -> 'body',
          (v_idempotency ->> 'expiresAt')::timestamptz)
        on conflict (organization_id, caller_id, operation, path, idempotency_key) do update set
          fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
          expires_at = excluded.expires_at; -- the row of an earlier window, past its 24 hours
    end if;

    if v_key_id is not null then
      perform write_audit_entries(jsonb_build_array(v_item -> 'audit'));
    end if;
    return next;
  end loop;
end $$;

-- Supersedes 0040: a run that a key sets off alone is charged to it. Answers TOO_MANY_WAITING besides.
create or replace function start_rule_run(p_run jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_run ->> 'organizationId')::uuid;
  v_id uuid := (p_run ->> 'id')::uuid;
  v_now timestamptz := (p_run ->> 'now')::timestamptz;
  v_waits boolean := (p_run ->> 'approvalRequired')::boolean;
  v_key_id uuid := (p_run ->> 'apiKeyId')::uuid; -- null: no key asks
  v_rule rules;
begin
  if not gates_are_open(v_organization_id) then return 'GATES_CLOSED'; end if;
  -- Conflicts with the FOR UPDATE of a revocation only: what a revocation did not see, it did not let through.
  perform 1 from api_keys k where k.organization_id = v_organization_id and k.id = v_key_id
    and k.revoked_at is null for key share;
  if not found and v_key_id is not null then return 'KEY_REVOKED'; end if;

  if v_waits and v_key_id is not null and has_too_many_waiting(v_organization_id, v_key_id) then
    return 'TOO_MANY_WAITING';
  end if;

  -- Shared among runs, and in the way of an activation, a pause and a deactivation: each run is before them or after.
  select * into v_rule from rules where organization_id = v_organization_id and id = (p_run ->> 'ruleId')::uuid
    for key share;
  if v_rule.active_version is null then return 'NOT_ACTIVE'; end if;
  if v_rule.paused_at is not null then return 'PAUSED'; end if;

  insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
      reason_for_approval, created_at, cause_kind, cause_id, chain_depth, started_by_kind, started_by_id,
      started_by_name, base, approval_required, due_at, charged_key_id)
    values (v_organization_id, v_id, v_rule.id, v_rule.active_version,
      case when v_waits then 'APPROVAL_PENDING' else 'IN_PROGRESS' end, 'LIVE', p_run -> 'triggerDetails',
      p_run ->> 'reasonForApproval', v_now, p_run ->> 'causeKind', p_run ->> 'causeId',
      coalesce((p_run ->> 'chainDepth')::smallint, 0), p_run -> 'startedBy' ->> 'kind',
      (p_run -> 'startedBy' ->> 'id')::uuid, p_run -> 'startedBy' ->> 'name', p_run -> 'base', v_waits,
      case when not v_waits then v_now end, case when not v_waits then v_key_id end)
    on conflict on constraint fired_once do nothing;
  if not found then return 'FIRED_BEFORE'; end if;

  if v_waits then
    insert into proposals (organization_id, id, kind, state, api_key_id, request, created_at, expires_at, remind_at)
      values (v_organization_id, v_id, 'RULE_RUN', 'WAITING', v_key_id, nullif(p_run -> 'request', 'null'), v_now,
        (p_run ->> 'expiresAt')::timestamptz, (p_run ->> 'remindAt')::timestamptz);
    insert into notices (organization_id, id, kind, proposal_id, api_key_id, created_at, due_at)
      -- Many from one rule's hook are told together, as those of one key are: nobody floods the deciders.
      values (v_organization_id, (p_run ->> 'noticeId')::uuid, 'APPROVAL_ASKED', v_id,
        coalesce(v_key_id, case when p_run -> 'startedBy' ->> 'kind' = 'HOOK' then v_rule.id end), v_now, v_now);
  end if;
  return 'STARTED';
end $$;

-- Supersedes 0040: what money that a key set moving sets off is charged to that key.
create or replace function fire_rules(p_arrivals arrival[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
      created_at, cause_kind, cause_id, chain_depth, started_by_kind, started_by_id, base, due_at, ended_at,
      error_message, charged_key_id)
    select a.organization_id, new_id(a.now), r.id, r.active_version,
        case when ended_because is null then 'IN_PROGRESS' else 'FAILED' end, 'LIVE',
        jsonb_build_object('type', 'ON_FUNDS_TRANSFERRED', 'amountInCents', a.amount_in_cents), a.now, a.cause_kind,
        a.cause_id::text, a.chain_depth, 'ARRIVAL', a.cause_id,
        jsonb_build_object('mode', 'LIVE', 'incomingAmountInCents', a.amount_in_cents),
        case when ended_because is null then a.now end, case when ended_because is not null then a.now end,
        ended_because, case when a.cause_kind = 'TRANSFER' then key_behind(a.organization_id, a.cause_id) end
      from unnest(p_arrivals) with ordinality as a
      join rules r on r.organization_id = a.organization_id and r.active_trigger_type = 'ON_FUNDS_TRANSFERRED'
        and r.active_trigger_account_id = a.account_id and r.paused_at is null and r.deleted_at is null
        and a.amount_in_cents >= coalesce(r.active_minimum_in_cents, 0)
      -- Of the rule's organization: asked only where a rule waits for this money.
      cross join lateral (select case
        when a.chain_depth >= maximum_chain_depth()
          then 'Ten rules had set each other off before this one, and chains of rules end there. Nothing moved.'
        when not gates_are_open(r.organization_id)
          then 'All gates were closed when this money arrived. Nothing moved, and it is not made up.' end as ended_because) fate
      order by a.ordinality, r.id
    on conflict on constraint fired_once do nothing;
end $$;

-- Supersedes 0026: what runs move is charged; one above its key's cap waits for a person.
create or replace function carry_out_runs(p_runs jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_fault text;
  v_transfers run_transfer[];
  v_run jsonb;
  v_execution rule_executions;
begin
  -- Whoever calls this cannot make money move for a run that waits for a person, or that has run. One by one, here and
  -- below: each run is found by its key, whatever the planner knows of a table that grows by thousands in a minute.
  for v_run in select r from jsonb_array_elements(p_runs) r loop
    select * into v_execution from rule_executions e
      where e.organization_id = (v_run ->> 'organizationId')::uuid and e.id = (v_run ->> 'id')::uuid;
    if v_execution.rule_id is distinct from (v_run ->> 'ruleId')::uuid or v_execution.status <> 'IN_PROGRESS'
        or v_execution.due_at is null or v_execution.execution_mode <> 'LIVE' or v_execution.approval_required then
      raise exception 'run % is not to be carried out', v_run ->> 'id';
    end if;
    if v_execution.charged_key_id is not null then
      perform charge_key(v_execution.organization_id, v_execution.charged_key_id, sum((t ->> 'amountInCents')::bigint)::bigint,
          (v_run ->> 'now')::timestamptz)
        from jsonb_array_elements(v_run -> 'transfers') t where t ->> 'errorCode' is null having count(*) > 0;
    end if;
  end loop;

  select array_agg(row((r ->> 'organizationId')::uuid, (r ->> 'id')::uuid, (r ->> 'ruleId')::uuid, r ->> 'ruleName',
        (r ->> 'chainDepth')::smallint + 1, (r ->> 'now')::timestamptz, (t ->> 'id')::uuid, (t ->> 'entryId')::uuid,
        t ->> 'direction', (t ->> 'sourceAccountId')::uuid, (t ->> 'destinationAccountId')::uuid,
        (t ->> 'amountInCents')::bigint, t ->> 'description', t ->> 'limitId', t ->> 'errorCode',
        (t ->> 'expectedCompletionDate')::date)::run_transfer order by run_order, transfer_order)
    into v_transfers
    from jsonb_array_elements(p_runs) with ordinality as runs (r, run_order)
    cross join lateral jsonb_array_elements(r -> 'transfers') with ordinality as planned (t, transfer_order);

  insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents, description,
      source_account_id, destination_account_id, rule_id, rule_execution_id, rule_limit_id, chain_depth,
      proposed_by_kind, proposed_by_id, proposed_by_name, error_code, error_message, created_at, updated_at,
      accepted_at, completed_at, expected_completion_date, hold_in_cents, next_step, due_at)
    select organization_id, id,
        case when error_code is not null then 'FAILED' when direction = 'INTERNAL' then 'COMPLETE' else 'PROCESSING' end,
        'LIVE', direction, 'RULE', amount_in_cents, description, source_account_id, destination_account_id, rule_id,
        execution_id, limit_id, chain_depth, 'RULE', rule_id, rule_name, error_code,
        case when error_code is not null then failure_message(error_code) end, now, now,
        case when error_code is null then now end,
        case when error_code is not null or direction = 'INTERNAL' then now end, expected_completion_date,
        case when error_code is null and direction = 'MONEY_OUT' then amount_in_cents else 0 end,
        case when error_code is null and direction <> 'INTERNAL' then 'SUBMIT' end,
        case when error_code is null and direction <> 'INTERNAL' then now end
      from unnest(v_transfers);

  insert into entries (organization_id, id, transfer_id, kind, debit_ledger_id, credit_ledger_id, amount_in_cents,
      booked_at)
    select organization_id, entry_id, id, 'TRANSFER', source_account_id, destination_account_id, amount_in_cents, now
      from unnest(v_transfers) where error_code is null and direction = 'INTERNAL';

  -- After the entries: a run of this batch may send on over ACH what one before it has brought.
  update ledgers l set held_in_cents = l.held_in_cents + s.in_cents
    from (select organization_id, source_account_id, sum(amount_in_cents)::bigint as in_cents from unnest(v_transfers)
      where error_code is null and direction = 'MONEY_OUT' group by 1, 2) s
    where l.organization_id = s.organization_id and l.id = s.source_account_id;

  -- No person approves these: whatever a plan says, they never take their source below its floor.
  select a.id::text into v_fault from accounts a
    join ledgers l on l.organization_id = a.organization_id and l.id = a.id
    where (a.organization_id, a.id) in
        (select organization_id, source_account_id from unnest(v_transfers) where error_code is null)
      and l.credits_in_cents - l.debits_in_cents - l.held_in_cents < coalesce(a.floor_in_cents, 0)
    limit 1;
  if v_fault is not null then
    raise exception 'a run would take account % below its floor', v_fault using errcode = 'check_violation';
  end if;

  for v_run in select r from jsonb_array_elements(p_runs) r loop
    update rule_executions e set
        status = v_run ->> 'status',
        -- From here on it moves nothing unless a person says so.
        approval_required = e.approval_required or v_run ->> 'outcome' = 'HELD',
        step_index_matched = (v_run ->> 'stepIndexMatched')::integer,
        conditions_not_met = (v_run ->> 'conditionsNotMet')::boolean,
        transfers_attempted = (v_run ->> 'transfersAttempted')::integer,
        error_message = v_run ->> 'errorMessage',
        facts = nullif(v_run -> 'facts', 'null'), plan = nullif(v_run -> 'plan', 'null'),
        attempts = (v_run ->> 'attempts')::integer, attempt_log = v_run -> 'attemptLog',
        due_at = (v_run ->> 'dueAt')::timestamptz, next_attempt_at = (v_run ->> 'dueAt')::timestamptz,
        planned_at = case when v_run ->> 'outcome' = 'PLANNED' then (v_run ->> 'now')::timestamptz end,
        ended_at = case when v_run ->> 'status' not in ('IN_PROGRESS', 'APPROVAL_PENDING') then (v_run ->> 'now')::timestamptz end
      where e.organization_id = (v_run ->> 'organizationId')::uuid and e.id = (v_run ->> 'id')::uuid;
    if v_run ->> 'outcome' = 'HELD' then perform hold_run(v_run); end if;
  end loop;

  perform fire_rules(array_agg(row(t.organization_id, t.destination_account_id, 'TRANSFER', t.id, t.amount_in_cents,
      t.chain_depth, t.now)::arrival order by t.ordinality))
    from unnest(v_transfers) with ordinality as t where t.error_code is null and t.direction = 'INTERNAL';
end $$;

-- Supersedes 0028.
create or replace function accept_approved_run(p_organization_id uuid, p_id uuid, p_facts jsonb, p_plan jsonb, p_transfers jsonb,
  p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_run rule_executions;
  v_rule rules;
  v_transfer record;
  v_fault text;
begin
  -- Only what has in truth been approved: whoever calls this cannot make money move without the decision.
  select e.* into strict v_run from rule_executions e join proposals p using (organization_id, id)
    where e.organization_id = p_organization_id and e.id = p_id and e.status = 'APPROVAL_PENDING'
      and e.execution_mode = 'LIVE' and p.state = 'APPROVED' and p.kind = 'RULE_RUN'
    for update of e;
  select r.* into v_rule from rules r
    where r.organization_id = p_organization_id and r.id = v_run.rule_id and r.active_version = v_run.rule_version
      and r.paused_at is null and r.deleted_at is null
    for key share;
  if not found then raise exception 'the version of run % does not run live', p_id; end if;
  if exists (select from jsonb_array_elements(p_plan -> 'moves') m where m ->> 'outcome' = 'FAILED') then
    raise exception 'run % would fail, which nobody can approve', p_id;
  end if;

  for v_transfer in
    select t.id, t.limit_id, t.expected_completion_date, m.source_id, m.destination_id, m.amount_in_cents, m.label,
        case when s.type <> 'EXTERNAL_ACCOUNT' and d.type <> 'EXTERNAL_ACCOUNT' then 'INTERNAL'
          when s.type <> 'EXTERNAL_ACCOUNT' then 'MONEY_OUT'
          when d.type <> 'EXTERNAL_ACCOUNT' then 'MONEY_IN' end as direction
      from (
        select row_number() over (order by place) as place, (move ->> 'sourceAccountId')::uuid as source_id,
            (move ->> 'destinationAccountId')::uuid as destination_id, (move ->> 'amountInCents')::bigint as amount_in_cents,
            move ->> 'description' as label
          from jsonb_array_elements(p_plan -> 'moves') with ordinality as planned (move, place)
          where move ->> 'outcome' = 'MOVE') m
      full join (
        select place, (given ->> 'id')::uuid as id, given ->> 'limitId' as limit_id,
            (given ->> 'expectedCompletionDate')::date as expected_completion_date
          from jsonb_array_elements(p_transfers) with ordinality as given (given, place)) t using (place)
      left join accounts s on s.organization_id = p_organization_id and s.id = m.source_id
      left join accounts d on d.organization_id = p_organization_id and d.id = m.destination_id
      order by place
  loop
    if v_transfer.id is null or v_transfer.amount_in_cents is null or v_transfer.direction is null then
      raise exception 'the transfers of run % are not those of its plan', p_id;
    end if;
    -- The plan was made under the same locks, so this is a fault of ours: then nothing is decided.
    v_fault := reserve(p_organization_id, v_transfer.source_id, v_transfer.amount_in_cents, false);
    if v_fault is not null then raise exception 'run % cannot be carried out as shown: %', p_id, v_fault; end if;
    insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
        description, source_account_id, destination_account_id, rule_id, rule_execution_id, rule_limit_id, chain_depth,
        proposed_by_kind, proposed_by_id, proposed_by_name, created_at, updated_at, accepted_at,
        expected_completion_date, hold_in_cents, next_step, due_at)
      values (p_organization_id, v_transfer.id, 'PROCESSING', 'LIVE', v_transfer.direction, 'RULE',
        v_transfer.amount_in_cents, v_transfer.label, v_transfer.source_id, v_transfer.destination_id, v_rule.id, p_id,
        v_transfer.limit_id, v_run.chain_depth + 1, 'RULE', v_rule.id, v_rule.name, p_now, p_now, p_now,
        -- Over ACH the bank says, once it has the order.
        case when v_transfer.direction = 'INTERNAL' then v_transfer.expected_completion_date end,
        case when v_transfer.direction <> 'MONEY_IN' then v_transfer.amount_in_cents else 0 end,
        first_step(v_transfer.direction, null), p_now);
  end loop;

  update rule_executions e set facts = p_facts, plan = p_plan, planned_at = p_now,
      -- A person saw what follows from it, too.
      charged_key_id = null,
      -- A plan that moves nothing is over at once; else the run ends with the last of its transfers.
      status = case when jsonb_array_length(p_transfers) = 0 then 'EXECUTED' else 'IN_PROGRESS' end,
      ended_at = case when jsonb_array_length(p_transfers) = 0 then p_now end,
      step_index_matched = (p_plan ->> 'stepIndexMatched')::integer,
      conditions_not_met = p_plan ->> 'stepIndexMatched' is null,
      transfers_attempted = jsonb_array_length(p_plan -> 'moves')
    where e.organization_id = p_organization_id and e.id = p_id;
end $$;

-- Supersedes 0013: whoever is used is soon looked at. Once a minute, in the write that was made anyway.
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
    update api_keys k set last_used_at = greatest(k.last_used_at, v_business_now),
        watch_due_at = coalesce(k.watch_due_at, v_business_now + interval '10 seconds'),
        silent_since = case when k.last_used_at < v_business_now - interval '45 days' then k.last_used_at else k.silent_since end
      where k.organization_id = v_key.organization_id and k.id = v_key.id;
  end if;

  return query select v_organization.id, v_key.id, v_key.name, v_key.permissions, v_requests,
    v_organization.clock_offset_ms;
end $$;

-- Supersedes 0036, likewise.
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
    update api_keys k set last_used_at = greatest(k.last_used_at, v_business_now),
        watch_due_at = coalesce(k.watch_due_at, v_business_now + interval '10 seconds'),
        silent_since = case when k.last_used_at < v_business_now - interval '45 days' then k.last_used_at else k.silent_since end
      where k.organization_id = v_grant.organization_id and k.id = v_grant.id;
  end if;

  return query select v_grant.organization_id, v_grant.id, v_grant.name, v_grant.created_by, v_role, v_requests,
    v_clock_offset_ms;
end $$;

-- Keys and assistants that were used and are to be looked at, with what their use is judged by (judge-key-use.ts). Counts
-- what each has moved since it was looked at into its habits, and puts down when to look again: ten seconds on while it is
-- used. Bounded: of an organization's transfers the latest 20,000 of two minutes are read, once for all of its keys; of each
-- key 200 refusals.
-- p_now: real time. p_refusals: error codes of those who try doors.
create function claim_key_watches(p_now timestamptz, p_refusals text[], p_limit integer)
returns table (
  organization_id uuid, id uuid, business_now timestamptz, silent_since timestamptz, refusals integer, commonest_refusal text,
  waiting integer, largest_in_cents bigint, day_in_cents bigint, usual_largest_in_cents bigint, usual_day_in_cents bigint,
  usual_transfers bigint, usual_days bigint
)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  v_organization_ids uuid[];
  v_ids uuid[];
  v_organization record;
  v_now timestamptz;
  v_to timestamptz;
  v_day date;
begin
  select array_agg(c.organization_id), array_agg(c.id) into v_organization_ids, v_ids from (
    select k.organization_id, k.id from api_keys k
      where k.watch_due_at is not null and k.watch_due_at <= p_now + (
        select o.clock_offset_ms * interval '1 millisecond' from organizations o where o.id = k.organization_id)
      order by k.watch_due_at limit p_limit
      -- Not in the way of those who use the key meanwhile: they hold it FOR KEY SHARE.
      for no key update skip locked) c;
  if v_ids is null then return; end if;

  for v_organization in select o.* from organizations o where o.id = any (v_organization_ids) order by o.id loop
    v_now := p_now + v_organization.clock_offset_ms * interval '1 millisecond';
    v_day := day_of(v_organization.id, v_now);
    -- What is asked for in these seconds may not be committed yet.
    v_to := v_now - interval '5 seconds';
    return query
      with claimed as materialized (
        select k.id, k.client_id, k.silent_since, greatest(k.watched_until, v_to - interval '2 minutes') as since
          from api_keys k where k.organization_id = v_organization.id and k.id = any (v_ids)),
      looked_at as (
        update api_keys k set silent_since = null, watched_until = v_to, watch_due_at = case
            when k.last_used_at > v_now - interval '75 seconds' then v_now + interval '10 seconds' end
          from claimed c where k.organization_id = v_organization.id and k.id = c.id),
      usual as materialized (
        select h.api_key_id, max(h.largest_in_cents) as largest, max(h.sum_in_cents) filter (where h.day < v_day) as day,
            sum(h.transfers) as transfers, count(*) filter (where h.day < v_day) as days,
            max(h.largest_in_cents) filter (where h.day = v_day) as largest_today,
            max(h.sum_in_cents) filter (where h.day = v_day) as today
          from key_habits h
          where h.organization_id = v_organization.id and h.api_key_id in (select c.id from claimed c)
            and h.day >= v_day - 90
          group by h.api_key_id),
      moved as materialized (
        select t.proposed_by_id as id, count(*)::integer as transfers, sum(t.amount_in_cents)::bigint as cents,
            max(t.amount_in_cents) as largest
          from (
            select every.id, every.proposed_by_kind, every.proposed_by_id, every.accepted_at, every.amount_in_cents
              from transfers every
              where every.organization_id = v_organization.id and every.execution_mode = 'LIVE'
                and every.id >= first_id_at((select min(c.since) from claimed c)) and every.id < first_id_at(v_to)
              order by every.id desc limit 20000) t
          join claimed c on c.id = t.proposed_by_id and c.client_id is null and t.id >= first_id_at(c.since)
          where t.proposed_by_kind = 'API_KEY' and t.accepted_at is not null
            and not exists (select from proposals p where p.organization_id = v_organization.id and p.id = t.id)
          group by t.proposed_by_id),
      counted as (
        insert into key_habits as h (organization_id, api_key_id, day, transfers, sum_in_cents, largest_in_cents)
          select v_organization.id, m.id, v_day, m.transfers, m.cents, m.largest from moved m
          on conflict (organization_id, api_key_id, day) do update set transfers = h.transfers + excluded.transfers,
            sum_in_cents = h.sum_in_cents + excluded.sum_in_cents,
            largest_in_cents = greatest(h.largest_in_cents, excluded.largest_in_cents))
      select v_organization.id, c.id, v_now, c.silent_since, refused.times, refused.commonest, asked.waiting,
          greatest(u.largest_today, m.largest, 0), coalesce(u.today, 0) + coalesce(m.cents, 0), coalesce(u.largest, 0),
          coalesce(u.day, 0), coalesce(u.transfers, 0)::bigint, coalesce(u.days, 0)
        from claimed c
        left join usual u on u.api_key_id = c.id
        left join moved m on m.id = c.id
        cross join lateral (
          select count(*)::integer as times, mode() within group (order by lately.error_code) as commonest from (
            select e.error_code from audit_entries e
              where e.organization_id = v_organization.id and e.api_key_id = c.id and e.outcome = 'FAILURE'
                and e.id >= first_id_at(v_now - interval '15 minutes') and e.error_code = any (p_refusals)
                -- Refusals while all gates are closed are the owner's doing.
                and not exists (select from gate_closings g where g.organization_id = v_organization.id
                  and (g.opened_at is null or g.opened_at > v_now - interval '15 minutes'))
              order by e.id desc limit 200) lately) refused
        cross join lateral (
          select count(*)::integer as waiting from (
            select from proposals p where p.organization_id = v_organization.id and p.api_key_id = c.id
              and p.state = 'WAITING' limit maximum_waiting()) w) asked;
  end loop;
end $$;

-- Where from a key or an assistant is used. Another network than those before it is told; its first one is not. Answers
-- whether it was told. p_now: real time.
create function note_key_network(p_organization_id uuid, p_key_id uuid, p_network text, p_now timestamptz)
returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_now timestamptz;
  v_known integer;
begin
  select p_now + o.clock_offset_ms * interval '1 millisecond' into strict v_now
    from organizations o where o.id = p_organization_id;
  -- One after the other: two first requests at the same moment are not each other's stranger.
  perform pg_advisory_xact_lock(hashtextextended(p_key_id || '|networks', 0));
  select count(*) into v_known from key_networks n
    where n.organization_id = p_organization_id and n.api_key_id = p_key_id;
  if v_known < 100 then
    insert into key_networks (organization_id, api_key_id, network, first_seen_at)
      values (p_organization_id, p_key_id, p_network, v_now) on conflict do nothing;
    if not found then return false; end if;
  elsif exists (select from key_networks n where n.organization_id = p_organization_id and n.api_key_id = p_key_id
      and n.network = p_network) then
    return false;
  end if;
  if v_known = 0 then return false; end if;
  perform note_key_alert(p_organization_id, p_key_id, 'NEW_NETWORK',
    jsonb_build_object('network', p_network, 'knownNetworks', v_known), v_now);
  return true;
end $$;

-- The same of many at once: { organizationId, apiKeyId, network, now } each, in the order of keys, so that two groups cannot
-- wait for each other. One row for each, in order.
create function note_key_networks(p_items jsonb) returns table (is_told boolean)
language sql security definer set search_path = public, pg_temp as $$
  select note_key_network((i ->> 'organizationId')::uuid, (i ->> 'apiKeyId')::uuid, i ->> 'network',
      (i ->> 'now')::timestamptz)
    from jsonb_array_elements(p_items) with ordinality as items (i, place) order by place
$$;

grant execute on function lock_key_days, claim_due_runs, lock_caps, set_key_cap, hand_on_key_day, note_key_alert, claim_key_watches,
  note_key_networks to :"app_role";

-- Wider than before, so that every row passes: not read again.
alter table notices
  drop constraint notices_kind_check,
  add constraint notices_kind_check check (kind in ('APPROVAL_ASKED', 'APPROVAL_REMINDER', 'APPROVAL_DECIDED',
    'RULE_RUN_FAILED', 'TRANSFER_RETURNED', 'TRANSFER_REFUSED', 'ENDPOINT_DISABLED', 'KEY_CREATED',
    'ASSISTANT_CONNECTED', 'NEW_DEVICE', 'MEMBER_JOINED', 'GATES_CLOSED', 'GATES_OPENED', 'WEEK', 'KEY_UNUSUAL')) not valid;
-- while serving: a few rows for each member
alter table notification_preferences
  drop constraint notification_preferences_topic_check,
  add constraint notification_preferences_topic_check check (topic in ('APPROVALS', 'DECISIONS', 'RETURNS', 'RULE_RUNS',
    'ENDPOINTS', 'SECURITY', 'GATES', 'WEEK', 'UNUSUAL_USE'));
