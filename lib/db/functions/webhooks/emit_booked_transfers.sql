-- Emits both events of transfers that are booked in the transaction that accepts them: transfer.changed for the acceptance,
-- and, sorting after it, for the booking. As emit_events otherwise. Locks nothing.
create or replace function emit_booked_transfers(p_organization_ids uuid[], p_transfer_ids uuid[], p_ats timestamptz[])
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Without an endpoint there is nobody to tell, and setting the statement below up takes longer than finding that out.
  if not exists (select from unnest(p_organization_ids) o where exists (
      select from webhook_endpoints e where e.organization_id = o and e.status <> 'DELETED')) then
    return;
  end if;
  with changes as materialized (
    select c.organization_id, c.transfer_id, c.at, change.id
      from (select t.*, new_id(t.at)::text as id
        from unnest(p_organization_ids, p_transfer_ids, p_ats) as t (organization_id, transfer_id, at)
        where exists (
          select from webhook_endpoints e where e.organization_id = t.organization_id and e.status <> 'DELETED')) c
      -- The first digit after the version of a UUIDv7 is free: it orders the two within their millisecond.
      cross join lateral (values (overlay(c.id placing '0' from 16 for 1)::uuid),
        (overlay(c.id placing 'f' from 16 for 1)::uuid)) change (id)),
  events as (
    insert into webhook_events (organization_id, id, type, resource_type, resource_id, created_at)
      select c.organization_id, c.id, 'transfer.changed', 'transfer', c.transfer_id, c.at from changes c)
  insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at)
    select c.organization_id, e.id, c.id, 'PENDING', c.at
      from changes c
      join webhook_endpoints e on e.organization_id = c.organization_id and e.status <> 'DELETED';
end $$;
