-- Asks for the signatures of the draft; false: it is no longer a draft, or another revision. Raises if the user may not.
-- p_act: { organizationId, userId, version, revision, now, expiresAt }
-- The caller holds the organization FOR NO KEY UPDATE.
create or replace function begin_policy_signing(p_act jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform require_policy_decider((p_act ->> 'organizationId')::uuid, (p_act ->> 'userId')::uuid);
  update approval_policies set state = 'SIGNING', signing_since = (p_act ->> 'now')::timestamptz,
      signing_expires_at = (p_act ->> 'expiresAt')::timestamptz, begun_by = (p_act ->> 'userId')::uuid
   where organization_id = (p_act ->> 'organizationId')::uuid and version = (p_act ->> 'version')::integer
     and state = 'DRAFT' and revision = (p_act ->> 'revision')::integer;
  return found;
end $$;

grant execute on function begin_policy_signing to :"app_role";
