-- What a capped key has set moving in the last 24 hours. Not on a day of the organization's time zone: changing
-- that would start the cap over. Without an end: another process may be ahead of p_now (business time). Locks nothing.
create or replace function key_used(p_organization_id uuid, p_key_id uuid, p_now timestamptz) returns bigint
language sql volatile security definer set search_path = public, pg_temp as $$
  select coalesce(sum(c.in_cents), 0)::bigint from key_charges c
   where c.organization_id = p_organization_id and c.api_key_id = p_key_id
     and c.minute > p_now - interval '24 hours 1 minute' and c.last_at > p_now - interval '24 hours'
$$;

grant execute on function key_used to :"app_role";
