-- What has left, or is about to leave, to all accounts that still cool off at p_now, and to this account since it began
-- to. Not counted: what waits for the end. Locks nothing; consistent with an acceptance only after lock_cool_off.
create or replace function cool_off_used(p_organization_id uuid, p_account_key bytea, p_since timestamptz,
  p_now timestamptz) returns bigint
language sql volatile security definer set search_path = public, pg_temp as $$
  select coalesce(sum(t.amount_in_cents), 0)::bigint from cool_off_orders c
    join transfers t on t.organization_id = c.organization_id and t.id = c.transfer_id
   where c.organization_id = p_organization_id and not c.waits and t.status in ('PROCESSING', 'COMPLETE')
     and (c.cools_off_until > p_now or (c.account_key = p_account_key and c.accepted_at >= p_since))
$$;

grant execute on function cool_off_used to :"app_role";
