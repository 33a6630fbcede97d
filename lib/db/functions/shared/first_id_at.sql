-- The smallest UUIDv7 of p_at, to the millisecond: ids generated earlier sort before it, so a range of ids can stand in
-- for a range of time. Locks nothing.
create or replace function first_id_at(p_at timestamptz) returns uuid
language sql immutable as $$
  select (lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

grant execute on function first_id_at to :"app_role";
