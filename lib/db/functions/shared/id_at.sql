-- p_id with its first 48 bits set to p_at in milliseconds, so that it sorts by that moment. Locks nothing.
create or replace function id_at(p_id uuid, p_at timestamptz) returns uuid
language sql immutable as $$
  select (lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0')
    || substr(replace(p_id::text, '-', ''), 13))::uuid
$$;
