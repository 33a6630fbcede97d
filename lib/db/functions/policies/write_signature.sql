-- Records one person's signature under what was shown to them, in place of their earlier one; the signature of a person
-- who no longer decides is withdrawn, so that it cannot count again with a later role.
-- p_signature: { organizationId, userId, id, policyVersion, hash, method, passkeyName, now, day }
-- The caller has checked the role and holds the subject.
create or replace function write_signature(p_kind text, p_subject_id text, p_signature jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_signature ->> 'organizationId')::uuid;
  v_user_id uuid := (p_signature ->> 'userId')::uuid;
  v_now timestamptz := (p_signature ->> 'now')::timestamptz;
begin
  update signatures s set withdrawn_at = v_now
    where s.organization_id = v_organization_id and s.subject_kind = p_kind and s.subject_id = p_subject_id
      and s.withdrawn_at is null
      and (s.user_id = v_user_id or not exists (select from memberships m where m.organization_id = v_organization_id
        and m.user_id = s.user_id and m.role in ('OWNER', 'CO_OWNER')));
  insert into signatures (organization_id, subject_kind, subject_id, id, user_id, policy_versions, subject_hash, digest,
      method, passkey_name, signed_at, signed_on)
    values (v_organization_id, p_kind, p_subject_id, (p_signature ->> 'id')::uuid, v_user_id,
      array[(p_signature ->> 'policyVersion')::integer], p_signature ->> 'hash', p_signature ->> 'hash',
      p_signature ->> 'method', p_signature ->> 'passkeyName', v_now, (p_signature ->> 'day')::date);
end $$;
