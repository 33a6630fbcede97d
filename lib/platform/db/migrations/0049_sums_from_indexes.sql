-- Sums over many rows are read from an index that carries the amounts: a busy account books ten thousand times a year,
-- and each row that a sum fetches lies on a page of its own.

-- A statement (lib/core/accounts/read-statement.ts). An entry never changes, so its indexes have nothing to follow.
drop index entries_by_debit;
create index entries_by_debit on entries (organization_id, debit_ledger_id, id desc) include (amount_in_cents);
drop index entries_by_credit;
create index entries_by_credit on entries (organization_id, credit_ledger_id, id desc) include (amount_in_cents);

-- What crossed the border (lib/core/movements/count-movements.ts).
drop index transfers_across_border;
create index transfers_across_border on transfers (organization_id, completed_at)
  include (direction, status, amount_in_cents)
  where direction <> 'INTERNAL' and execution_mode = 'LIVE' and status in ('COMPLETE', 'RETURNED');

-- What was taken from an account outside since its balance was told (lib/core/keys/read-key-accounts.ts): of a busy one
-- the pages of keys read every transfer there was. Only what crosses the border can come from outside.
create index transfers_taken_outside on transfers (organization_id, source_account_id, accepted_at)
  include (amount_in_cents)
  where direction <> 'INTERNAL' and execution_mode = 'LIVE' and status in ('PROCESSING', 'COMPLETE');
