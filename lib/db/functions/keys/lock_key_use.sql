-- Freezes what a key has used of its daily cap until the commit (advisory lock). Comes after the key and before the
-- limits and ledgers.
create or replace function lock_key_use(p_key_id uuid) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended(p_key_id || '|cap', 0))
$$;
