-- Freezes everything that a decision about a waiting run rests on until the commit.
-- Locks the run's rule FOR KEY SHARE (a deactivation or pause comes before this decision or after it), the run FOR
-- UPDATE, then the rule's limits, ledgers and outside balances (lock_facts), then its payees (lock_payees). The caller holds key, membership and
-- proposal.
create or replace function lock_waiting_run(p_organization_id uuid, p_id uuid, p_account_ids uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_rule_id uuid;
begin
  -- A run's rule never changes, so it can be read before the run is locked.
  select r.id into strict v_rule_id
    from rules r join rule_executions e on e.organization_id = r.organization_id and e.rule_id = r.id
    where e.organization_id = p_organization_id and e.id = p_id for key share of r;
  perform 1 from rule_executions where organization_id = p_organization_id and id = p_id for update;
  perform 1 from lock_facts(array[v_rule_id], array_fill(p_organization_id, array[cardinality(p_account_ids)]),
    p_account_ids);
  perform lock_payees(p_organization_id, p_account_ids);
end $$;

grant execute on function lock_waiting_run to :"app_role";
