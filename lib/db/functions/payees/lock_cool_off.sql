-- Freezes what may leave to accounts of this organization that cool off until the commit (advisory lock): payments to
-- different payees count together. Comes after the ledgers and outside balances, and before the payees.
create or replace function lock_cool_off(p_organization_id uuid) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended(p_organization_id || '|cool-off', 0))
$$;
