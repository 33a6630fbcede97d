-- How many proposals of a key wait, at most maximum_waiting; a batch is one. Locks nothing: while the caller holds the key's waiting
-- proposals (lock_waiting_proposals), nobody adds another.
create or replace function count_waiting(p_organization_id uuid, p_key_id uuid) returns bigint
language sql volatile security definer set search_path = public, pg_temp as $$
  select count(*) from (
    select from proposals p
      where p.organization_id = p_organization_id and p.api_key_id = p_key_id and p.state = 'WAITING'
        and (p.batch_line is null or p.batch_line = 1)
      limit maximum_waiting()) waiting
$$;
