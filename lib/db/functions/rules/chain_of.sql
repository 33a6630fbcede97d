-- The run that began the chain to which this transfer belongs; null: no run made it. Locks nothing.
create or replace function chain_of(p_organization_id uuid, p_transfer_id uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  -- A subquery, not a join, which might read all runs.
  select (select coalesce(e.chain_id, e.id) from rule_executions e
      where e.organization_id = t.organization_id and e.id = t.rule_execution_id)
    from transfers t where t.organization_id = p_organization_id and t.id = p_transfer_id
$$;
