-- Gives a new key what people refused the key that it replaces for a time or for good: the program is the same, and would
-- ask again with its next key.
-- Locks nothing; the caller holds the old key FOR UPDATE, so no decision on its proposals commits until then.
create or replace function hand_on_denied_requests(p_organization_id uuid, p_old_id uuid, p_new_id uuid, p_now timestamptz)
returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into denied_requests (organization_id, api_key_id, request, proposal_id, ends_at)
    select d.organization_id, p_new_id, d.request, d.proposal_id, d.ends_at from denied_requests d
     where d.organization_id = p_organization_id and d.api_key_id = p_old_id and (d.ends_at is null or d.ends_at > p_now)
    on conflict do nothing
$$;

grant execute on function hand_on_denied_requests to :"app_role";
