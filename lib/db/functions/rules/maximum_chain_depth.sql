-- The longest chain of rules that set each other off: a run after ten others is recorded as failed and moves nothing.
-- Locks nothing.
create or replace function maximum_chain_depth() returns integer language sql immutable as $$ select 10 $$;
