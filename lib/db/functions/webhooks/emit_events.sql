-- Writes an event per change, and a delivery to every endpoint of its organization that is not deleted; nothing if
-- there is none. A switched-off endpoint gets its deliveries when it is switched on again. Locks nothing: endpoints are
-- only read, so a change never waits for deliveries being recorded.
create or replace function emit_events(p_type text, p_organization_ids uuid[], p_resource_ids uuid[], p_ats timestamptz[])
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
