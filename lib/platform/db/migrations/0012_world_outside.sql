-- What is seen of the world outside: institutions that are connected, what moved on accounts there, and the cards that
-- spend from pods. None of it is our books, but for the entries of cards.

create table connections (
  organization_id    uuid not null references organizations (id),
  id                 uuid not null,
  provider           text not null check (provider in ('SANDBOX', 'PLAID')),
  -- The provider's name for this connection, and for the institution.
  provider_item_id   text not null check (length(provider_item_id) between 1 and 200),
  institution_id     text not null check (length(institution_id) between 1 and 200),
  institution_name   text not null check (length(institution_name) between 1 and 200),
  -- NEEDS_SIGN_IN: the institution wants its customer again; what was last known stays.
  status             text not null check (status in ('ACTIVE', 'NEEDS_SIGN_IN', 'DISCONNECTED')),
  error_code         text,
  -- The provider's access token, sealed (platform/seal). Null where the provider needs none.
  sealed_access_token bytea,
  -- Where the provider's stream of transactions was read up to.
  cursor             text,
  created_by         uuid references users (id),
  created_at         timestamptz not null,
  last_refreshed_at  timestamptz,
  -- Business time of the next refresh; null when it is not refreshed.
  refresh_due_at     timestamptz,
  attempts           integer not null default 0,
  -- Real time.
  leased_until       timestamptz,
  primary key (organization_id, id),
  check ((status = 'ACTIVE') = (refresh_due_at is not null))
);
create unique index connections_by_item on connections (provider, provider_item_id);
create index connections_to_refresh on connections (refresh_due_at) where refresh_due_at is not null;

alter table accounts
  add column connection_id uuid,
  add column provider_account_id text check (length(provider_account_id) <= 200),
  add foreign key (organization_id, connection_id) references connections (organization_id, id),
  add check (connection_id is null or type = 'EXTERNAL_ACCOUNT'),
  add check ((connection_id is null) = (provider_account_id is null));
create unique index accounts_by_provider on accounts (organization_id, connection_id, provider_account_id)
  where connection_id is not null;

create table external_transactions (
  organization_id         uuid not null,
  id                      uuid not null,
  account_id              uuid not null,
  provider_transaction_id text not null check (length(provider_transaction_id) between 1 and 200),
  amount_in_cents         bigint not null check (amount_in_cents > 0),
  direction               text not null check (direction in ('MONEY_IN', 'MONEY_OUT')),
  status                  text not null check (status in ('PENDING', 'COMPLETE')),
  description             text not null check (length(description) <= 500),
  transaction_date        timestamptz not null,
  merchant_name           text check (length(merchant_name) <= 200),
  category                text check (category in ('HOUSING_AND_UTILITIES', 'FOOD_AND_DRINK', 'TRANSPORTATION', 'SHOPPING',
    'HEALTH_AND_PERSONAL_CARE', 'ENTERTAINMENT_AND_TRAVEL', 'DEBT_AND_FEES', 'OTHER')),
  -- The transfer of ours whose other side this is, where it is one: it is neither income nor spending.
  transfer_id             uuid,
  created_at              timestamptz not null,
  updated_at              timestamptz not null,
  -- A pending transaction that the institution took back. It is shown no longer, and kept.
  vanished_at             timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id),
  check (vanished_at is null or status = 'PENDING')
);
create unique index external_transactions_by_provider
  on external_transactions (organization_id, account_id, provider_transaction_id);
create index external_transactions_by_date
  on external_transactions (organization_id, transaction_date desc, id desc) where vanished_at is null;
create index external_transactions_by_account
  on external_transactions (organization_id, account_id, transaction_date desc, id desc) where vanished_at is null;

create table cards (
  organization_id        uuid not null,
  id                     uuid not null,
  card_type              text not null check (card_type in ('DEBIT_CARD', 'OMNI_CARD')),
  name                   text not null check (length(name) between 1 and 60),
  number_last4           text not null check (number_last4 ~ '^[0-9]{4}$'),
  -- The pod that it spends from.
  account_id             uuid not null,
  holder_id              uuid references users (id),
  -- How much it may spend in a calendar month of the organization; null for no limit of its own.
  monthly_limit_in_cents bigint check (monthly_limit_in_cents > 0),
  status                 text not null check (status in ('ACTIVE', 'FROZEN', 'CLOSED')),
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id)
);

-- Settled purchases, refunds and payouts.
create table card_transactions (
  organization_id   uuid not null,
  id                uuid not null,
  card_id           uuid not null,
  account_id        uuid not null,
  subtype           text not null check (subtype in ('PURCHASE', 'REFUND', 'PAYOUT')),
  amount_in_cents   bigint not null check (amount_in_cents > 0),
  description       text not null check (length(description) <= 200),
  category          text check (category in ('HOUSING_AND_UTILITIES', 'FOOD_AND_DRINK', 'TRANSPORTATION', 'SHOPPING',
    'HEALTH_AND_PERSONAL_CARE', 'ENTERTAINMENT_AND_TRAVEL', 'DEBT_AND_FEES', 'OTHER')),
  -- The card network's reference: what is told twice counts once.
  network_reference text not null check (length(network_reference) between 1 and 200),
  created_at        timestamptz not null,
  completed_at      timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, card_id) references cards (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id)
);
create unique index card_transactions_by_reference on card_transactions (organization_id, network_reference);
create index card_transactions_by_account on card_transactions (organization_id, account_id, id desc);
create index card_transactions_by_card on card_transactions (organization_id, card_id, id desc);

grant select on connections, external_transactions, cards, card_transactions to :"app_role";
