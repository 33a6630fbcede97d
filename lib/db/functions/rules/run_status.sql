-- The status of a run whose transfers have these counts: IN_PROGRESS while one is pending, then EXECUTED | PARTIAL |
-- FAILED. Locks nothing.
create or replace function run_status(p_completed bigint, p_failed bigint, p_pending bigint) returns text
language sql immutable as $$
  select case when p_pending > 0 then 'IN_PROGRESS' when p_failed = 0 then 'EXECUTED'
    when p_completed > 0 then 'PARTIAL' else 'FAILED' end
$$;
