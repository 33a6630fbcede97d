-- Ends a mandate in force, or denies one that waits; what was accepted under it goes on. The state before: WAITING |
-- IN_FORCE | ENDED | DENIED; null: there is none (of this key). p_user_id null: its program withdraws it.
-- Locks the membership FOR SHARE, the mandate FOR UPDATE: of a use at the same moment, one comes first.
create or replace function end_mandate(p_organization_id uuid, p_id uuid, p_user_id uuid, p_key_id uuid, p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_state text;
begin
  if (p_user_id is null) = (p_key_id is null) then raise exception 'a member or its program ends a mandate'; end if;
  if p_user_id is not null then perform require_policy_decider(p_organization_id, p_user_id); end if;
  select m.state into v_state from mandates m
    where m.organization_id = p_organization_id and m.id = p_id and (p_key_id is null or m.api_key_id = p_key_id) for update;
  if not found or v_state in ('ENDED', 'DENIED') then return v_state; end if;
  update mandates m set state = case v_state when 'IN_FORCE' then 'ENDED' else 'DENIED' end, ended_at = p_now,
      ended_by = p_user_id, end_reason = case when p_user_id is null then 'PROGRAM' else 'MEMBER' end
    where m.organization_id = p_organization_id and m.id = p_id;
  return v_state;
end $$;

grant execute on function end_mandate to :"app_role";
