-- Counts an amount toward what a key has set moving today; nothing for a key without a daily cap. The caller has
-- checked the cap; check_violation is raised if it would still be exceeded, so no path can forget the check.
-- Locks the key's day, which the caller holds already (lock_key_days).
create or replace function charge_key(p_organization_id uuid, p_key_id uuid, p_amount_in_cents bigint, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_cap bigint;
begin
  select k.daily_cap_in_cents into v_cap from api_keys k where k.organization_id = p_organization_id and k.id = p_key_id;
  if v_cap is null then return; end if;
  insert into key_days as d (organization_id, api_key_id, day, used_in_cents)
    values (p_organization_id, p_key_id, day_of(p_organization_id, p_now), p_amount_in_cents)
    on conflict (organization_id, api_key_id, day) do update set used_in_cents = d.used_in_cents + excluded.used_in_cents
      where d.used_in_cents + excluded.used_in_cents <= v_cap;
  if not found or p_amount_in_cents > v_cap then
    raise exception 'key % would pass its daily cap', p_key_id using errcode = 'check_violation';
  end if;
end $$;
