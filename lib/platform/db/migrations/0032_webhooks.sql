-- Webhooks (specification, Part 6): where an organization's events are sent, which there were, and what became of each.
-- An event is written by the statement that changes what it tells of, so that neither exists without the other.

create table webhook_endpoints (
  organization_id      uuid not null references organizations (id),
  id                   uuid not null,
  url                  text not null check (length(url) between 8 and 2000),
  -- The signing secret, sealed (platform/seal). Shown once, and gone with the endpoint.
  sealed_secret        bytea,
  -- Its last characters, so that a person can tell secrets apart.
  secret_hint          text not null check (secret_hint ~ '^[A-Za-z0-9_-]{4}$'),
  status               text not null check (status in ('ENABLED', 'DISABLED', 'DELETED')),
  created_by           uuid references users (id),
  created_at           timestamptz not null,
  -- The endpoint that goes when this one has succeeded for the first time (a new secret without a gap).
  replaces_id          uuid,
  -- Why and by whom it was switched off; a member may switch it on again.
  disabled_at          timestamptz,
  disabled_because     text check (disabled_because in ('FAILING', 'GONE', 'MEMBER')),
  disabled_by          uuid references users (id),
  deleted_at           timestamptz,
  -- Null where its replacement succeeded.
  deleted_by           uuid references users (id),
  -- Business time of the first failure since the last success; null while it succeeds.
  failing_since        timestamptz,
  consecutive_failures integer not null default 0,
  last_attempt_at      timestamptz,
  last_success_at      timestamptz,
  primary key (organization_id, id),
  check ((status = 'DELETED') = (sealed_secret is null)),
  check ((status = 'DELETED') = (deleted_at is not null)),
  check (status <> 'DISABLED' or (disabled_at is not null and disabled_because is not null))
) with (fillfactor = 70);
create unique index webhook_endpoints_one_replacement on webhook_endpoints (organization_id, replaces_id)
  where status <> 'DELETED';

create table webhook_events (
  organization_id uuid not null,
  -- `X-Service-Event-Id`: the same at every endpoint and in every attempt.
  id              uuid not null,
  type            text not null check (type in
    ('transfer.changed', 'card_transaction.changed', 'external_transaction.changed')),
  resource_type   text not null check (resource_type in ('transfer', 'card_transaction', 'external_transaction')),
  resource_id     uuid not null,
  created_at      timestamptz not null,
  -- A member asked for it, to see whether an endpoint answers.
  is_test         boolean not null default false,
  primary key (organization_id, id)
);

-- One row per event and endpoint that there was then. The state is the queue. No foreign keys: every commit that changes
-- a transfer would lock the endpoint's row, and old events are forgotten by their own statement (forget-events.ts).
create table webhook_deliveries (
  organization_id  uuid not null,
  endpoint_id      uuid not null,
  event_id         uuid not null,
  status           text not null check (status in ('PENDING', 'DELIVERED', 'DEAD')),
  -- Business time of the next attempt.
  due_at           timestamptz,
  -- Real time: a lease is about processes.
  leased_until     timestamptz,
  attempts         integer not null default 0,
  -- Since it was made, or last sent again by hand: the place in the schedule.
  round_attempts   integer not null default 0,
  last_attempt_at  timestamptz,
  -- Of the last attempt: what was answered, or why nothing was.
  last_status_code integer,
  last_problem     text,
  delivered_at     timestamptz,
  resent_at        timestamptz,
  resent_by        uuid references users (id),
  primary key (organization_id, endpoint_id, event_id),
  check ((status = 'PENDING') = (due_at is not null)),
  check ((status = 'DELIVERED') = (delivered_at is not null))
) with (fillfactor = 70);
create index webhook_deliveries_due on webhook_deliveries (organization_id, endpoint_id, due_at, event_id)
  where status = 'PENDING';
