-- The first step of an accepted transfer: BOOK between managed accounts, SUBMIT to the bank for all others, FAIL if it
-- was refused. Locks nothing.
create or replace function first_step(p_direction text, p_error_code text) returns text
language sql immutable as $$
  select case when p_error_code is not null then 'FAIL' when p_direction = 'INTERNAL' then 'BOOK' else 'SUBMIT' end
$$;
