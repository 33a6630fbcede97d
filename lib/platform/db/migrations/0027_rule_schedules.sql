-- Schedules that fire, and the hooks by which programs start a rule.

alter table rules
  -- Business time up to which its scheduled times have run or are recorded as skipped. `next_run_at` says when to look
  -- again: the two differ where a definition could not be read, so that its times are made up for, not lost.
  add column scheduled_until timestamptz;

-- Accounts for the scheduled times of an active rule up to p_until. The caller holds the rule's row, and has started
-- the run of the latest of them in the same transaction.
-- p_skipped: [{ at, times }], of which `times` > 1 stands for a stretch that ends with `at`.
-- p_next_run_at: null when nothing is left to run.
create function account_for_schedule(p_organization_id uuid, p_rule_id uuid, p_until timestamptz,
  p_next_run_at timestamptz, p_skipped jsonb, p_reason text)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into rule_skipped_times (organization_id, rule_id, scheduled_for, reason, times, recorded_at)
    select p_organization_id, p_rule_id, s.at, p_reason, s.times, p_until
      from jsonb_to_recordset(p_skipped) as s(at timestamptz, times integer)
    on conflict do nothing;
  update rules set next_run_at = p_next_run_at, scheduled_until = p_until
    where organization_id = p_organization_id and id = p_rule_id and active_version is not null;
end $$;

-- An active version that this version of Sluice cannot read: looked at again at p_at, and nothing of it is lost.
create function postpone_schedule(p_organization_id uuid, p_rule_id uuid, p_at timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update rules set next_run_at = p_at
    where organization_id = p_organization_id and id = p_rule_id and active_version is not null
$$;

grant execute on function account_for_schedule, postpone_schedule to :"app_role";

-- The how-manyeth request of this minute it is that a hook takes. p_now is real time.
create function use_rule_hook(p_organization_id uuid, p_rule_id uuid, p_now timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_requests integer;
  v_business_now timestamptz;
begin
  -- A rule's id is no key's: both are UUIDs that were made once.
  insert into rate_windows as w values (p_rule_id, date_trunc('minute', p_now), 1)
    on conflict (api_key_id) do update set
      requests = case when w.minute >= excluded.minute then w.requests + 1 else 1 end,
      -- A process whose clock lags must not reopen a minute that another has begun.
      minute = greatest(w.minute, excluded.minute)
    returning w.requests into v_requests;
  select p_now + o.clock_offset_ms * interval '1 millisecond' into strict v_business_now
    from organizations o where o.id = p_organization_id;
  -- Once a minute is exact enough to be read by people, and spares a logged write per request.
  update rule_hooks h set last_used_at = v_business_now
    where h.organization_id = p_organization_id and h.rule_id = p_rule_id
      and (h.last_used_at is null or h.last_used_at < v_business_now - interval '1 minute');
  return v_requests;
end $$;
grant execute on function use_rule_hook to :"app_role";

-- Approval of a hook is switched with a confirmation, and told like its making.
alter table rule_events
  drop constraint rule_events_kind_check,
  add constraint rule_events_kind_check check (kind in
    ('ACTIVATED', 'DEACTIVATED', 'DISCARDED', 'DELETED', 'PAUSED', 'RESUMED', 'HOOK_MADE', 'HOOK_REMOVED',
     'HOOK_APPROVAL_ON', 'HOOK_APPROVAL_OFF'));

grant insert, delete on rule_hooks to :"app_role";
grant update (secret_hash, secret_last4, approval_required, created_by, created_at, last_used_at) on rule_hooks
  to :"app_role";

-- Events are written once, and by the application for hooks only.
create function note_hook_event(p_organization_id uuid, p_id uuid, p_rule_id uuid, p_kind text, p_user_id uuid,
  p_at timestamptz)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if p_kind not in ('HOOK_MADE', 'HOOK_REMOVED', 'HOOK_APPROVAL_ON', 'HOOK_APPROVAL_OFF') then
    raise exception 'no event of a hook: %', p_kind;
  end if;
  insert into rule_events (organization_id, id, rule_id, kind, by_user_id, at)
    values (p_organization_id, p_id, p_rule_id, p_kind, p_user_id, p_at);
end $$;
grant execute on function note_hook_event to :"app_role";

-- A run that a hook asks for, with its idempotent result and its audit entry, like `trigger_rules` of 0026 for keys.
-- p_item: see start-hook-run.ts. Answers CREATED | REPLAY (with what was answered then) | IN_PROGRESS | HOOK_GONE |
-- NOT_ACTIVE | PAUSED
create function start_hook_run(p_item jsonb,
  out outcome text, out replay_status integer, out replay_body jsonb, out replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_item ->> 'organizationId')::uuid;
  v_rule_id uuid := (p_item ->> 'ruleId')::uuid;
  v_call jsonb := p_item -> 'idempotency';
  v_taken record;
  v_approval_required boolean;
begin
  -- What a removal or a new secret did not see, it did not let through; and approval is as it is switched now.
  select h.approval_required into v_approval_required from rule_hooks h
    where h.organization_id = v_organization_id and h.rule_id = v_rule_id
      and h.secret_hash = decode(p_item ->> 'secretHash', 'hex') for share;
  if not found or v_approval_required <> (p_item -> 'run' ->> 'approvalRequired')::boolean then
    outcome := 'HOOK_GONE';
    return;
  end if;
  if jsonb_typeof(v_call) = 'object' then
    select * into v_taken from take_idempotency_key(v_organization_id, v_rule_id, v_call,
      (p_item ->> 'now')::timestamptz);
    if v_taken.outcome is not null then
      outcome := v_taken.outcome; replay_status := v_taken.replay_status; replay_body := v_taken.replay_body;
      replay_fingerprint := v_taken.replay_fingerprint;
      return;
    end if;
  end if;
  outcome := start_rule_run(p_item -> 'run');
  if outcome <> 'STARTED' then return; end if;
  outcome := 'CREATED';
  if jsonb_typeof(v_call) = 'object' then
    insert into idempotency_results values (v_organization_id, v_rule_id, v_call ->> 'operation', v_call ->> 'path',
        v_call ->> 'key', decode(v_call ->> 'fingerprint', 'hex'), (v_call ->> 'status')::integer, v_call -> 'body',
        (v_call ->> 'expiresAt')::timestamptz)
      on conflict (organization_id, caller_id, operation, path, idempotency_key) do update set
        fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
        expires_at = excluded.expires_at; -- the row of an earlier window, past its 24 hours
  end if;
  perform write_audit_entries(jsonb_build_array(p_item -> 'audit'));
end $$;
grant execute on function start_hook_run to :"app_role";
