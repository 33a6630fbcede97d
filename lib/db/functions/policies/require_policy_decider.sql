-- Raises unless the user is an owner or co-owner of the organization.
-- Locks the membership FOR SHARE.
create or replace function require_policy_decider(p_organization_id uuid, p_user_id uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from memberships where organization_id = p_organization_id and user_id = p_user_id
    and role in ('OWNER', 'CO_OWNER') for share;
  if not found then raise exception 'only an owner or co-owner changes who must approve'; end if;
end $$;
