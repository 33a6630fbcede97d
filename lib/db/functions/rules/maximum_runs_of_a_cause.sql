-- How many runs one cause may start, over all branches of its chain (docs/behavior/rules.md).
create or replace function maximum_runs_of_a_cause() returns integer language sql immutable as $$ select 50 $$;
