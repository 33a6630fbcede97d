-- read_facts_of_accounts for accounts of one organization.
-- Locks nothing.
create or replace function read_account_facts(p_organization_id uuid, p_account_ids uuid[])
returns table (
  id uuid, name text, type text, "externalAccountType" text, "isClosed" boolean, "balanceInCents" bigint,
  "availableInCents" bigint, "floorInCents" bigint, "onItsWayInCents" bigint, "nextPaymentMinimumInCents" bigint,
  "lastStatementBalanceInCents" bigint, "interestRatePercentage" double precision
)
language sql stable security definer set search_path = public, pg_temp as $$
  select f.id, f.name, f.type, f."externalAccountType", f."isClosed", f."balanceInCents", f."availableInCents",
      f."floorInCents", f."onItsWayInCents", f."nextPaymentMinimumInCents", f."lastStatementBalanceInCents",
      f."interestRatePercentage"
    from read_facts_of_accounts(array_fill(p_organization_id, array[cardinality(p_account_ids)]), p_account_ids) f
$$;

grant execute on function read_account_facts to :"app_role";
