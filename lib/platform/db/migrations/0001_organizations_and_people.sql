-- Organizations, their people, and how people prove who they are.

-- A function runs for the application only where a migration says so.
alter default privileges revoke execute on functions from public;

create table organizations (
  id                     uuid primary key,
  name                   text not null check (length(name) between 1 and 200),
  kind                   text not null check (kind in ('INDIVIDUAL', 'BUSINESS')),
  time_zone              text not null,
  -- Business time is real time plus this. Only ever forward: money that was due cannot become undue.
  clock_offset_ms        bigint not null default 0 check (clock_offset_ms >= 0),
  -- The bank partner's side of this organization's books.
  clearing_ledger_id     uuid not null,
  default_beneficiary_id uuid not null,
  created_at             timestamptz not null
);

create table beneficiaries (
  organization_id  uuid not null references organizations (id),
  id               uuid not null,
  name             text not null check (length(name) between 1 and 200),
  beneficiary_type text not null check (beneficiary_type in ('INDIVIDUAL', 'BUSINESS')),
  created_at       timestamptz not null,
  primary key (organization_id, id)
);

-- A person. Belongs to organizations through memberships, so it is found by email alone.
create table users (
  id                uuid primary key,
  email             text not null check (length(email) between 3 and 254),
  name              text not null check (length(name) between 1 and 200),
  password_hash     text not null,
  phone             text check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  phone_verified_at timestamptz,
  created_at        timestamptz not null
);
create unique index users_by_email on users (lower(email));

create table memberships (
  organization_id uuid not null references organizations (id),
  user_id         uuid not null references users (id),
  role            text not null check (role in ('OWNER', 'CO_OWNER', 'ACCOUNTANT', 'VIEWER')),
  created_at      timestamptz not null,
  primary key (organization_id, user_id)
);
create index memberships_by_user on memberships (user_id);

-- One row per signed-in browser; read on every request, so that ending one counts at once. All times are real time.
create table sessions (
  id               uuid primary key,
  user_id          uuid not null references users (id),
  -- Where this browser looks at the moment; the role in it is read from memberships.
  organization_id  uuid not null references organizations (id),
  -- How, and when, the person at this browser last proved who they are.
  method           text not null check (method in ('PASSWORD', 'PASSKEY', 'RECOVERY_CODE')),
  authenticated_at timestamptz not null,
  -- Within the hour: a session that nobody uses ends before it expires.
  last_seen_at     timestamptz not null,
  expires_at       timestamptz not null,
  revoked_at       timestamptz,
  user_agent       text not null check (length(user_agent) <= 400)
);
create index sessions_by_user on sessions (user_id, authenticated_at desc);

create table passkeys (
  -- As the authenticator chose it, base64url.
  credential_id text primary key check (length(credential_id) between 1 and 1400),
  user_id       uuid not null references users (id),
  public_key    bytea not null,
  -- Signature counter: a step back means a cloned authenticator.
  counter       bigint not null check (counter >= 0),
  transports    text[] not null,
  device_type   text not null check (device_type in ('singleDevice', 'multiDevice')),
  backed_up     boolean not null,
  name          text not null check (length(name) between 1 and 60),
  created_at    timestamptz not null,
  last_used_at  timestamptz
);
create index passkeys_by_user on passkeys (user_id, created_at);

-- A challenge given to a browser: for one purpose, one use, a few minutes. Found by its own 256 random bits.
create table challenges (
  challenge  text primary key,
  purpose    text not null check (purpose in ('SIGN_IN', 'ENROL', 'DECIDE', 'MANAGE')),
  user_id    uuid references users (id),
  session_id uuid references sessions (id),
  -- What exactly is confirmed (proposal, decision and digest), so that it confirms nothing else.
  bound_to   text not null check (length(bound_to) <= 400),
  expires_at timestamptz not null,
  used_at    timestamptz,
  -- Nobody is known yet while signing in; everything else belongs to one person at one browser.
  check ((purpose = 'SIGN_IN') = (user_id is null)),
  check ((user_id is null) = (session_id is null))
);
create index challenges_by_expiry on challenges (expires_at);

-- SHA-256 of each code. A code has 100 random bits, so a slow hash would protect nothing.
create table recovery_codes (
  user_id    uuid not null references users (id),
  code_hash  bytea not null,
  created_at timestamptz not null,
  used_at    timestamptz,
  primary key (user_id, code_hash)
);

-- Attempts per subject (an email, a network, a member) in a fixed window, so that guessing is slow over all processes.
create unlogged table throttles (
  subject           text primary key,
  window_started_at timestamptz not null,
  attempts          integer not null
) with (fillfactor = 50);
create index throttles_by_window on throttles (window_started_at);

grant select, insert, update on organizations, beneficiaries, users, sessions, passkeys, challenges, recovery_codes, throttles to :"app_role";
grant select, insert, update, delete on memberships to :"app_role";
grant delete on passkeys, challenges, recovery_codes, throttles to :"app_role";
