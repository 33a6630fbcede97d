-- The most batches of one key that may wait at once, each as one of its maximum_waiting proposals: it bounds the transfers
-- that end with the key in one statement. Locks nothing.
create or replace function maximum_waiting_batches() returns integer language sql immutable as $$ select 10 $$;
