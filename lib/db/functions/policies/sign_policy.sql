-- Records one person's signature under a version that is being signed. Raises if the user may not, or has signed.
-- p_signature: { organizationId, userId, version, id, policyVersions, hash, digest, method, passkeyName, now, day }
-- The caller holds the organization FOR NO KEY UPDATE.
create or replace function sign_policy(p_signature jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_signature ->> 'organizationId')::uuid;
  v_user_id uuid := (p_signature ->> 'userId')::uuid;
begin
  perform require_policy_decider(v_organization_id, v_user_id);
  perform from approval_policies where organization_id = v_organization_id
    and version = (p_signature ->> 'version')::integer and state = 'SIGNING'
    and signing_expires_at > (p_signature ->> 'now')::timestamptz for update;
  if not found then raise exception 'this version is not being signed'; end if;
  insert into signatures (organization_id, subject_kind, subject_id, id, user_id, policy_versions, subject_hash, digest,
      method, passkey_name, signed_at, signed_on)
    values (v_organization_id, 'POLICY', p_signature ->> 'version', (p_signature ->> 'id')::uuid, v_user_id,
      array(select jsonb_array_elements_text(p_signature -> 'policyVersions')::integer), p_signature ->> 'hash',
      p_signature ->> 'digest', p_signature ->> 'method', p_signature ->> 'passkeyName',
      (p_signature ->> 'now')::timestamptz, (p_signature ->> 'day')::date);
end $$;

grant execute on function sign_policy to :"app_role";
