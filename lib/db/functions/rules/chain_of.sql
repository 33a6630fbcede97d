-- The run that began the chain to which this transfer belongs; null: no run made it. Locks nothing.
create or replace function chain_of(p_organization_id uuid, p_transfer_id uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(e.chain_id, e.id) from transfers t
    join rule_executions e on e.organization_id = t.organization_id and e.id = t.rule_execution_id
   where t.organization_id = p_organization_id and t.id = p_transfer_id
$$;
