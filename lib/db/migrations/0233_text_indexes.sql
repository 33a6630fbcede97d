-- outside a transaction: the tables are written while these are made
-- A move between own accounts without a label enters none of them.
create index concurrently transfers_by_label_text on transfers using gin (organization_id, description gin_trgm_ops)
  where description is not null;
create index concurrently transfers_by_counterparty_text on transfers using gin (organization_id, counterparty_name
  gin_trgm_ops) where counterparty_name is not null;
create index concurrently card_transactions_by_text on card_transactions using gin (organization_id, description
  gin_trgm_ops);
create index concurrently external_transactions_by_text on external_transactions using gin (organization_id,
  description gin_trgm_ops, merchant_name gin_trgm_ops) where vanished_at is null;