-- Counted by status, and read in order of events within each.
create index webhook_deliveries_failing on webhook_deliveries (organization_id, endpoint_id, status, event_id desc)
  where status = 'DEAD' or (status = 'PENDING' and attempts > 0);

create table webhook_attempts (
  organization_id uuid not null,
  endpoint_id     uuid not null,
  event_id        uuid not null,
  -- From 1, over all rounds.
  number          integer not null,
  -- Business time at its begin, for people; the signature's `t` is real time.
  attempted_at    timestamptz not null,
  signed_at       timestamptz not null,
  -- The first hex digits of `v1`: enough to compare, too little to use. Null where it could not be signed.
  signature_start text check (signature_start ~ '^[0-9a-f]{8}$'),
  duration_ms     integer not null check (duration_ms >= 0),
  status_code     integer check (status_code between 100 and 999),
  -- Null: it answered with 2xx.
  problem         text check (problem in ('STATUS', 'REDIRECT', 'TIMEOUT', 'DNS', 'ADDRESS', 'CONNECTION', 'TLS', 'PROTOCOL',
    'SECRET')),
  -- The begin of what was answered, as text; or what the connection said.
  answer          text check (length(answer) <= 2000),
  primary key (organization_id, endpoint_id, event_id, number),
  foreign key (organization_id, endpoint_id, event_id)
    references webhook_deliveries (organization_id, endpoint_id, event_id) on delete cascade
);

-- Per endpoint and day of the organization, so that its health is read without its deliveries.
create table webhook_days (
  organization_id uuid not null,
  endpoint_id     uuid not null,
  day             date not null,
  delivered       integer not null default 0,
  gave_up         integer not null default 0,
  failed_attempts integer not null default 0,
  primary key (organization_id, endpoint_id, day)
) with (fillfactor = 70);

-- Writes one event for each change, and a delivery to each endpoint of its organization that there is now. Where nobody
-- listens nothing is written. One that is switched off gets its deliveries when it is switched on again.
create function emit_events(p_type text, p_organization_ids uuid[], p_resource_ids uuid[], p_ats timestamptz[])
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with changes as materialized (
    select c.organization_id, c.resource_id, c.at, new_id(c.at) as id
      from unnest(p_organization_ids, p_resource_ids, p_ats) as c (organization_id, resource_id, at)
      where exists (
        select from webhook_endpoints e where e.organization_id = c.organization_id and e.status <> 'DELETED')),
  events as (
    insert into webhook_events (organization_id, id, type, resource_type, resource_id, created_at)
      select c.organization_id, c.id, p_type, split_part(p_type, '.', 1), c.resource_id, c.at from changes c)
  insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at)
    select c.organization_id, e.id, c.id, 'PENDING', c.at
      from changes c
      join webhook_endpoints e on e.organization_id = c.organization_id and e.status <> 'DELETED';
end $$;

create function emit_for_transfer() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Asked here once more: where nobody listens, which is most places, a transfer pays for this alone (9 to 17 us, and
  -- 50 us when emit_events finds it out).
  if exists (
    select from webhook_endpoints e where e.organization_id = new.organization_id and e.status <> 'DELETED') then
    perform emit_events('transfer.changed', array[new.organization_id], array[new.id],
      array[case tg_op when 'INSERT' then new.created_at else new.updated_at end]);
  end if;
  return null;
end $$;
-- A simulation is no change (decisions page, "Transfer").
create trigger transfers_emit_new after insert on transfers for each row
  when (new.execution_mode = 'LIVE') execute function emit_for_transfer();
create trigger transfers_emit_status after update of status on transfers for each row
  when (new.status is distinct from old.status and new.execution_mode = 'LIVE') execute function emit_for_transfer();

create function emit_for_card_transactions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform emit_events('card_transaction.changed', array_agg(n.organization_id), array_agg(n.id),
      array_agg(n.completed_at))
    from new_card_transactions n having count(*) > 0;
  return null;
