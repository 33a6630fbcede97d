-- Deletes an endpoint whose replacement has succeeded, and moves its pending deliveries to the replacement, at most
-- 10,000 per success: events from before the replacement was created would otherwise never arrive. Repeated at every
-- success, because a change that was being committed may have seen only the old endpoint.
-- Locks the old endpoint's pending deliveries and their attempts; the caller holds both endpoints.
create or replace function take_endpoint_over(p_organization_id uuid, p_old_id uuid, p_new_id uuid, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update webhook_endpoints set status = 'DELETED', sealed_secret = null, deleted_at = p_now
    where organization_id = p_organization_id and id = p_old_id and status <> 'DELETED';
  -- Deliveries of an endpoint that a member deleted are dropped.
  if not found and exists (select from webhook_endpoints
      where organization_id = p_organization_id and id = p_old_id and deleted_by is not null) then
    return;
  end if;
  -- A pending delivery may have failed before: those attempts go with it.
  with left_over as (
    delete from webhook_deliveries d
      where d.organization_id = p_organization_id and d.endpoint_id = p_old_id and d.event_id = any (array(
        select w.event_id from webhook_deliveries w
          where w.organization_id = p_organization_id and w.endpoint_id = p_old_id and w.status = 'PENDING'
          order by w.due_at, w.event_id limit 10000))
      returning d.event_id),
  forgotten as (
    delete from webhook_attempts a using left_over l
      where a.organization_id = p_organization_id and a.endpoint_id = p_old_id and a.event_id = l.event_id)
  insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at)
    select p_organization_id, p_new_id, l.event_id, 'PENDING', p_now from left_over l
    on conflict do nothing;
end $$;
