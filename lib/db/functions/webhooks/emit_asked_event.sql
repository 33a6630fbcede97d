-- Writes an event of a type that endpoints ask for, with deliveries to those that did; nothing if none did. As
-- emit_events otherwise: a switched-off endpoint gets its delivery when it is switched on again. Locks nothing.
create or replace function emit_asked_event(p_type text, p_organization_id uuid, p_resource_id uuid, p_at timestamptz)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_id uuid := new_id(p_at);
begin
  insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at)
    select e.organization_id, e.id, v_id, 'PENDING', p_at from webhook_endpoints e
     where e.organization_id = p_organization_id and e.status <> 'DELETED' and p_type = any (e.asked_events);
  if found then
    insert into webhook_events (organization_id, id, type, resource_type, resource_id, created_at)
      values (p_organization_id, v_id, p_type, split_part(p_type, '.', 1), p_resource_id, p_at);
  end if;
end $$;
