-- Freezes what plans rest on until the commit, and returns the facts of these accounts.
-- Locks the limits of these rules (advisory, in order of rule), then the accounts' ledgers FOR UPDATE, outgoing caps
-- (lock_outgoing), then the providers' balances FOR UPDATE, each in order of organization and id, so that two workers cannot deadlock. The caller
-- holds the rules.
create or replace function lock_facts(p_rules_with_limits uuid[], p_organization_ids uuid[], p_account_ids uuid[])
returns table (
  organization_id uuid, id uuid, name text, type text, "externalAccountType" text, "isClosed" boolean,
  "balanceInCents" bigint, "availableInCents" bigint, "floorInCents" bigint, "onItsWayInCents" bigint,
  "nextPaymentMinimumInCents" bigint, "lastStatementBalanceInCents" bigint, "interestRatePercentage" double precision
)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_rule_id uuid;
begin
  for v_rule_id in select distinct r from unnest(p_rules_with_limits) r order by r loop
    perform pg_advisory_xact_lock(hashtextextended(v_rule_id || '|limits', 0));
  end loop;
  perform 1 from ledgers l
    where (l.organization_id, l.id) in (select * from unnest(p_organization_ids, p_account_ids))
    order by l.organization_id, l.id for update;
  perform lock_outgoing(p_organization_ids);
  perform 1 from provider_balances p
    where (p.organization_id, p.account_id) in (select * from unnest(p_organization_ids, p_account_ids))
    order by p.organization_id, p.account_id for update;
  return query select * from read_facts_of_accounts(p_organization_ids, p_account_ids);
end $$;

grant execute on function lock_facts to :"app_role";