end $$;
create trigger card_transactions_emit_new after insert on card_transactions referencing new table as new_card_transactions
  for each statement execute function emit_for_card_transactions();

create function emit_for_new_external_transactions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform emit_events('external_transaction.changed', array_agg(n.organization_id), array_agg(n.id),
      array_agg(n.created_at))
    from new_external_transactions n having count(*) > 0;
  return null;
end $$;
create trigger external_transactions_emit_new after insert on external_transactions
  referencing new table as new_external_transactions
  for each statement execute function emit_for_new_external_transactions();

create function emit_for_external_transaction() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform emit_events('external_transaction.changed', array[new.organization_id], array[new.id],
    array[new.updated_at]);
  return null;
end $$;
create trigger external_transactions_emit_settled after update of status on external_transactions for each row
  when (new.status = 'COMPLETE' and old.status is distinct from new.status)
  execute function emit_for_external_transaction();

-- Deletes an endpoint whose replacement has succeeded, and hands on what it still had to send: an event from before the
-- replacement was made would otherwise never arrive. Done again at each success: a change that was still being committed
-- saw the old endpoint alone, and no success waits for more than ten thousand. The caller has locked both.
create function take_endpoint_over(p_organization_id uuid, p_old_id uuid, p_new_id uuid, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update webhook_endpoints set status = 'DELETED', sealed_secret = null, deleted_at = p_now
    where organization_id = p_organization_id and id = p_old_id and status <> 'DELETED';
  -- What a member deleted is sent to nobody.
  if not found and exists (select from webhook_endpoints
      where organization_id = p_organization_id and id = p_old_id and deleted_by is not null) then
    return;
  end if;
  with left_over as (
    delete from webhook_deliveries d
      where d.organization_id = p_organization_id and d.endpoint_id = p_old_id and d.event_id = any (array(
        select w.event_id from webhook_deliveries w
          where w.organization_id = p_organization_id and w.endpoint_id = p_old_id and w.status = 'PENDING'
          order by w.due_at, w.event_id limit 10000))
      returning d.event_id)
  insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at)
    select p_organization_id, p_new_id, l.event_id, 'PENDING', p_now from left_over l
    on conflict do nothing;
end $$;

