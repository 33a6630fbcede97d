-- Discards the draft with the signatures that it has; false: there is no such draft. Raises if the user may not.
-- The caller holds the organization FOR NO KEY UPDATE.
create or replace function discard_policy_draft(p_organization_id uuid, p_version integer, p_user_id uuid,
  p_now timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform require_policy_decider(p_organization_id, p_user_id);
  update approval_policies set state = 'DISCARDED', signing_since = null, signing_expires_at = null, updated_at = p_now
   where organization_id = p_organization_id and version = p_version and state in ('DRAFT', 'SIGNING');
  if not found then return false; end if;
  perform withdraw_policy_signatures(p_organization_id, p_version, null, p_now);
  return true;
end $$;

grant execute on function discard_policy_draft to :"app_role";
