-- A new UUIDv7 of p_at (business time), for rows that the database itself creates. Locks nothing.
create or replace function new_id(p_at timestamptz) returns uuid
language sql volatile as $$
  select overlay(id_at(gen_random_uuid(), p_at)::text placing '7' from 15 for 1)::uuid
$$;
