-- The key that a transfer is attributed to when no person approved it: the key that asked for it, or the one that its
-- run is charged to; else null. Locks nothing.
create or replace function key_behind(p_organization_id uuid, p_transfer_id uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select case when t.rule_execution_id is not null then e.charged_key_id
      when t.proposed_by_kind = 'API_KEY' and not exists (
        select from proposals p where p.organization_id = t.organization_id and p.id = t.id) then t.proposed_by_id end
    from transfers t
    left join rule_executions e on e.organization_id = t.organization_id and e.id = t.rule_execution_id
   where t.organization_id = p_organization_id and t.id = p_transfer_id
$$;
