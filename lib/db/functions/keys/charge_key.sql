-- Counts an amount toward what a key has set moving in the last 24 hours; nothing for a key without a daily cap. The
-- caller has checked the cap; check_violation is raised if it would still be exceeded, so no path can forget the check.
-- Locks the key's use, which the caller holds already (lock_key_uses).
create or replace function charge_key(p_organization_id uuid, p_key_id uuid, p_amount_in_cents bigint, p_now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_cap bigint;
begin
  select k.daily_cap_in_cents into v_cap from api_keys k where k.organization_id = p_organization_id and k.id = p_key_id;
  if v_cap is null then return; end if;
  perform lock_key_use(p_key_id);
  if key_used(p_organization_id, p_key_id, p_now) + p_amount_in_cents > v_cap then
    raise exception 'key % would pass its daily cap', p_key_id using errcode = 'check_violation';
  end if;
  insert into key_charges as c (organization_id, api_key_id, minute, last_at, in_cents)
    values (p_organization_id, p_key_id, date_trunc('minute', p_now), p_now, p_amount_in_cents)
    on conflict (organization_id, api_key_id, minute) do update set in_cents = c.in_cents + excluded.in_cents,
      last_at = greatest(c.last_at, excluded.last_at);
  -- Twice as long as they count, for a process whose clock is behind.
  delete from key_charges c where c.organization_id = p_organization_id and c.api_key_id = p_key_id
    and c.minute < p_now - interval '48 hours';
end $$;
