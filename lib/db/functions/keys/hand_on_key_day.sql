-- Gives a new key what the key that it replaces has used of its cap in the last 24 hours, so that replacing a key does
-- not start the cap over.
-- Locks nothing; the caller holds the old key FOR UPDATE, so nothing is charged to it until the commit.
create or replace function hand_on_key_day(p_organization_id uuid, p_old_id uuid, p_new_id uuid, p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into key_charges (organization_id, api_key_id, minute, last_at, in_cents)
    select c.organization_id, p_new_id, c.minute, c.last_at, c.in_cents from key_charges c
     where c.organization_id = p_organization_id and c.api_key_id = p_old_id and c.last_at > p_now - interval '24 hours'
    on conflict do nothing
$$;

grant execute on function hand_on_key_day to :"app_role";
