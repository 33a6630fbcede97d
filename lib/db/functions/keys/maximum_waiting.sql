-- The most proposals of one key, or runs of one hook, that may wait at once: more than that nobody decides. Further requests are refused.
-- Locks nothing.
create or replace function maximum_waiting() returns integer language sql immutable as $$ select 100 $$;
