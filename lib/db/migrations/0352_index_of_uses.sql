-- outside a transaction: transfers are written while the index is made
-- The uses of a mandate, newest first, whatever became of them: for its page and the list of its transfers. Without it, both
-- read all transfers of the organization.
create index concurrently transfers_of_mandate on transfers (organization_id, mandate_id, id desc)
  include (status, amount_in_cents) where (mandate_id is not null);
