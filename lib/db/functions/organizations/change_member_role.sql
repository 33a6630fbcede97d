-- Changes a member's role and ends the links that they may no longer send; returns OK, or why not (may_change_member: MAY_NOT | MISSING | LAST_OWNER). Locks the
-- organization, then both memberships (may_change_member).
create or replace function change_member_role(p_organization_id uuid, p_by uuid, p_user_id uuid, p_role text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_answer text := may_change_member(p_organization_id, p_by, p_user_id, p_role);
begin
  if v_answer = 'OK' then
    update memberships m set role = p_role where m.organization_id = p_organization_id and m.user_id = p_user_id;
    perform end_links_of(p_organization_id, p_user_id, p_role);
  end if;
  return v_answer;
end $$;

grant execute on function change_member_role to :"app_role";
