-- The first day of the calendar month of p_at in the organization's time zone. Locks nothing.
create or replace function calendar_month(p_organization_id uuid, p_at timestamptz) returns date
language sql stable security definer set search_path = public, pg_temp as $$
  select date_trunc('month', p_at at time zone time_zone)::date from organizations where id = p_organization_id
$$;
