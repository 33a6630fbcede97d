-- Stops a rule from running live, ends its waiting runs, and approves the proposals to stop it; returns false if no version
-- was active. Raises if the user may not. p_event: as for activate_rule. After the commit no run of the rule starts.
-- Locks the membership FOR SHARE, then the rule FOR UPDATE, which waits for runs that hold it FOR KEY SHARE.
create or replace function deactivate_rule(p_event jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_event ->> 'organizationId')::uuid;
  v_rule_id uuid := (p_event ->> 'ruleId')::uuid;
  v_version integer;
begin
  perform require_rule_decider(v_organization_id, (p_event ->> 'userId')::uuid);
  select active_version into v_version from rules where organization_id = v_organization_id and id = v_rule_id for update;
  if v_version is null then return false; end if;
  update rules set active_version = null, active_trigger_type = null, active_trigger_account_id = null,
      active_minimum_in_cents = null, next_run_at = null, activated_at = null, activated_by = null, paused_at = null,
      paused_by_transfer_id = null, updated_at = (p_event ->> 'now')::timestamptz
    where organization_id = v_organization_id and id = v_rule_id;
  perform end_waiting_runs(v_organization_id, v_rule_id, null, (p_event ->> 'now')::timestamptz);
  perform write_rule_event(p_event, 'DEACTIVATED', v_version);
  perform end_rule_deactivations(v_organization_id, v_rule_id, null, 'APPROVED', (p_event ->> 'userId')::uuid,
    (p_event ->> 'now')::timestamptz);
  return true;
end $$;

grant execute on function deactivate_rule to :"app_role";
