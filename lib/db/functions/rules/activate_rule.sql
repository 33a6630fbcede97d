-- Makes a version of a rule the one that runs live, and clears a pause. Raises if the user may not, the version was
-- discarded, or the rule was deleted. The trigger is read from the version itself, so what runs is what the version
-- says.
-- p_event: { organizationId, ruleId, version, userId, method, digest, eventId, now, nextRunAt }
-- Ends the waiting runs of other versions, and the proposals to stop those.
-- Locks the membership FOR SHARE, then the rule. The caller (lockRule) holds both already, the rule FOR UPDATE.
create or replace function activate_rule(p_event jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_event ->> 'organizationId')::uuid;
  v_rule_id uuid := (p_event ->> 'ruleId')::uuid;
  v_version integer := (p_event ->> 'version')::integer;
  v_trigger jsonb;
begin
  perform require_rule_decider(v_organization_id, (p_event ->> 'userId')::uuid);
  select definition -> 'trigger' into strict v_trigger from rule_versions v
   where v.organization_id = v_organization_id and v.rule_id = v_rule_id and v.version = v_version
     and not exists (select from rule_version_discards d where d.organization_id = v.organization_id
       and d.rule_id = v.rule_id and d.version = v.version);
  update rules set active_version = v_version, active_trigger_type = v_trigger ->> 'type',
      active_trigger_account_id = (v_trigger ->> 'accountId')::uuid,
      active_minimum_in_cents = (v_trigger ->> 'minimumAmountInCents')::bigint,
      next_run_at = case when v_trigger ->> 'type' = 'SCHEDULED' then (p_event ->> 'nextRunAt')::timestamptz end,
      activated_at = (p_event ->> 'now')::timestamptz, activated_by = (p_event ->> 'userId')::uuid,
      paused_at = null, paused_by_transfer_id = null, updated_at = (p_event ->> 'now')::timestamptz
    where organization_id = v_organization_id and id = v_rule_id and deleted_at is null;
  if not found then raise exception 'there is no such rule to activate'; end if;
  perform end_waiting_runs(v_organization_id, v_rule_id, v_version, (p_event ->> 'now')::timestamptz);
  perform write_rule_event(p_event, 'ACTIVATED', v_version);
  perform end_rule_deactivations(v_organization_id, v_rule_id, v_version, 'RULE_CHANGED', null,
    (p_event ->> 'now')::timestamptz);
end $$;

grant execute on function activate_rule to :"app_role";
