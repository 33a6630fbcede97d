-- Records delivery attempts: their history, the delivery's next step, the endpoint's health and its daily counts.
-- p_items: see record-attempt.ts. Returns a status per item, in order: PENDING | DELIVERED | DEAD | FORGOTTEN (the
-- event is too old to be kept).
-- Locks the endpoints with those that they replace FOR NO KEY UPDATE in id order, then the deliveries in the caller's
-- order (by endpoint and event), then the daily counts: two groups cannot deadlock.
create or replace function record_webhook_attempts(p_items jsonb) returns table (status text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_item record;
  v_endpoint record;
  v_delivery webhook_deliveries;
  v_now timestamptz;
  v_status text;
  v_is_of_round boolean;
begin
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
    -- A delivery that another process completed meanwhile, after this one's lease ran out, stays delivered.
    -- If a member restarted the round meanwhile, a failure of the old round uses up none of its attempts.
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

grant execute on function record_webhook_attempts to :"app_role";