-- Records attempts that were made outside any transaction: their history, what happens next, and the endpoint's health.
-- p_items: see record-attempt.ts. Answers a status for each, in order; FORGOTTEN: its event is too old to be kept.
create function record_webhook_attempts(p_items jsonb) returns table (status text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_item record;
  v_endpoint record;
  v_delivery webhook_deliveries;
  v_now timestamptz;
  v_status text;
  v_is_of_round boolean;
begin
  -- Endpoints before deliveries and in id order, with those that they replace: two groups never wait in a circle.
  perform 1 from webhook_endpoints e
    where (e.organization_id, e.id) in (
      select (i ->> 'organizationId')::uuid, (i ->> 'endpointId')::uuid from jsonb_array_elements(p_items) i
      union
      select n.organization_id, n.replaces_id from webhook_endpoints n
        where n.replaces_id is not null and (n.organization_id, n.id) in (
          select (i ->> 'organizationId')::uuid, (i ->> 'endpointId')::uuid from jsonb_array_elements(p_items) i))
    order by e.organization_id, e.id for no key update;

  for v_item in
    select (i.item ->> 'organizationId')::uuid as organization_id, (i.item ->> 'endpointId')::uuid as endpoint_id,
        (i.item ->> 'eventId')::uuid as event_id, (i.item ->> 'startedAt')::timestamptz as started_at,
        (i.item ->> 'finishedAt')::timestamptz as finished_at, i.item ->> 'signatureStart' as signature_start,
        (i.item ->> 'durationMs')::integer as duration_ms, (i.item ->> 'statusCode')::integer as status_code,
        i.item ->> 'problem' as problem, i.item ->> 'answer' as answer,
        (i.item ->> 'retryInMs')::bigint as retry_in_ms, (i.item ->> 'roundAttempts')::integer as round_attempts,
        o.clock_offset_ms * interval '1 millisecond' as clock_offset
      from jsonb_array_elements(p_items) with ordinality as i (item, place)
      join organizations o on o.id = (i.item ->> 'organizationId')::uuid
      order by i.place
  loop
    v_now := v_item.finished_at + v_item.clock_offset;
    select * into v_delivery from webhook_deliveries d
      where d.organization_id = v_item.organization_id and d.endpoint_id = v_item.endpoint_id
        and d.event_id = v_item.event_id
      for update;
    if not found then
      status := 'FORGOTTEN';
      return next;
      continue;
    end if;
    -- Delivered meanwhile, by a process whose lease this one took over: it stays so, whatever came of this attempt.
    -- A round was begun anew meanwhile, by a member: a failure of the one before takes no attempt from it.
    v_is_of_round := v_delivery.round_attempts >= v_item.round_attempts;
    v_status := case when v_item.problem is null then 'DELIVERED'
                     when v_delivery.status <> 'PENDING' or not v_is_of_round then v_delivery.status
                     when v_item.retry_in_ms is null then 'DEAD'
                     else 'PENDING' end;
    update webhook_deliveries d set status = v_status, leased_until = null,
        due_at = case when v_status <> 'PENDING' then null
                      when v_is_of_round then v_now + v_item.retry_in_ms * interval '1 millisecond'
                      else d.due_at end,
        attempts = d.attempts + 1,
        round_attempts = case when v_is_of_round then d.round_attempts + 1 else d.round_attempts end,
        last_attempt_at = v_item.started_at + v_item.clock_offset, last_status_code = v_item.status_code,
        last_problem = v_item.problem,
        delivered_at = case when v_status = 'DELIVERED' then coalesce(d.delivered_at, v_now) end
      where d.organization_id = v_item.organization_id and d.endpoint_id = v_item.endpoint_id
        and d.event_id = v_item.event_id;
    insert into webhook_attempts values (v_item.organization_id, v_item.endpoint_id, v_item.event_id,
      v_delivery.attempts + 1, v_item.started_at + v_item.clock_offset, v_item.started_at, v_item.signature_start,
      v_item.duration_ms, v_item.status_code, v_item.problem, v_item.answer);
    status := v_status;
    return next;
  end loop;

  for v_endpoint in
    with told as (
      select (i ->> 'organizationId')::uuid as organization_id, (i ->> 'endpointId')::uuid as endpoint_id,
          i ->> 'problem' is null as succeeded, (i ->> 'statusCode')::integer as status_code,
          i ->> 'problem' is not null and i ->> 'retryInMs' is null as gave_up,
          (i ->> 'startedAt')::timestamptz as started_at, (i ->> 'finishedAt')::timestamptz as finished_at
        from jsonb_array_elements(p_items) i)
    select t.organization_id, t.endpoint_id, count(*) filter (where t.succeeded)::integer as succeeded,
        count(*) filter (where not t.succeeded)::integer as failed, count(*) filter (where t.gave_up)::integer as gave_up,
        bool_or(t.status_code = 410) as is_gone, max(t.started_at) + o.clock_offset_ms * interval '1 millisecond' as started_at,
        max(t.finished_at) + o.clock_offset_ms * interval '1 millisecond' as now, o.time_zone
      from told t join organizations o on o.id = t.organization_id
      group by t.organization_id, t.endpoint_id, o.clock_offset_ms, o.time_zone
      order by t.organization_id, t.endpoint_id
  loop
    perform note_endpoint_health(v_endpoint.organization_id, v_endpoint.endpoint_id, v_endpoint.succeeded,
      v_endpoint.failed, v_endpoint.is_gone, v_endpoint.started_at, v_endpoint.now);
    insert into webhook_days as w (organization_id, endpoint_id, day, delivered, gave_up, failed_attempts)
      values (v_endpoint.organization_id, v_endpoint.endpoint_id, (v_endpoint.now at time zone v_endpoint.time_zone)::date,
        v_endpoint.succeeded, v_endpoint.gave_up, v_endpoint.failed)
      on conflict (organization_id, endpoint_id, day) do update set delivered = w.delivered + excluded.delivered,
        gave_up = w.gave_up + excluded.gave_up, failed_attempts = w.failed_attempts + excluded.failed_attempts;
  end loop;
end $$;

-- What attempts say of their endpoint. One success ends a time of failure. After five days of nothing but failure, or
-- where a receiver says 410 Gone, it is switched off and the owners are told (decisions page, "Webhooks").
create function note_endpoint_health(p_organization_id uuid, p_id uuid, p_succeeded integer, p_failed integer,
  p_is_gone boolean, p_attempted_at timestamptz, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_endpoint webhook_endpoints;
  v_because text;
begin
  update webhook_endpoints e set last_attempt_at = p_attempted_at,
      last_success_at = case when p_succeeded > 0 then p_now else e.last_success_at end,
      failing_since = case when p_succeeded > 0 then null else coalesce(e.failing_since, p_now) end,
      consecutive_failures = case when p_succeeded > 0 then 0 else e.consecutive_failures + p_failed end
    where e.organization_id = p_organization_id and e.id = p_id
    returning * into v_endpoint;
  -- One that was deleted or switched off while its first delivery was under way takes nobody's place.
  if p_succeeded > 0 and v_endpoint.replaces_id is not null and v_endpoint.status = 'ENABLED' then
    perform take_endpoint_over(p_organization_id, v_endpoint.replaces_id, p_id, p_now);
  end if;
  v_because := case when p_is_gone then 'GONE'
                    when v_endpoint.failing_since <= p_now - interval '5 days' then 'FAILING' end;
  if v_because is null or v_endpoint.status <> 'ENABLED' then return; end if;
  update webhook_endpoints set status = 'DISABLED', disabled_at = p_now, disabled_because = v_because, disabled_by = null
    where organization_id = p_organization_id and id = p_id;
  insert into notices (organization_id, id, kind, subject_id, created_at, due_at)
    values (p_organization_id, new_id(p_now), 'ENDPOINT_DISABLED', p_id, p_now, p_now);
end $$;

-- What people are told of, besides proposals. The subject: an execution, a transfer, an endpoint, a key, a session.
alter table notices
  drop constraint notices_kind_check,
  add constraint notices_kind_check check (kind in ('APPROVAL_ASKED', 'APPROVAL_REMINDER', 'APPROVAL_DECIDED',
    'RULE_RUN_FAILED', 'TRANSFER_RETURNED', 'TRANSFER_REFUSED', 'ENDPOINT_DISABLED', 'KEY_CREATED', 'NEW_DEVICE')),
  alter column proposal_id drop not null,
  add column subject_id uuid,
  -- The one person whom it concerns; null: every owner and co-owner.
  add column user_id uuid references users (id),
  add constraint notices_have_a_subject check (num_nonnulls(proposal_id, subject_id) = 1);

grant select, insert on webhook_endpoints, webhook_events, webhook_deliveries to :"app_role";
grant select on webhook_attempts, webhook_days to :"app_role";
grant update (status, sealed_secret, disabled_at, disabled_because, disabled_by, deleted_at, deleted_by, failing_since,
  consecutive_failures) on webhook_endpoints to :"app_role";
grant update (status, due_at, leased_until, round_attempts, delivered_at, resent_at, resent_by)
  on webhook_deliveries to :"app_role";
grant delete on webhook_events, webhook_deliveries, webhook_days to :"app_role";
grant execute on function record_webhook_attempts, first_id_at to :"app_role";
