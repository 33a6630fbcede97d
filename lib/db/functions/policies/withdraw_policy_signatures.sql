-- Ends the signatures of a version: of one person, or of everyone (null). Returns how many there were.
create or replace function withdraw_policy_signatures(p_organization_id uuid, p_version integer, p_user_id uuid,
  p_now timestamptz) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    update signatures set withdrawn_at = p_now
     where organization_id = p_organization_id and subject_kind = 'POLICY' and subject_id = p_version::text
       and withdrawn_at is null and (p_user_id is null or user_id = p_user_id)
    returning id)
  select count(*)::integer from ended
$$;
