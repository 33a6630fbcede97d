-- Discards the latest version of a rule if it is not active; the highest remaining version becomes the latest. Without
-- one left the rule is deleted. Returns DISCARDED | DELETED | NOT_LATEST | IS_ACTIVE | MISSING; raises if the user may
-- not.
-- p_event: as for activate_rule, with deletionEventId; `version` is the one that the member saw.
-- Locks the membership FOR SHARE, then the rule FOR UPDATE.
create or replace function discard_rule_version(p_event jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_event ->> 'organizationId')::uuid;
  v_rule_id uuid := (p_event ->> 'ruleId')::uuid;
  v_version integer := (p_event ->> 'version')::integer;
  v_now timestamptz := (p_event ->> 'now')::timestamptz;
  v_rule rules;
  v_left rule_versions;
begin
  perform require_rule_decider(v_organization_id, (p_event ->> 'userId')::uuid);
  select * into v_rule from rules where organization_id = v_organization_id and id = v_rule_id for update;
  if not found or v_rule.deleted_at is not null then return 'MISSING'; end if;
  if v_rule.latest_version <> v_version then return 'NOT_LATEST'; end if;
  if v_rule.active_version = v_version then return 'IS_ACTIVE'; end if;
  insert into rule_version_discards (organization_id, rule_id, version, discarded_by, discarded_at)
    values (v_organization_id, v_rule_id, v_version, (p_event ->> 'userId')::uuid, v_now);
  perform write_rule_event(p_event, 'DISCARDED', v_version);

  select * into v_left from rule_versions v
   where v.organization_id = v_organization_id and v.rule_id = v_rule_id
     and not exists (select from rule_version_discards d where d.organization_id = v.organization_id
       and d.rule_id = v.rule_id and d.version = v.version)
   order by v.version desc limit 1;
  if v_left.version is null then
    update rules set deleted_at = v_now, updated_at = v_now where organization_id = v_organization_id and id = v_rule_id;
    -- The same moment with the next id, which keeps the list of events in order.
    perform write_rule_event(p_event || jsonb_build_object('eventId', p_event -> 'deletionEventId'), 'DELETED', null);
    return 'DELETED';
  end if;
  update rules set latest_version = v_left.version, name = v_left.definition ->> 'name',
      source_account_ids = array(
        select distinct id::uuid from (
          select v_left.definition -> 'trigger' ->> 'accountId' as id
          union all
          select source #>> '{}' from jsonb_path_query(v_left.definition, '$.steps[*].actions[*].sourceAccountId') source
        ) named where id is not null),
      updated_at = v_now
    where organization_id = v_organization_id and id = v_rule_id;
  return 'DISCARDED';
end $$;

grant execute on function discard_rule_version to :"app_role";
