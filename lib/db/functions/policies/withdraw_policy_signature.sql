-- Takes one person's signature back; the version is a draft again once nobody's is left. False: there was none.
-- The caller holds the organization FOR NO KEY UPDATE.
create or replace function withdraw_policy_signature(p_organization_id uuid, p_version integer, p_user_id uuid,
  p_now timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from approval_policies where organization_id = p_organization_id and version = p_version
    and state = 'SIGNING' for update;
  if not found then return false; end if;
  if withdraw_policy_signatures(p_organization_id, p_version, p_user_id, p_now) = 0 then return false; end if;
  update approval_policies p set state = 'DRAFT', signing_since = null, signing_expires_at = null, begun_by = null
   where p.organization_id = p_organization_id and p.version = p_version and not exists (
     select from signatures s where s.organization_id = p_organization_id and s.subject_kind = 'POLICY'
       and s.subject_id = p_version::text and s.withdrawn_at is null);
  return true;
end $$;

grant execute on function withdraw_policy_signature to :"app_role";
