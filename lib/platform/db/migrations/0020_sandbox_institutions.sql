-- The sandbox institutions play companies outside: no foreign key leads from or to the product's tables. Of the product
-- they read nothing; of the sandbox bank they read its orders and notices, for both play one world.
--
-- What happens on an account is reckoned from its template, its id and the time, and not stored. Stored is only what
-- members made happen, as rows that stand beside or in place of what was reckoned.

create table sandbox_institution_items (
  organization_id uuid        not null,
  item_id         uuid        not null,
  institution_id  text        not null,
  -- Business time, as all times here.
  connected_at    timestamptz not null,
  removed_at      timestamptz,
  fault_kind      text check (fault_kind in ('UNAVAILABLE', 'SIGN_IN')),
  fault_code      text check (length(fault_code) between 1 and 100),
  -- The institution tells nothing newer than this.
  stale_since     timestamptz,
  -- Counts what members changed; a reader that has seen number n asks for what is above it.
  last_change     integer     not null default 0,
  primary key (organization_id, item_id),
  check ((fault_kind is null) = (fault_code is null))
);

create table sandbox_institution_accounts (
  organization_id          uuid    not null,
  item_id                  uuid    not null,
  account_id               uuid    not null,
  template                 text    not null,
  number_last4             text    not null check (number_last4 ~ '^[0-9]{4}$'),
  routing_number_last4     text    check (routing_number_last4 ~ '^[0-9]{4}$'),
  -- What it held, or owed, before the first day of its history.
  opening_balance_in_cents bigint  not null,
  history_from             date    not null,
  -- From here on its income and card payments come over Sluice, and the institution invents none.
  served_since             timestamptz,
  primary key (organization_id, account_id),
  foreign key (organization_id, item_id) references sandbox_institution_items (organization_id, item_id)
);
create index sandbox_institution_accounts_of_item on sandbox_institution_accounts (organization_id, item_id);
-- A bank order names the outside account by these digits.
create unique index sandbox_institution_accounts_by_number
  on sandbox_institution_accounts (organization_id, number_last4);

create table sandbox_institution_transactions (
  organization_id         uuid        not null,
  transaction_id          text        not null,
  item_id                 uuid        not null,
  account_id              uuid        not null,
  direction               text        not null check (direction in ('MONEY_IN', 'MONEY_OUT')),
  pending_amount_in_cents bigint      not null check (pending_amount_in_cents > 0),
  posted_amount_in_cents  bigint      not null check (posted_amount_in_cents > 0),
  description             text        not null check (length(description) between 1 and 200),
  merchant_name           text,
  provider_category       text,
  -- What it is called once it is posted; often another name than while it was pending.
  posted_id               text        not null,
  appears_at              timestamptz not null,
  enriched_at             timestamptz not null,
  settles_at              timestamptz,
  vanishes_at             timestamptz,
  change                  integer     not null,
  primary key (organization_id, transaction_id),
  foreign key (organization_id, item_id) references sandbox_institution_items (organization_id, item_id),
  check (settles_at is null or vanishes_at is null)
);
create index sandbox_institution_transactions_of_item
  on sandbox_institution_transactions (organization_id, item_id, change);

create index sandbox_bank_orders_by_account
  on sandbox_bank_orders (organization_id, outside_account_number_last4);

grant select, insert, update on sandbox_institution_items, sandbox_institution_transactions to :"app_role";
grant select, insert on sandbox_institution_accounts to :"app_role";
