-- Gives a waiting proposal the hours, counted from its birth, that the policy leaves people to decide it; its reminder is
-- due when a twelfth is left.
-- Locks the proposal.
create or replace function set_time_to_decide(p_organization_id uuid, p_proposal_id uuid, p_hours integer)
returns timestamptz
language sql security definer set search_path = public, pg_temp as $$
  update proposals p set expires_at = p.created_at + p_hours * interval '1 hour',
      remind_at = case when p.remind_at is not null then p.created_at + p_hours * interval '55 minutes' end
    where p.organization_id = p_organization_id and p.id = p_proposal_id and p.state = 'WAITING'
      and p.policy_version is not null
    returning p.expires_at
$$;

grant execute on function set_time_to_decide to :"app_role";
