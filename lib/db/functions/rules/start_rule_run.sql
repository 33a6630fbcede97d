-- Starts a live run, or proposes it if it needs approval; one that a key starts alone is charged to the key. p_run: see
-- start-run.ts.
-- Returns STARTED | GATES_CLOSED | KEY_REVOKED | TOO_MANY_WAITING | NOT_ACTIVE | PAUSED | FIRED_BEFORE (this cause
-- started one).
-- Tries the gates' shared lock, then locks the key FOR KEY SHARE, of a proposal the waiting ones of its key or hook
-- (lock_waiting_proposals), and the rule FOR KEY SHARE.
create or replace function start_rule_run(p_run jsonb) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_run ->> 'organizationId')::uuid;
  v_id uuid := (p_run ->> 'id')::uuid;
  v_now timestamptz := (p_run ->> 'now')::timestamptz;
  v_waits boolean := (p_run ->> 'approvalRequired')::boolean;
  v_key_id uuid := (p_run ->> 'apiKeyId')::uuid; -- null: not started by a key
  v_rule rules;
begin
  if not gates_are_open(v_organization_id) then return 'GATES_CLOSED'; end if;
  -- Conflicts only with a revocation's FOR UPDATE: the run is either revoked with the key or never starts.
  perform 1 from api_keys k where k.organization_id = v_organization_id and k.id = v_key_id
    and k.revoked_at is null for key share;
  if not found and v_key_id is not null then return 'KEY_REVOKED'; end if;

  if v_waits and v_key_id is not null and has_too_many_waiting(v_organization_id, v_key_id) then
    return 'TOO_MANY_WAITING';
  end if;
  if v_waits and p_run -> 'startedBy' ->> 'kind' = 'HOOK'
      and has_too_many_hook_runs(v_organization_id, (p_run ->> 'ruleId')::uuid) then
    return 'TOO_MANY_WAITING';
  end if;

  -- Runs share this lock; an activation, pause or deactivation comes before the run or after it.
  select * into v_rule from rules where organization_id = v_organization_id and id = (p_run ->> 'ruleId')::uuid
    for key share;
  if v_rule.active_version is null then return 'NOT_ACTIVE'; end if;
  if v_rule.paused_at is not null then return 'PAUSED'; end if;

  if write_rule_runs(jsonb_build_array(p_run)) = 0 then return 'FIRED_BEFORE'; end if;

  if v_waits then
    insert into proposals (organization_id, id, kind, state, api_key_id, request, created_at, expires_at, remind_at,
        policy_version)
      values (v_organization_id, v_id, 'RULE_RUN', 'WAITING', v_key_id, nullif(p_run -> 'request', 'null'), v_now,
        (p_run ->> 'expiresAt')::timestamptz, (p_run ->> 'remindAt')::timestamptz,
        (select a.version from approval_policies a
          where a.organization_id = v_organization_id and a.state = 'IN_FORCE'));
    insert into notices (organization_id, id, kind, proposal_id, api_key_id, created_at, due_at)
      -- Notices of one hook go into one digest, like those of one key, so that a caller cannot flood the deciders.
      values (v_organization_id, (p_run ->> 'noticeId')::uuid, 'APPROVAL_ASKED', v_id,
        coalesce(v_key_id, case when p_run -> 'startedBy' ->> 'kind' = 'HOOK' then v_rule.id end), v_now, v_now);
  end if;
  return 'STARTED';
end $$;

grant execute on function start_rule_run to :"app_role";
