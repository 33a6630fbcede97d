-- What owners and co-owners do with rules: activate, deactivate, resume, discard, delete. Each function is called with the
-- confirmation already spent, under the organization's rules lock and the rule's row lock of the same transaction; it
-- writes what it does and the event of it. The application's role can write neither on its own.

-- Two rules on one account's arrivals would both split the same money: the database itself holds no two.
drop index rules_by_arrival;
create unique index rules_by_arrival on rules (organization_id, active_trigger_account_id)
  where active_trigger_type = 'ON_FUNDS_TRANSFERRED';
create index rules_active on rules (organization_id) where active_version is not null;

-- Who acts may: asked here once more, for whatever calls these functions.
create function require_rule_decider(p_organization_id uuid, p_user_id uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from memberships where organization_id = p_organization_id and user_id = p_user_id
    and role in ('OWNER', 'CO_OWNER') for share;
  if not found then raise exception 'only an owner or co-owner may change what rules do' using errcode = '42501'; end if;
end $$;

create function write_rule_event(p_event jsonb, p_kind text, p_version integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into rule_events (organization_id, id, rule_id, kind, version, by_user_id, method, digest, at)
    values ((p_event ->> 'organizationId')::uuid, (p_event ->> 'eventId')::uuid, (p_event ->> 'ruleId')::uuid, p_kind,
      p_version, (p_event ->> 'userId')::uuid, p_event ->> 'method', p_event ->> 'digest',
      (p_event ->> 'now')::timestamptz)
$$;

-- p_event: { organizationId, ruleId, version, userId, method, digest, eventId, now, nextRunAt }
-- The trigger is read out of the version itself, so what runs is what the version says.
create function activate_rule(p_event jsonb) returns void
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
  perform write_rule_event(p_event, 'ACTIVATED', v_version);
end $$;

-- False: no version was active.
create function deactivate_rule(p_event jsonb) returns boolean
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
  perform write_rule_event(p_event, 'DEACTIVATED', v_version);
  return true;
end $$;

-- False: it was not paused. A schedule goes on from the time that it has.
create function resume_rule(p_event jsonb) returns boolean
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

-- Throws the latest version away, when it is not the active one: the latest is then the highest that is left, and a rule
-- that has none left is deleted. p_event.version: the one that was shown.
-- Answers DISCARDED | DELETED, or why not: NOT_LATEST | IS_ACTIVE | MISSING
create function discard_rule_version(p_event jsonb) returns text
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
    -- The same moment, the next id: the list of events is in order.
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

-- Answers DELETED, or why not: IS_ACTIVE | MISSING. Its runs and versions stay readable.
create function delete_rule(p_event jsonb) returns text
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

grant execute on function activate_rule, deactivate_rule, resume_rule, discard_rule_version, delete_rule
  to :"app_role";
