-- Ends a run when the last of its transfers ends. A transfer that the bank returns later did complete, so an ended run
-- keeps its status.
-- Locks the run FOR NO KEY UPDATE, after the transfer and its ledgers. Only runs that have a plan: those without one
-- are locked before transfers, by revoke_api_key.
create or replace function settle_execution() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_status text;
  v_codes text;
begin
  -- Before counting: of two transfers that end at the same moment, the later one counts both.
  perform 1 from rule_executions e
    where e.organization_id = new.organization_id and e.id = new.rule_execution_id and e.status = 'IN_PROGRESS'
      and e.due_at is null
    for no key update;
  if not found then return null; end if;
  select run_status(count(*) filter (where t.status in ('COMPLETE', 'RETURNED')),
      count(*) filter (where t.status in ('FAILED', 'CANCELLED', 'APPROVAL_DENIED')),
      count(*) filter (where t.status in ('PROCESSING', 'APPROVAL_PENDING'))),
      string_agg(distinct coalesce(t.error_code, t.status), ', ') filter (where t.status in ('FAILED', 'CANCELLED'))
    into v_status, v_codes
    from transfers t where t.organization_id = new.organization_id and t.rule_execution_id = new.rule_execution_id;
  if v_status = 'IN_PROGRESS' then return null; end if;
  update rule_executions e set status = v_status, ended_at = new.updated_at,
      error_message = case when v_status = 'EXECUTED' then null else coalesce(e.error_message,
        (case when v_status = 'FAILED' then 'None of its transfers completed' else 'Some of its transfers did not complete' end)
          || ' (' || v_codes || ').') end
    where e.organization_id = new.organization_id and e.id = new.rule_execution_id;
  return null;
end $$;

create or replace trigger transfers_settle_executions after update of status on transfers for each row
  when (new.rule_execution_id is not null and old.status is distinct from new.status and new.execution_mode = 'LIVE')
  execute function settle_execution();
