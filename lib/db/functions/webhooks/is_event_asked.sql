-- Whether an endpoint asks for this type of event: for triggers, which cost little where none does. Locks nothing.
create or replace function is_event_asked(p_organization_id uuid, p_type text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from webhook_endpoints e
    where e.organization_id = p_organization_id and e.status <> 'DELETED' and p_type = any (e.asked_events))
$$;
