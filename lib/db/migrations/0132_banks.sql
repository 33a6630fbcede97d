-- The inbox of the adapters of outside banks: what they learned from events, until the product has booked it.
create table bank_inbox (
  organization_id  uuid not null,
  notice_reference text not null check (length(notice_reference) <= 200),
  notice           jsonb not null,
  occurred_at      timestamptz not null,
  number           bigint not null generated always as identity,
  acknowledged_at  timestamptz,
  primary key (organization_id, notice_reference)
);
comment on column bank_inbox.number is 'Of two notices of one moment, a settlement comes before its return.';
comment on table bank_inbox is 'Written by the bank adapter in its own transactions, like the tables of the sandbox bank.';
create index bank_inbox_due on bank_inbox (organization_id, occurred_at, number)
  where acknowledged_at is null;
grant insert, select on bank_inbox to :"app_role";
grant update (acknowledged_at) on bank_inbox to :"app_role";

create table bank_events (
  feed       text not null check (length(feed) <= 100),
  id         text not null,
  created_at timestamptz not null,
  primary key (feed, id)
);
comment on table bank_events is 'Events already read. Each poll lists the last minutes again, because an event may appear late.';
comment on column bank_events.feed is 'Whose events: a bank, and the account there if it is a setting.';
create index bank_events_by_time on bank_events (feed, created_at);
grant delete, insert, select on bank_events to :"app_role";

create table adopted_bank_accounts (
  bank_account      text not null check (length(bank_account) between 1 and 200),
  organization_id   uuid not null,
  income_account_id uuid,
  deposits_after    timestamptz,
  primary key (bank_account)
);
comment on table adopted_bank_accounts is 'An account at a bank that the whole installation shares belongs to the first organization that needs it.';
comment on column adopted_bank_accounts.income_account_id is 'Receives the deposits, since such an account has one number.';
comment on column adopted_bank_accounts.deposits_after is 'Bank time. Earlier deposits are part of the balance that was booked when the account was adopted.';
grant insert, select on adopted_bank_accounts to :"app_role";
grant update (income_account_id, deposits_after) on adopted_bank_accounts to :"app_role";

create table mercury_recipients (
  organization_id       uuid not null,
  outside_account_id    uuid not null,
  recipient_id          text,
  routing_number_last4  text not null check (routing_number_last4 ~ '^[0-9]{4}$'),
  account_number_last4  text not null check (account_number_last4 ~ '^[0-9]{4}$'),
  claimed_at            timestamptz,
  primary key (organization_id, outside_account_id)
);
comment on table mercury_recipients is 'Mercury takes no idempotency key for a recipient: the row is claimed before the call.';
grant insert, select on mercury_recipients to :"app_role";
grant update (recipient_id, claimed_at) on mercury_recipients to :"app_role";

create table mercury_orders (
  organization_id uuid not null,
  transfer_id     uuid not null,
  bank_account    text not null,
  recipient_id    text not null,
  amount_in_cents bigint not null check (amount_in_cents > 0),
  tried_at        timestamptz not null,
  request_id      text,
  transaction_id  text,
  expected_at     timestamptz,
  refused_code    text,
  asked_at        timestamptz,
  ended_at        timestamptz,
  primary key (organization_id, transfer_id)
);
comment on table mercury_orders is 'Orders, written before they are sent: neither an approval request nor a transaction at Mercury names its idempotency key.';
comment on column mercury_orders.expected_at is 'When it settles, as first answered.';
comment on column mercury_orders.asked_at is 'When its state was last asked for, besides events.';
create unique index mercury_orders_request on mercury_orders (request_id) where request_id is not null;
create unique index mercury_orders_transaction on mercury_orders (transaction_id) where transaction_id is not null;
create index mercury_orders_open on mercury_orders (bank_account, asked_at)
  where ended_at is null and expected_at is not null;
create index mercury_orders_alike on mercury_orders (organization_id, recipient_id, amount_in_cents, tried_at);
grant insert, select on mercury_orders to :"app_role";
grant update (request_id, transaction_id, expected_at, refused_code, asked_at, ended_at) on mercury_orders to :"app_role";
