-- Payees: accounts of others, registered at the bank, that money may be sent to once a member has confirmed them.
-- while serving: both defaults are constants, so no row is written
alter table organizations
  add column payee_cool_off_above_in_cents bigint not null default 50000 check (payee_cool_off_above_in_cents >= 0),
  add column payee_cool_off_hours integer not null default 24 check (payee_cool_off_hours between 0 and 720);
comment on column organizations.payee_cool_off_above_in_cents is
  'While a new or changed payee cools off, orders to it that together exceed this wait.';

alter table accounts add column is_payee boolean not null default false;
comment on column accounts.is_payee is 'The confirmed account of the payee with this id. Never a source, and not the organization''s own money.';
-- while serving: organizations have at most a thousand accounts each; the checks read them in milliseconds
alter table accounts drop constraint accounts_check,
  add constraint accounts_check check (
    case when is_payee then type = 'EXTERNAL_ACCOUNT' and external_account_type is null and connection_id is null
      else (type = 'EXTERNAL_ACCOUNT') = (external_account_type is not null) end);

create table payees (
  organization_id  uuid not null,
  id               uuid not null,
  name             text not null check (length(name) between 1 and 60),
  kind             text not null check (kind in ('BUSINESS', 'INDIVIDUAL')),
  rail             text not null check (rail in ('ACH')),
  email            text check (length(email) <= 254),
  reason           text check (length(reason) <= 1000),
  proposed_by_kind text not null check (proposed_by_kind in ('MEMBER', 'API_KEY')),
  proposed_by_id   uuid not null,
  proposed_by_name text not null check (length(proposed_by_name) <= 200),
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  version          integer not null default 0 check (version >= 0),
  confirmed_at     timestamptz,
  cools_off_until  timestamptz,
  bank_reference   text check (length(bank_reference) between 1 and 200),
  removed_at       timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  constraint payees_are_registered check ((version = 0) = (confirmed_at is null) and (version = 0) = (bank_reference is null))
);
comment on table payees is 'Its account exists under the same id once a member has confirmed it, so nothing can be sent before.';
comment on column payees.reason is 'Why a program proposed it.';
comment on column payees.version is 'How often a member confirmed it; 0: never.';
comment on column payees.confirmed_at is 'Of this version; business time.';
comment on column payees.bank_reference is 'The bank''s reference of the account of this version. The number itself is only at the bank.';
create unique index payees_by_name on payees (organization_id, lower(name)) where (removed_at is null and version > 0);
grant insert, select on payees to :"app_role";
grant update (email, updated_at, removed_at) on payees to :"app_role";

create table payee_details (
  organization_id      uuid not null,
  id                   uuid not null,
  payee_id             uuid not null,
  state                text not null check (state in ('WAITING', 'CONFIRMED', 'DECLINED', 'REPLACED')),
  name                 text not null check (length(name) between 1 and 60),
  kind                 text not null check (kind in ('BUSINESS', 'INDIVIDUAL')),
  rail                 text not null check (rail in ('ACH')),
  holder_name          text not null check (length(holder_name) between 1 and 100),
  account_kind         text not null check (account_kind in ('CHECKING', 'SAVINGS')),
  bank_reference       text not null check (length(bank_reference) between 1 and 200),
  routing_number_last4 text not null check (routing_number_last4 ~ '^[0-9]{4}$'),
  account_number_last4 text not null check (account_number_last4 ~ '^[0-9]{4}$'),
  given_by_kind        text not null check (given_by_kind in ('MEMBER', 'PAYEE')),
  given_by_id          uuid,
  given_by_name        text not null check (length(given_by_name) <= 200),
  given_at             timestamptz not null,
  decided_by           uuid,
  decided_at           timestamptz,
  call_back_note       text check (length(call_back_note) between 1 and 500),
  primary key (organization_id, id),
  foreign key (organization_id, payee_id) references payees (organization_id, id),
  foreign key (decided_by) references users (id),
  constraint payee_details_check check ((state in ('CONFIRMED', 'DECLINED')) = (decided_at is not null))
);
comment on table payee_details is 'Accounts given for a payee. The last one that a member confirmed is in use; at most one waits.';
comment on column payee_details.id is 'The idempotency key of its registration at the bank.';
comment on column payee_details.given_by_kind is 'PAYEE: through the link that a member sent.';
create unique index payee_details_waiting on payee_details (organization_id, payee_id) where (state = 'WAITING');
create index payee_details_of_payee on payee_details (organization_id, payee_id, given_at desc);
grant insert, select on payee_details to :"app_role";
grant update (state, decided_by, decided_at) on payee_details to :"app_role";

