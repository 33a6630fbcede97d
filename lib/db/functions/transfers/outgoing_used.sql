-- What has left Sluice on the organization's day of p_now, and what was accepted and has not left yet. What waits counts
-- toward every day until it leaves, so that payments that wait for a payee, closed gates or the bank cannot add up to more
-- than the cap on a later day. What the bank refused does not count. Locks nothing.
create or replace function outgoing_used(p_organization_id uuid, p_now timestamptz) returns bigint
language sql volatile security definer set search_path = public, pg_temp as $$
  select (coalesce((
      select sum(t.amount_in_cents) from transfers t
        where t.next_step = 'SUBMIT' and t.organization_id = p_organization_id and t.direction = 'MONEY_OUT'), 0)
    + coalesce((
      select sum(t.amount_in_cents) from outgoing_orders o
        join transfers t on t.organization_id = o.organization_id and t.id = o.transfer_id
        where o.organization_id = p_organization_id
          -- Without an end: another process may have begun the next day already.
          and o.left_at >= day_of(p_organization_id, p_now)::timestamp at time zone (
            select z.time_zone from organizations z where z.id = p_organization_id)
          and t.next_step is distinct from 'SUBMIT' and not (t.status = 'FAILED' and t.bank_reference is null)), 0))::bigint
$$;

grant execute on function outgoing_used to :"app_role";
