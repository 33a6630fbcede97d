-- The bank of this database, and how much an organization may send out of Sluice per day while that bank is real.
create table bank_in_use (
  is_only       boolean not null default true check (is_only),
  name          text not null check (length(name) between 1 and 100),
  is_production boolean not null,
  since         timestamptz not null,
  primary key (is_only)
);
comment on table bank_in_use is
  'The adapter that this database was first started with; without a row, the built-in sandbox bank. Its balances are of that bank, so it never changes.';
comment on column bank_in_use.is_production is 'Real money: outgoing caps apply.';
grant insert, select on bank_in_use to :"app_role";

-- while serving: the default is a constant, so no row is written
alter table organizations
  add column outgoing_cap_in_cents bigint default 100000 check (outgoing_cap_in_cents > 0);
comment on column organizations.outgoing_cap_in_cents is
  'What may leave Sluice per day of the organization; null: lifted by an owner. Applies only to real money (bank_in_use).';

create table outgoing_orders (
  organization_id uuid not null,
  transfer_id     uuid not null,
  left_at         timestamptz not null,
  primary key (organization_id, transfer_id),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id)
);
comment on table outgoing_orders is 'Real money only: when each payment out was first handed to the bank, which is the day that it counts toward.';
create index outgoing_orders_by_time on outgoing_orders (organization_id, left_at);
grant select on outgoing_orders to :"app_role";

-- while serving: notices are deleted with their messages after 90 days; the check reads the rest in milliseconds
alter table notices drop constraint notices_kind_check,
  add constraint notices_kind_check check (kind in ('APPROVAL_ASKED', 'APPROVAL_REMINDER', 'APPROVAL_DECIDED',
    'RULE_RUN_FAILED', 'TRANSFER_RETURNED', 'TRANSFER_REFUSED', 'ENDPOINT_DISABLED', 'KEY_CREATED',
    'ASSISTANT_CONNECTED', 'NEW_DEVICE', 'MEMBER_JOINED', 'GATES_CLOSED', 'GATES_OPENED', 'WEEK', 'KEY_UNUSUAL',
    'RULE_PROPOSED', 'ACCOUNT_CORRECTED', 'PAYEE_CHANGED', 'OUTGOING_CAP_CHANGED'));
-- while serving: members made a few of these rows each; the check reads them in milliseconds
alter table organization_changes drop constraint organization_changes_kind_check,
  add constraint organization_changes_kind_check check (kind in ('RENAMED', 'TIME_ZONE', 'NEW_POD_FLOOR',
    'BENEFICIARY_RENAMED', 'BENEFICIARY_REMOVED', 'DEFAULT_BENEFICIARY', 'MEMBER_ROLE', 'MEMBER_REMOVED', 'KEY_CAP',
    'SECOND_FACTOR', 'ACCOUNT_RENAMED', 'ACCOUNT_FLOOR', 'ENDPOINT', 'CLOCK_MOVED', 'ACCOUNT_OPENED', 'ACCOUNT_CLOSED',
    'ACCOUNT_REOPENED', 'MEMBER_INVITED', 'INVITATION_WITHDRAWN', 'MEMBER_JOINED', 'CARD_STATUS', 'BANK_DISCONNECTED',
    'PAYEE_COOL_OFF', 'OUTGOING_CAP'));
