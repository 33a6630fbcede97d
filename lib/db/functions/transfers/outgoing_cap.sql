-- What the organization may send out of Sluice within 24 hours; null: no limit, because an owner lifted it or because its bank
-- moves no real money. Locks nothing.
create or replace function outgoing_cap(p_organization_id uuid) returns bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select o.outgoing_cap_in_cents from organizations o
    where o.id = p_organization_id and exists (select from bank_in_use b where b.is_production)
$$;

grant execute on function outgoing_cap to :"app_role";
