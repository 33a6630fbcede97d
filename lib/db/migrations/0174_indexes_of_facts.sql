-- outside a transaction: the tables are written while these are made
-- Both are read for every outside account whose balance a rule uses: with the IDs and states in them, no row is visited.
create index concurrently transfers_that_reached_outside on transfers (organization_id, destination_account_id,
  completed_at) include (amount_in_cents, id) where direction <> 'INTERNAL' and execution_mode = 'LIVE' and
  status = 'COMPLETE';
drop index concurrently if exists transfers_brought_outside;
create unique index concurrently external_transactions_of_transfers on external_transactions (organization_id,
  transfer_id, direction) include (account_id, status, vanished_at) where transfer_id is not null;
drop index concurrently if exists external_transactions_by_transfer;
-- The log of what people did shows the latest.
create index concurrently rule_events_by_time on rule_events (organization_id, at desc) where by_user_id is not null;
