-- outside a transaction: transfers are written while this is made
-- What a mandate counts: failed and canceled ones leave it. Transfers without a mandate never enter it.
create index concurrently transfers_under_mandate on transfers (organization_id, mandate_id, accepted_at)
  include (amount_in_cents) where (mandate_id is not null and status in ('PROCESSING', 'COMPLETE', 'RETURNED'));
