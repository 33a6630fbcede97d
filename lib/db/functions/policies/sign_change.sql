-- Records one person's signature under a payee's details, a version of a rule or a change that was asked for, as they were
-- shown. Raises if the user may not, or the change does not wait. Which signatures are needed, the caller decides under its locks.
-- p_signature: as for write_signature, with kind, subjectId, isLast and, of a rule, version
-- The caller holds the payee, the organization's rules, or the organization.
create or replace function sign_change(p_signature jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_kind text := p_signature ->> 'kind';
begin
  perform require_policy_decider((p_signature ->> 'organizationId')::uuid, (p_signature ->> 'userId')::uuid);
  if v_kind not in ('PAYEE', 'RULE', 'LIMIT', 'KEY') then raise exception 'this is signed by another function'; end if;
  if v_kind in ('LIMIT', 'KEY') then
    perform from asked_changes c where c.organization_id = (p_signature ->> 'organizationId')::uuid
      and c.id = (p_signature ->> 'subjectId')::uuid and c.kind = v_kind and c.state = 'WAITING'
      and c.expires_at > (p_signature ->> 'now')::timestamptz for update;
    if not found then raise exception 'this change does not wait'; end if;
  end if;
  perform write_signature(v_kind, p_signature ->> 'subjectId', p_signature);
  -- The last one is in the history as the activation.
  if v_kind = 'RULE' and p_signature -> 'isLast' = 'false' then
    perform write_rule_event(p_signature || jsonb_build_object('ruleId', p_signature -> 'subjectId', 'eventId',
      p_signature -> 'id', 'digest', p_signature -> 'hash'), 'SIGNED', (p_signature ->> 'version')::integer);
  end if;
end $$;

grant execute on function sign_change to :"app_role";
