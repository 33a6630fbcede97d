-- The calendar date of p_at in the organization's time zone; null for an unknown organization. Locks nothing.
create or replace function day_of(p_organization_id uuid, p_at timestamptz) returns date
language sql stable security definer set search_path = public, pg_temp as $$
  select (p_at at time zone o.time_zone)::date from organizations o where o.id = p_organization_id
$$;
