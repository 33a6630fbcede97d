-- Whether a key has maximum_waiting proposals waiting. While the caller holds the lock, nobody adds another.
-- Locks the key's waiting proposals (lock_waiting_proposals). Callers with several keys have locked them in order.
create or replace function has_too_many_waiting(p_organization_id uuid, p_key_id uuid) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  perform lock_waiting_proposals(array[p_key_id]);
  -- A separate statement, so that it sees what the previous holder of the lock committed.
  return count_waiting(p_organization_id, p_key_id) >= maximum_waiting();
end $$;
