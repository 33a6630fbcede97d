-- Whether all gates were closed at p_at (business time). Locks nothing.
create or replace function gates_were_closed(p_organization_id uuid, p_at timestamptz) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from gate_closings g where g.organization_id = p_organization_id and g.closed_at <= p_at
    and (g.opened_at is null or g.opened_at > p_at))
$$;

grant execute on function gates_were_closed to :"app_role";
