-- Sets or removes the daily cap of a key that has not ended. Returns CHANGED | MAY_NOT | MISSING. p_now: business time.
-- Locks the membership FOR SHARE, the key FOR NO KEY UPDATE, which the caller holds already, then its use (lock_key_use),
-- so that every charge comes before the change or after it.
create or replace function set_key_cap(p_organization_id uuid, p_id uuid, p_cap_in_cents bigint, p_by uuid, p_now timestamptz)
returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from memberships m where m.organization_id = p_organization_id and m.user_id = p_by
    and m.role in ('OWNER', 'CO_OWNER') for share;
  if not found then return 'MAY_NOT'; end if;
  update api_keys k set daily_cap_in_cents = p_cap_in_cents
    where k.organization_id = p_organization_id and k.id = p_id and k.client_id is null and k.revoked_at is null
      and (k.ends_at is null or k.ends_at > p_now);
  if not found then return 'MISSING'; end if;
  perform lock_key_use(p_id);
  return 'CHANGED';
end $$;

grant execute on function set_key_cap to :"app_role";
