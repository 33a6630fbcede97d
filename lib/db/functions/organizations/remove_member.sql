-- Removes a member, or lets one leave; returns OK, or why not (may_change_member). Ends the assistants that they
-- connected, the links that they sent and their sessions in this organization; keys that they created belong to the organization and stay.
-- p_now: business time; p_real_now: real time. Locks their sessions, the organization, their assistants, the memberships
-- (may_change_member), then each assistant as revoke_api_key does: a confirmed act of theirs takes them in this order.
create or replace function remove_member(p_organization_id uuid, p_by uuid, p_user_id uuid, p_now timestamptz,
  p_real_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_answer text;
begin
  perform 1 from sessions s where s.user_id = p_user_id and s.revoked_at is null order by s.id for update;
  perform 1 from organizations o where o.id = p_organization_id for no key update;
  perform 1 from api_keys a
    where a.organization_id = p_organization_id and a.created_by = p_user_id and a.client_id is not null
      and a.revoked_at is null
    order by a.id for update;
  v_answer := may_change_member(p_organization_id, p_by, p_user_id, null);
  if v_answer <> 'OK' then return v_answer; end if;
  perform revoke_api_key(p_organization_id, k.id, p_by, 'MEMBER', p_now)
    from (select a.id from api_keys a
           where a.organization_id = p_organization_id and a.created_by = p_user_id and a.client_id is not null
             and a.revoked_at is null
           order by a.id) k;
  perform end_links_of(p_organization_id, p_user_id, null);
  delete from memberships m where m.organization_id = p_organization_id and m.user_id = p_user_id;
  update sessions s set revoked_at = p_real_now
    where s.user_id = p_user_id and s.revoked_at is null
      and (s.organization_id = p_organization_id
        -- They belong to no organization any more.
        or not exists (select from memberships m where m.user_id = p_user_id));
  return v_answer;
end $$;

grant execute on function remove_member to :"app_role";
