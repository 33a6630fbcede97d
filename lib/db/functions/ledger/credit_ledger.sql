-- The ledger that a transfer credits; the clearing ledger where money leaves the organization. Locks nothing.
create or replace function credit_ledger(t transfers, p_clearing_ledger_id uuid) returns uuid language sql immutable as $$
  select case when t.direction = 'MONEY_OUT' then p_clearing_ledger_id else t.destination_account_id end
$$;
