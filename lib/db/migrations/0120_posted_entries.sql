-- Functions move balances in the statement that writes entries (post_entries), instead of triggers on the table.

-- Loses its default when post_entries is installed (see there): an insert from anywhere else is refused.
alter table entries add column is_posted boolean not null default true;
comment on column entries.is_posted is 'Written by post_entries, which moves the balances in the same statement. Has no default, so that an INSERT without balances is refused.';

create type posting as (
  organization_id        uuid,
  id                     uuid,
  transfer_id            uuid,
  card_transaction_id    uuid,
  kind                   text,
  debit_ledger_id        uuid,
  credit_ledger_id       uuid,
  amount_in_cents        bigint,
  releases_hold_in_cents bigint,
  booked_at              timestamptz
);

-- An item of create_transfers; the key and the result of its idempotency are null if it has none.
create type asked_transfer as (
  place                    bigint,
  organization_id          uuid,
  api_key_id               uuid,
  now                      timestamptz,
  status                   text,
  execution_mode           text,
  id                       uuid,
  direction                text,
  origin                   text,
  amount_in_cents          bigint,
  description              text,
  source_account_id        uuid,
  destination_account_id   uuid,
  reason_for_approval      text,
  proposed_by_kind         text,
  proposed_by_id           uuid,
  proposed_by_name         text,
  expected_completion_date date,
  idempotency              jsonb,
  has_its_key              boolean,
  audit                    jsonb
);
