-- The ledger that a transfer debits; the clearing ledger where money enters the organization. Locks nothing.
create or replace function debit_ledger(t transfers, p_clearing_ledger_id uuid) returns uuid language sql immutable as $$
  select case when t.direction = 'MONEY_IN' then p_clearing_ledger_id else t.source_account_id end
$$;
