-- Holds a run that would exceed its key's daily cap for a person's decision: writes its proposal, notice and alert.
-- p_run: see run-result.ts.
-- Takes no new locks: the caller holds the run FOR UPDATE and the key FOR KEY SHARE, which the proposal's foreign key
-- needs.
create or replace function hold_run(p_run jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_run ->> 'organizationId')::uuid;
  v_id uuid := (p_run ->> 'id')::uuid;
  v_now timestamptz := (p_run ->> 'now')::timestamptz;
  v_held jsonb := p_run -> 'held';
  v_key_id uuid;
begin
  select e.charged_key_id into strict v_key_id from rule_executions e
    where e.organization_id = v_organization_id and e.id = v_id and e.charged_key_id is not null;
  insert into proposals (organization_id, id, kind, state, api_key_id, request, created_at, expires_at, remind_at,
      cap_in_cents, cap_used_in_cents, policy_version)
    values (v_organization_id, v_id, 'RULE_RUN', 'WAITING', v_key_id, null, v_now, (v_held ->> 'expiresAt')::timestamptz,
      (v_held ->> 'remindAt')::timestamptz, (v_held ->> 'capInCents')::bigint, (v_held ->> 'usedInCents')::bigint,
      (select a.version from approval_policies a
        where a.organization_id = v_organization_id and a.state = 'IN_FORCE'));
  insert into notices (organization_id, id, kind, proposal_id, api_key_id, created_at, due_at)
    values (v_organization_id, new_id(v_now), 'APPROVAL_ASKED', v_id, v_key_id, v_now, v_now);
  perform note_key_alert(v_organization_id, v_key_id, 'CAP_REACHED', jsonb_build_object('capInCents',
    v_held -> 'capInCents', 'usedInCents', v_held -> 'usedInCents'), v_now);
end $$;
