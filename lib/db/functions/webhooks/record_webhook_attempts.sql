-- Records delivery attempts: their history, the delivery's next step, the endpoint's health and its daily counts.
-- p_items: see record-attempt.ts. Returns a status per item, in order: PENDING | DELIVERED | DEAD | FORGOTTEN (the
-- event is too old to be kept).
-- Locks the endpoints with those that they replace FOR NO KEY UPDATE in id order, then the deliveries in the caller's
-- order (by endpoint and event), then the daily counts: two groups cannot deadlock.
-- Settings: as in create_transfers.
create or replace function record_webhook_attempts(p_items jsonb) returns table (status text)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  v_turns integer;
  v_recorded record;
  -- By the place of the item.
  v_statuses text[] := array_fill('FORGOTTEN'::text, array[jsonb_array_length(p_items)]);
  v_endpoint record;
begin
  perform 1 from webhook_endpoints e
    where (e.organization_id, e.id) in (
      select (i ->> 'organizationId')::uuid, (i ->> 'endpointId')::uuid from jsonb_array_elements(p_items) i
      union
      select n.organization_id, n.replaces_id from webhook_endpoints n
        where n.replaces_id is not null and (n.organization_id, n.id) in (
          select (i ->> 'organizationId')::uuid, (i ->> 'endpointId')::uuid from jsonb_array_elements(p_items) i))
    order by e.organization_id, e.id for no key update;

  perform 1 from (
      select (i ->> 'organizationId')::uuid as organization_id, (i ->> 'endpointId')::uuid as endpoint_id,
          (i ->> 'eventId')::uuid as event_id
        from jsonb_array_elements(p_items) with ordinality as items (i, place) order by place) i
    cross join lateral (select from webhook_deliveries d
      where d.organization_id = i.organization_id and d.endpoint_id = i.endpoint_id and d.event_id = i.event_id
      for update) d;

  -- One after the other only if two processes attempted one delivery, after the lease of the first ran out.
  select max(times) into v_turns from (
    select count(*) as times from jsonb_array_elements(p_items) i group by i ->> 'endpointId', i ->> 'eventId') counted;
  for v_turn in 1 .. v_turns loop
    for v_recorded in
      with items as materialized (
        select i.*, o.clock_offset_ms * interval '1 millisecond' as clock_offset,
            i."finishedAt" + o.clock_offset_ms * interval '1 millisecond' as now
          from (
            select i.*, row_number() over (partition by i."endpointId", i."eventId" order by i.place) as turn
              from rows from (jsonb_to_recordset(p_items) as ("organizationId" uuid, "endpointId" uuid, "eventId" uuid,
                "startedAt" timestamptz, "finishedAt" timestamptz, "signatureStart" text, "durationMs" integer,
                "statusCode" integer, problem text, answer text, "retryInMs" bigint, "roundAttempts" integer))
              with ordinality as i ("organizationId", "endpointId", "eventId", "startedAt", "finishedAt", "signatureStart",
                "durationMs", "statusCode", problem, answer, "retryInMs", "roundAttempts", place)) i
          join organizations o on o.id = i."organizationId"
         where i.turn = v_turn),
      judged as materialized (
        -- A delivery that another process completed meanwhile, after this one's lease ran out, stays delivered.
        -- If a member restarted the round meanwhile, a failure of the old round uses up none of its attempts.
        select i.*, d.version, d.attempts, d.round_attempts >= i."roundAttempts" as is_of_round,
            case when i.problem is null then 'DELIVERED'
                 when d.status <> 'PENDING' or d.round_attempts < i."roundAttempts" then d.status
                 when i."retryInMs" is null then 'DEAD'
                 else 'PENDING' end as status
          from items i
          cross join lateral (select d.ctid as version, d.* from webhook_deliveries d where d.organization_id = i."organizationId"
            and d.endpoint_id = i."endpointId" and d.event_id = i."eventId" limit 1) d),
      updated as (
        update webhook_deliveries d set status = j.status, leased_until = null,
            due_at = case when j.status <> 'PENDING' then null
                          when j.is_of_round then j.now + j."retryInMs" * interval '1 millisecond'
                          else d.due_at end,
            attempts = d.attempts + 1,
            round_attempts = case when j.is_of_round then d.round_attempts + 1 else d.round_attempts end,
            last_attempt_at = j."startedAt" + j.clock_offset, last_status_code = j."statusCode",
            last_problem = j.problem,
            delivered_at = case when j.status = 'DELIVERED' then coalesce(d.delivered_at, j.now) end
          from judged j where d.ctid = j.version),
      attempts as (
        insert into webhook_attempts (organization_id, endpoint_id, event_id, number, attempted_at, signed_at,
            signature_start, duration_ms, status_code, problem, answer)
          select j."organizationId", j."endpointId", j."eventId", j.attempts + 1, j."startedAt" + j.clock_offset,
              j."startedAt", j."signatureStart", j."durationMs", j."statusCode", j.problem, j.answer
            from judged j order by j.place)
      select j.place, j.status from judged j
    loop
      v_statuses[v_recorded.place] := v_recorded.status;
    end loop;
  end loop;

  for v_endpoint in
    with reported as (
      select (i ->> 'organizationId')::uuid as organization_id, (i ->> 'endpointId')::uuid as endpoint_id,
          i ->> 'problem' is null as succeeded, (i ->> 'statusCode')::integer as status_code,
          i ->> 'problem' is not null and i ->> 'retryInMs' is null as gave_up,
          (i ->> 'startedAt')::timestamptz as started_at, (i ->> 'finishedAt')::timestamptz as finished_at
        from jsonb_array_elements(p_items) i)
    select t.organization_id, t.endpoint_id, count(*) filter (where t.succeeded)::integer as succeeded,
        count(*) filter (where not t.succeeded)::integer as failed, count(*) filter (where t.gave_up)::integer as gave_up,
        bool_or(t.status_code = 410) as is_gone, max(t.started_at) + o.clock_offset_ms * interval '1 millisecond' as started_at,
        max(t.finished_at) + o.clock_offset_ms * interval '1 millisecond' as now, o.time_zone
      from reported t join organizations o on o.id = t.organization_id
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
  return query select unnest(v_statuses);
end $$;

grant execute on function record_webhook_attempts to :"app_role";
