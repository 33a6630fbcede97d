-- What has left Sluice in the last 24 hours, and what was accepted and has not left yet. Not on a day of the
-- organization's time zone: a co-owner who changes that would start the owner's cap over. What waits counts until it has
-- left for 24 hours, so that payments that wait for a payee, closed gates or the bank cannot add up to more than the cap
-- later. What the bank refused does not count. Locks nothing.
create or replace function outgoing_used(p_organization_id uuid, p_now timestamptz) returns bigint
language sql volatile security definer set search_path = public, pg_temp as $$
  select (coalesce((
      select sum(t.amount_in_cents) from transfers t
        where t.next_step = 'SUBMIT' and t.organization_id = p_organization_id and t.direction = 'MONEY_OUT'), 0)
    + coalesce((
      select sum(t.amount_in_cents) from outgoing_orders o
        join transfers t on t.organization_id = o.organization_id and t.id = o.transfer_id
        where o.organization_id = p_organization_id
          -- Without an end: another process may be ahead.
          and o.left_at > p_now - interval '24 hours'
          and t.next_step is distinct from 'SUBMIT' and not (t.status = 'FAILED' and t.bank_reference is null)), 0))::bigint
$$;

grant execute on function outgoing_used to :"app_role";
