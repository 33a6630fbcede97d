-- Settings of an organization and who changed them; and what a member adds to a password: an authenticator app.

alter table organizations
  -- What a new pod keeps back unless its form says otherwise; null: nothing.
  add column new_pod_floor_in_cents bigint check (new_pod_floor_in_cents > 0);

-- A removed beneficiary owns no open account and is offered to none; closed accounts go on naming it.
alter table beneficiaries add column removed_at timestamptz;

-- What members changed of their organization, its beneficiaries and its members; written once.
create table organization_changes (
  organization_id uuid not null references organizations (id),
  id              uuid not null,
  kind            text not null check (kind in ('RENAMED', 'TIME_ZONE', 'NEW_POD_FLOOR', 'BENEFICIARY_RENAMED',
    'BENEFICIARY_REMOVED', 'DEFAULT_BENEFICIARY', 'MEMBER_ROLE', 'MEMBER_REMOVED')),
  -- Whom or what it was about, by its name of then; null: the organization.
  subject         text check (length(subject) <= 300),
  value_before    text check (length(value_before) <= 200),
  value_after     text check (length(value_after) <= 200),
  changed_by      uuid not null references users (id),
  -- Business time.
  changed_at      timestamptz not null,
  primary key (organization_id, id)
);
grant select, insert on organization_changes to :"app_role";

alter table users
  -- Real time; null: as it was first set.
  add column password_changed_at timestamptz;

-- The one authenticator app of a person (RFC 6238: SHA-1, 6 digits, 30 seconds). All times are real time.
create table authenticators (
  user_id       uuid primary key references users (id),
  -- Sealed for this user alone (lib/platform/seal.ts): who reads the table cannot make codes.
  sealed_secret bytea not null check (length(sealed_secret) between 30 and 200),
  created_at    timestamptz not null,
  -- Null: shown, and no code of it was entered yet. Such a one counts for nothing.
  confirmed_at  timestamptz,
  -- The last step of 30 seconds whose code was used: a code counts once.
  last_step     bigint not null default 0 check (last_step >= 0)
);
grant select, insert, update, delete on authenticators to :"app_role";
