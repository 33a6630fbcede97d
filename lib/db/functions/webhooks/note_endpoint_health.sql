-- Updates an endpoint after a group of attempts: one success ends a time of failure, and lets a new endpoint take over
-- the one it replaces. After five days of failures only, or a 410 Gone, the endpoint is switched off and its owners are
-- notified (decisions page, "Webhooks"). p_now: business time.
-- Takes no new locks on endpoints: the caller (record_webhook_attempts) holds this one and the one that it replaces.
create or replace function note_endpoint_health(p_organization_id uuid, p_id uuid, p_succeeded integer, p_failed integer,
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
  -- An endpoint that was deleted or switched off during its first delivery replaces nothing.
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
