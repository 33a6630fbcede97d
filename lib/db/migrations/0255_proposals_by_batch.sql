-- outside a transaction: proposals are written while this is made
-- The lines of a batch, read and locked together. Proposals without one never enter it.
create unique index concurrently proposals_by_batch on proposals (organization_id, batch_id, batch_line)
  where (batch_id is not null);
