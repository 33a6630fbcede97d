-- Whether a transfer failed because the bank refused or returned it, not for lack of money or a closed account. Locks
-- nothing.
create or replace function is_of_bank(p_error_code text) returns boolean
language sql immutable as $$
  select p_error_code is null or p_error_code like 'ACH\_%'
$$;
