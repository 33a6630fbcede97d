-- Gives a new key what the key that it replaces has used of today's cap, so that replacing a key does not reset its
-- day.
-- Locks nothing; the caller holds the old key FOR UPDATE, so nothing is charged to it until the commit.
create or replace function hand_on_key_day(p_organization_id uuid, p_old_id uuid, p_new_id uuid, p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into key_days (organization_id, api_key_id, day, used_in_cents)
    select d.organization_id, p_new_id, d.day, d.used_in_cents from key_days d
     where d.organization_id = p_organization_id and d.api_key_id = p_old_id and d.day = day_of(p_organization_id, p_now)
    on conflict do nothing
$$;

grant execute on function hand_on_key_day to :"app_role";
