-- Whether a key has maximum_waiting proposals waiting. Locks nothing: requests at the same moment may exceed the
-- maximum by their number.
create or replace function has_too_many_waiting(p_organization_id uuid, p_key_id uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select count(*) >= maximum_waiting() from (
    select from proposals p where p.organization_id = p_organization_id and p.api_key_id = p_key_id and p.state = 'WAITING'
      limit maximum_waiting()) waiting
$$;
