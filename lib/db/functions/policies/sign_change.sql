-- Records one person's signature under a payee's details or a version of a rule as they were shown. Raises if the user may
-- not. Which signatures are needed, the caller decides under its locks.
-- p_signature: as for write_signature, with kind, subjectId, isLast and, of a rule, version
-- The caller holds the payee or the organization's rules.
create or replace function sign_change(p_signature jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_kind text := p_signature ->> 'kind';
begin
  perform require_policy_decider((p_signature ->> 'organizationId')::uuid, (p_signature ->> 'userId')::uuid);
  if v_kind not in ('PAYEE', 'RULE') then raise exception 'this is signed by another function'; end if;
  perform write_signature(v_kind, p_signature ->> 'subjectId', p_signature);
  -- The last one is in the history as the activation.
  if v_kind = 'RULE' and p_signature -> 'isLast' = 'false' then
    perform write_rule_event(p_signature || jsonb_build_object('ruleId', p_signature -> 'subjectId', 'eventId',
      p_signature -> 'id', 'digest', p_signature -> 'hash'), 'SIGNED', (p_signature ->> 'version')::integer);
  end if;
end $$;

grant execute on function sign_change to :"app_role";
