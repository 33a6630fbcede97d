-- Whether p_by may give p_user_id the role p_role (null: remove them): OK | MAY_NOT | MISSING | LAST_OWNER. Any member
-- may leave, except the last owner. The answer holds until the commit.
-- Locks the organization FOR NO KEY UPDATE, then the membership of p_by FOR SHARE and that of p_user_id FOR UPDATE. Of
-- two owners who demote or remove each other, the second sees what the first did.
create or replace function may_change_member(p_organization_id uuid, p_by uuid, p_user_id uuid, p_role text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_own_role text;
  v_role text;
begin
  perform 1 from organizations o where o.id = p_organization_id for no key update;
  select m.role into v_own_role from memberships m
    where m.organization_id = p_organization_id and m.user_id = p_by for share;
  select m.role into v_role from memberships m
    where m.organization_id = p_organization_id and m.user_id = p_user_id for update;
  if v_own_role is null then return 'MAY_NOT'; end if;
  if v_role is null then return 'MISSING'; end if;
  -- p_role null and p_by = p_user_id: the member leaves.
  if not (p_role is null and p_by = p_user_id)
    and not (may_manage_role(v_own_role, v_role) and (p_role is null or may_manage_role(v_own_role, p_role)))
  then return 'MAY_NOT'; end if;
  if v_role = 'OWNER' and p_role is distinct from 'OWNER' and not exists (select from memberships m
    where m.organization_id = p_organization_id and m.role = 'OWNER' and m.user_id <> p_user_id)
  then return 'LAST_OWNER'; end if;
  return 'OK';
end $$;
