-- Whether what a row of asked_changes holds the time of could still be signed: a payee's details or a version of a rule may
-- have been decided without it. Locks nothing.
create or replace function change_still_waits(p_change asked_changes) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select case p_change.kind
    when 'PAYEE' then exists (select from payee_details d where d.organization_id = p_change.organization_id
      and d.id = p_change.target_id and d.state = 'WAITING')
    when 'RULE' then exists (select from rules r where r.organization_id = p_change.organization_id
      and r.id = p_change.target_id and r.deleted_at is null
      and r.latest_version = (p_change.wanted ->> 'version')::integer and r.active_version is distinct from r.latest_version
      and not exists (select from rule_version_discards d where d.organization_id = r.organization_id
        and d.rule_id = r.id and d.version = r.latest_version))
    else true end
$$;
