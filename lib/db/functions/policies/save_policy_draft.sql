-- Saves the organization's one draft, and returns its version and revision; null: another draft or revision was saved
-- first. Ends the signatures that the draft had: they were for another text. Raises if the user may not.
-- p_draft: { organizationId, userId, version, revision, definition, now }; without a version, begins a draft
-- The caller holds the organization FOR NO KEY UPDATE.
create or replace function save_policy_draft(p_draft jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_organization_id uuid := (p_draft ->> 'organizationId')::uuid;
  v_user_id uuid := (p_draft ->> 'userId')::uuid;
  v_now timestamptz := (p_draft ->> 'now')::timestamptz;
  v_version integer := (p_draft ->> 'version')::integer;
  v_revision integer;
begin
  perform require_policy_decider(v_organization_id, v_user_id);
  if v_version is null then
    if exists (select from approval_policies where organization_id = v_organization_id
        and state in ('DRAFT', 'SIGNING')) then
      return null;
    end if;
    select coalesce(max(version), 0) + 1 into v_version from approval_policies
     where organization_id = v_organization_id;
    insert into approval_policies (organization_id, version, state, definition, created_by, saved_by, created_at,
        updated_at)
      values (v_organization_id, v_version, 'DRAFT', p_draft -> 'definition', v_user_id, v_user_id, v_now, v_now);
    return jsonb_build_object('version', v_version, 'revision', 1);
  end if;
  update approval_policies set definition = p_draft -> 'definition', state = 'DRAFT', signing_since = null,
      signing_expires_at = null, begun_by = null, saved_by = v_user_id, revision = revision + 1, updated_at = v_now
   where organization_id = v_organization_id and version = v_version and state in ('DRAFT', 'SIGNING')
     and revision = (p_draft ->> 'revision')::integer
  returning revision into v_revision;
  if not found then return null; end if;
  perform withdraw_policy_signatures(v_organization_id, v_version, null, v_now);
  return jsonb_build_object('version', v_version, 'revision', v_revision);
end $$;

grant execute on function save_policy_draft to :"app_role";
