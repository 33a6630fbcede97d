-- The advisory lock of an organization's gates: shared by transactions that move money, exclusive for a closing. Locks
-- nothing.
create or replace function gate_lock(p_organization_id uuid) returns bigint
language sql immutable as $$ select hashtextextended(p_organization_id || '|gates', 0) $$;
