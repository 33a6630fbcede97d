-- Ends the pause of a rule; returns false if it was not paused. Raises if the user may not. A schedule continues from
-- the time that it has. p_event: as for activate_rule.
-- Locks the membership FOR SHARE, then the rule. The caller (lockRule) holds both already, the rule FOR UPDATE.
create or replace function resume_rule(p_event jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_event ->> 'organizationId')::uuid;
  v_rule_id uuid := (p_event ->> 'ruleId')::uuid;
  v_version integer;
begin
  perform require_rule_decider(v_organization_id, (p_event ->> 'userId')::uuid);
  update rules set paused_at = null, paused_by_transfer_id = null, updated_at = (p_event ->> 'now')::timestamptz
    where organization_id = v_organization_id and id = v_rule_id and paused_at is not null
    returning active_version into v_version;
  if not found then return false; end if;
  perform write_rule_event(p_event, 'RESUMED', v_version);
  return true;
end $$;

grant execute on function resume_rule to :"app_role";
