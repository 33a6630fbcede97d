-- The versions of the policy whose requirements a proposal must meet: that of its birth and the one in force; 0 is the
-- default. Locks nothing.
create or replace function policy_versions_of(p_organization_id uuid, p_proposal_id uuid) returns integer[]
language sql stable security definer set search_path = public, pg_temp as $$
  select array(
    select coalesce(p.policy_version, 0) from proposals p
      where p.organization_id = p_organization_id and p.id = p_proposal_id
    union
    select a.version from approval_policies a where a.organization_id = p_organization_id and a.state = 'IN_FORCE'
    order by 1)
$$;
