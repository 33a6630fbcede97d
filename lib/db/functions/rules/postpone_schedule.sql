-- Looks again at p_at at an active schedule that this release cannot read, so that no scheduled time is lost after a
-- downgrade. Takes no new locks: the caller holds the rule FOR NO KEY UPDATE.
create or replace function postpone_schedule(p_organization_id uuid, p_rule_id uuid, p_at timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update rules set next_run_at = p_at
    where organization_id = p_organization_id and id = p_rule_id and active_version is not null
$$;

grant execute on function postpone_schedule to :"app_role";
