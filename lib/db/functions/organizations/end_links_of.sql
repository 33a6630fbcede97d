-- Ends the links that a member sent and with p_role could no longer send (null: they left), so that
-- none comes alive again with the role. Called by change_member_role and remove_member, which hold the membership.
-- Locks the invitations and links to payees that it deletes.
create or replace function end_links_of(p_organization_id uuid, p_user_id uuid, p_role text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from invitations v
    where v.organization_id = p_organization_id and v.invited_by = p_user_id
      and not coalesce(may_manage_role(p_role, v.role), false);
  delete from payee_links l
    where l.organization_id = p_organization_id and l.sent_by = p_user_id
      and not coalesce(p_role in ('OWNER', 'CO_OWNER'), false);
$$;
