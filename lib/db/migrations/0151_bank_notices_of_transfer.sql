-- outside a transaction: bank_notices is written while it is made
-- Reconciliation reads what the bank reported of a transfer.
create index concurrently bank_notices_of_transfer on bank_notices (organization_id, transfer_id);
