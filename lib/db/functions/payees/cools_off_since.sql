-- When this bank account began to cool off, if it still does at p_now as any payee, version or registered account of the
-- organization; else p_now. A payee that is renamed, or removed and added again, does not start over. Locks nothing.
create or replace function cools_off_since(p_organization_id uuid, p_account_key bytea, p_now timestamptz)
returns timestamptz
language sql stable security definer set search_path = public, pg_temp as $$
  select least(p_now, min(c.since)) from (
    select coalesce(p.cools_off_since, p.confirmed_at) as since, p.account_key, p.id from payees p
      where p.organization_id = p_organization_id and p.cools_off_until > p_now
    union all
    select coalesce(r.cools_off_since, r.registered_at), r.account_key, r.account_id from registered_accounts r
      where r.organization_id = p_organization_id and r.cools_off_until > p_now) c
    join accounts a on a.organization_id = p_organization_id and a.id = c.id
   where coalesce(c.account_key, account_key_of(null, a.routing_number_last4, a.account_number_last4)) = p_account_key
$$;
