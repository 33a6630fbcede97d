-- A member denies the proposal that a rule stops. DENIED | ENDED (it no longer waits) | MISSING; raises if the user may
-- not. p_now: business time.
-- Locks the membership FOR SHARE, then the proposal.
create or replace function keep_rule_active(p_organization_id uuid, p_id uuid, p_user_id uuid, p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform require_rule_decider(p_organization_id, p_user_id);
  update rule_deactivation_proposals p set state = 'DENIED', decided_at = p_now, decided_by = p_user_id
    where p.organization_id = p_organization_id and p.id = p_id and p.state = 'WAITING' and p.expires_at > p_now;
  if found then return 'DENIED'; end if;
  return case when exists (select from rule_deactivation_proposals p
    where p.organization_id = p_organization_id and p.id = p_id) then 'ENDED' else 'MISSING' end;
end $$;

grant execute on function keep_rule_active to :"app_role";
