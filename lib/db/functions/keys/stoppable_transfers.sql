-- The accepted transfers that revoking a key would cancel, because they have not left yet: its own, and those of runs
-- that it started. Locks nothing.
create or replace function stoppable_transfers(p_organization_id uuid, p_key_id uuid) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id from transfers t
    where t.organization_id = p_organization_id and t.proposed_by_id = p_key_id and t.proposed_by_kind = 'API_KEY'
      and t.next_step in ('BOOK', 'SUBMIT')
  union all
  select t.id from rule_executions e
    join transfers t on t.organization_id = e.organization_id and t.rule_execution_id = e.id
    where e.organization_id = p_organization_id and e.started_by_id = p_key_id and e.started_by_kind = 'API_KEY'
      and e.status = 'IN_PROGRESS' and t.next_step in ('BOOK', 'SUBMIT')
$$;

grant execute on function stoppable_transfers to :"app_role";
