-- Starts the run that a hook's caller asks for, with its idempotent result and audit entry. p_item: see
-- start-hook-run.ts.
-- Returns CREATED | REPLAY (with the stored response) | IN_PROGRESS | HOOK_GONE (removed, or its secret or approval
-- changed) | GATES_CLOSED | TOO_MANY_WAITING | NOT_ACTIVE | PAUSED.
-- Locks the hook FOR SHARE, tries the idempotency key's lock, then locks as start_rule_run.
create or replace function start_hook_run(p_item jsonb,
  out outcome text, out replay_status integer, out replay_body jsonb, out replay_fingerprint text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_item ->> 'organizationId')::uuid;
  v_rule_id uuid := (p_item ->> 'ruleId')::uuid;
  v_call jsonb := p_item -> 'idempotency';
  v_taken record;
  v_approval_required boolean;
begin
  -- Conflicts with a removal, a new secret and a change of approval: each comes before this run or after it.
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
        expires_at = excluded.expires_at; -- replaces a result that has expired
  end if;
  perform write_audit_entries(jsonb_build_array(p_item -> 'audit'));
end $$;

grant execute on function start_hook_run to :"app_role";
