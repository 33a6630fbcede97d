-- Whether maximum_waiting runs that a rule's hook proposed wait. While the caller holds the lock, nobody adds another.
-- Locks the hook's waiting proposals (lock_waiting_proposals). Reads the organization's waiting proposals only.
create or replace function has_too_many_hook_runs(p_organization_id uuid, p_rule_id uuid) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  perform lock_waiting_proposals(array[p_rule_id]);
  -- A separate statement, so that it sees what the previous holder of the lock committed.
  return (select count(*) >= maximum_waiting() from (
    select from proposals p
      join rule_executions e on e.organization_id = p.organization_id and e.id = p.id and e.rule_id = p_rule_id
        and e.started_by_kind = 'HOOK'
      where p.organization_id = p_organization_id and p.state = 'WAITING' and p.kind = 'RULE_RUN'
        and p.api_key_id is null
      limit maximum_waiting()) waiting);
end $$;