create table payee_events (
  organization_id      uuid not null,
  id                   uuid not null,
  payee_id             uuid not null,
  kind                 text not null check (kind in ('PROPOSED', 'DETAILS_GIVEN', 'CONFIRMED', 'DECLINED', 'REMOVED',
    'INVITED')),
  by_kind              text not null check (by_kind in ('MEMBER', 'API_KEY', 'PAYEE')),
  by_id                uuid,
  by_name              text not null check (length(by_name) <= 200),
  at                   timestamptz not null,
  name                 text not null check (length(name) between 1 and 60),
  account_number_last4 text check (account_number_last4 ~ '^[0-9]{4}$'),
  version              integer,
  note                 text check (length(note) between 1 and 1000),
  primary key (organization_id, id),
  foreign key (organization_id, payee_id) references payees (organization_id, id)
);
comment on table payee_events is 'What happened to a payee and who did it; written once.';
comment on column payee_events.name is 'Of the payee, at the time.';
comment on column payee_events.note is 'Of a confirmation: who was called back. Of a proposal: its reason. Of an invitation: the address.';
create index payee_events_of_payee on payee_events (organization_id, payee_id, id desc);
grant insert, select on payee_events to :"app_role";

create table payee_links (
  organization_id uuid not null,
  id              uuid not null,
  payee_id        uuid not null,
  token_hash      bytea not null check (length(token_hash) = 32),
  sent_to         text not null check (length(sent_to) <= 254),
  sent_by         uuid not null,
  sent_at         timestamptz not null,
  expires_at      timestamptz not null,
  primary key (organization_id, id),
  unique (token_hash),
  foreign key (organization_id, payee_id) references payees (organization_id, id),
  foreign key (sent_by) references users (id)
);
comment on table payee_links is 'Links through which payees type their own details; deleted when used, replaced or removed.';
comment on column payee_links.token_hash is 'SHA-256 of 256 random bits. The token itself is in one email only.';
comment on column payee_links.sent_at is 'Real time, like its expiry.';
create unique index payee_links_of_payee on payee_links (organization_id, payee_id);
create index payee_links_by_expiry on payee_links (expires_at);
grant delete, insert, select on payee_links to :"app_role";

alter table transfers add column payee_version integer;
comment on column transfers.payee_version is
  'Of the payee that it pays, when it was accepted. It is not sent if the payee has changed by then.';

-- while serving: notices are deleted with their messages after 90 days; the check reads the rest in milliseconds
alter table notices drop constraint notices_kind_check,
  add constraint notices_kind_check check (kind in ('APPROVAL_ASKED', 'APPROVAL_REMINDER', 'APPROVAL_DECIDED',
    'RULE_RUN_FAILED', 'TRANSFER_RETURNED', 'TRANSFER_REFUSED', 'ENDPOINT_DISABLED', 'KEY_CREATED',
    'ASSISTANT_CONNECTED', 'NEW_DEVICE', 'MEMBER_JOINED', 'GATES_CLOSED', 'GATES_OPENED', 'WEEK', 'KEY_UNUSUAL',
    'RULE_PROPOSED', 'ACCOUNT_CORRECTED', 'PAYEE_CHANGED'));
-- while serving: members made a few of these rows each; the check reads them in milliseconds
alter table notification_preferences drop constraint notification_preferences_topic_check,
  add constraint notification_preferences_topic_check check (topic in ('APPROVALS', 'DECISIONS', 'RETURNS', 'RULE_RUNS',
    'ENDPOINTS', 'SECURITY', 'GATES', 'WEEK', 'UNUSUAL_USE', 'RULE_PROPOSALS', 'PAYEES'));
-- while serving: members made a few thousand of these rows at most; the check reads them in milliseconds
alter table organization_changes drop constraint organization_changes_kind_check,
  add constraint organization_changes_kind_check check (kind in ('RENAMED', 'TIME_ZONE', 'NEW_POD_FLOOR',
    'BENEFICIARY_RENAMED', 'BENEFICIARY_REMOVED', 'DEFAULT_BENEFICIARY', 'MEMBER_ROLE', 'MEMBER_REMOVED', 'KEY_CAP',
    'SECOND_FACTOR', 'ACCOUNT_RENAMED', 'ACCOUNT_FLOOR', 'ENDPOINT', 'CLOCK_MOVED', 'ACCOUNT_OPENED', 'ACCOUNT_CLOSED',
    'ACCOUNT_REOPENED', 'MEMBER_INVITED', 'INVITATION_WITHDRAWN', 'MEMBER_JOINED', 'CARD_STATUS', 'BANK_DISCONNECTED',
    'PAYEE_COOL_OFF'));

create table sandbox_bank_outside_accounts (
  organization_id      uuid not null,
  outside_account_id   uuid not null,
  reference            text not null,
  holder_name          text not null,
  routing_number_last4 text not null check (routing_number_last4 ~ '^[0-9]{4}$'),
  account_number_last4 text not null check (account_number_last4 ~ '^[0-9]{4}$'),
  primary key (organization_id, outside_account_id)
);
grant insert, select on sandbox_bank_outside_accounts to :"app_role";
grant update (reference) on sandbox_bank_outside_accounts to :"app_role";
alter table sandbox_bank_orders add column outside_reference text;
