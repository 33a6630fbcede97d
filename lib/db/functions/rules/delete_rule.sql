-- Deletes a rule that is not active; its runs and versions stay readable. Returns DELETED | IS_ACTIVE | MISSING; raises
-- if the user may not. p_event: as for activate_rule.
-- Locks the membership FOR SHARE, then the rule FOR UPDATE.
create or replace function delete_rule(p_event jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_event ->> 'organizationId')::uuid;
  v_rule_id uuid := (p_event ->> 'ruleId')::uuid;
  v_now timestamptz := (p_event ->> 'now')::timestamptz;
  v_rule rules;
begin
  perform require_rule_decider(v_organization_id, (p_event ->> 'userId')::uuid);
  select * into v_rule from rules where organization_id = v_organization_id and id = v_rule_id for update;
  if not found or v_rule.deleted_at is not null then return 'MISSING'; end if;
  if v_rule.active_version is not null then return 'IS_ACTIVE'; end if;
  update rules set deleted_at = v_now, updated_at = v_now where organization_id = v_organization_id and id = v_rule_id;
  perform write_rule_event(p_event, 'DELETED', null);
  return 'DELETED';
end $$;

grant execute on function delete_rule to :"app_role";
