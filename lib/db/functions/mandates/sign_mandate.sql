-- Records one person's signature under a mandate as it was shown, and puts it in force with the last one. Raises if the user
-- may not, or it cannot be signed now. Which signatures are needed, the caller has decided under the same locks.
-- p_signature: { organizationId, userId, mandateId, id, policyVersion, hash, payeeVersions, method, passkeyName, now, day,
-- isLast }
-- The caller holds the organization FOR NO KEY UPDATE, the key FOR KEY SHARE and the mandate FOR UPDATE.
create or replace function sign_mandate(p_signature jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_signature ->> 'organizationId')::uuid;
  v_user_id uuid := (p_signature ->> 'userId')::uuid;
  v_now timestamptz := (p_signature ->> 'now')::timestamptz;
begin
  perform require_policy_decider(v_organization_id, v_user_id);
  perform from mandates m where m.organization_id = v_organization_id and m.id = (p_signature ->> 'mandateId')::uuid
    and (m.state = 'WAITING' and m.expires_at > v_now or m.state = 'IN_FORCE') for update;
  if not found then raise exception 'this mandate cannot be signed'; end if;
  perform write_signature('MANDATE', p_signature ->> 'mandateId', p_signature);
  if p_signature -> 'isLast' = 'true' then
    update mandates m set state = 'IN_FORCE', signed_hash = p_signature ->> 'hash',
        payee_versions = p_signature -> 'payeeVersions', policy_version = (p_signature ->> 'policyVersion')::integer,
        signed_at = coalesce(m.signed_at, v_now)
      where m.organization_id = v_organization_id and m.id = (p_signature ->> 'mandateId')::uuid;
  end if;
end $$;

grant execute on function sign_mandate to :"app_role";
