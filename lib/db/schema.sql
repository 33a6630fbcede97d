create type arrival as (
  organization_id uuid,
  account_id uuid,
  cause_kind text,
  cause_id uuid,
  amount_in_cents bigint,
  chain_depth integer,
  now timestamp with time zone
);
create type asked_transfer as (
  place bigint,
  organization_id uuid,
  api_key_id uuid,
  now timestamp with time zone,
  status text,
  execution_mode text,
  id uuid,
  direction text,
  origin text,
  amount_in_cents bigint,
  description text,
  source_account_id uuid,
  destination_account_id uuid,
  reason_for_approval text,
  proposed_by_kind text,
  proposed_by_id uuid,
  proposed_by_name text,
  expected_completion_date date,
  idempotency jsonb,
  has_its_key boolean,
  audit jsonb
);
create type movement_leg as (
  id uuid,
  account_id uuid,
  at timestamp with time zone,
  direction text,
  amount_in_cents bigint,
  is_expected boolean,
  is_called_movement boolean
);
create type posting as (
  organization_id uuid,
  id uuid,
  transfer_id uuid,
  card_transaction_id uuid,
  kind text,
  debit_ledger_id uuid,
  credit_ledger_id uuid,
  amount_in_cents bigint,
  releases_hold_in_cents bigint,
  booked_at timestamp with time zone
);
create type run_transfer as (
  organization_id uuid,
  execution_id uuid,
  rule_id uuid,
  rule_name text,
  chain_depth smallint,
  now timestamp with time zone,
  id uuid,
  entry_id uuid,
  direction text,
  source_account_id uuid,
  destination_account_id uuid,
  amount_in_cents bigint,
  description text,
  limit_id text,
  error_code text,
  expected_completion_date date
);

-- shared ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

create table idempotency_results (
  organization_id uuid not null,
  -- An API key, an assistant, or the rule of a hook.
  caller_id       uuid not null,
  operation       text not null,
  path            text not null,
  idempotency_key text not null,
  fingerprint     bytea not null,
  status          integer not null,
  body            jsonb not null,
  expires_at      timestamptz not null,
  primary key (organization_id, caller_id, operation, path, idempotency_key)
);
create index idempotency_results_by_expiry on idempotency_results (expires_at);
grant delete, insert, select on idempotency_results to :"app_role";

create table kept_answers (
  organization_id uuid not null,
  name            text not null check (length(name) >= 1 and length(name) <= 100),
  -- The business time that it describes.
  made_at         timestamptz not null,
  answer          jsonb not null,
  -- Real time, as below: when it was computed, and when a person last looked at it. An answer that is not looked at is
  -- recomputed rarely (lib/core/profile/keep-profiles-ready.ts).
  worked_out_at   timestamptz not null,
  looked_at       timestamptz not null,
  leased_until    timestamptz,
  primary key (organization_id, name)
);
create index kept_answers_by_age on kept_answers (worked_out_at);
grant delete, insert, select, update on kept_answers to :"app_role";

-- Attempts per subject (an email, a network, a member) in a fixed window, which slows guessing across all processes.
create unlogged table throttles (
  subject           text not null,
  window_started_at timestamptz not null,
  attempts          integer not null,
  primary key (subject)
) with (fillfactor=50);
create index throttles_by_window on throttles (window_started_at);
grant delete, insert, select, update on throttles to :"app_role";

-- Written when a load balancer asks whether the process is ready: a database that answers reads and takes no writes (a full disk, a standby) serves nobody.
create table readiness_checks (
  id         boolean not null default true check (id),
  checked_at timestamptz not null,
  primary key (id)
);
grant insert, select on readiness_checks to :"app_role";
grant update (checked_at) on readiness_checks to :"app_role";

-- Which SLUICE_SECRET new values are encrypted with, and how far its replacement is. One row, written by the first start.
create table product_secrets (
  is_only              boolean not null default true check (is_only),
  -- Reveals nothing about the secret; also in the header of each backup.
  fingerprint          text not null check (fingerprint ~ '^[0-9a-f]{16}$'),
  -- Of the secret that is being replaced, or was replaced last.
  previous_fingerprint text,
  began_at             timestamptz,
  renewed_count        bigint not null default 0,
  -- Values that the last look found under the previous secret; null: none yet.
  remaining_count      bigint,
  -- Values that neither secret decrypts.
  unreadable_count     bigint,
  -- Since when no look has found any. Real time, like all times here.
  clean_since          timestamptz,
  -- Since when the previous secret is no longer needed.
  finished_at          timestamptz,
  primary key (is_only),
  constraint product_secrets_check check (previous_fingerprint ~ '^[0-9a-f]{16}$' and previous_fingerprint <>
    fingerprint),
  constraint product_secrets_check1 check ((previous_fingerprint is null) = (began_at is null)),
  constraint product_secrets_check2 check (finished_at is null or began_at is not null)
);
grant insert, select, update on product_secrets to :"app_role";

-- Keys that derive from the first secret and outlive it, encrypted under the present one: what they made cannot be made again.
create table kept_keys (
  purpose    text not null check (length(purpose) >= 1 and length(purpose) <= 100),
  sealed_key bytea not null check (length(sealed_key) >= 30 and length(sealed_key) <= 400),
  primary key (purpose)
);
grant delete, insert, select, update on kept_keys to :"app_role";

-- organizations ───────────────────────────────────────────────────────────────────────────────────────────────────────

create table organizations (
  id                            uuid not null,
  name                          text not null check (length(name) >= 1 and length(name) <= 200),
  kind                          text not null check (kind in ('INDIVIDUAL', 'BUSINESS')),
  time_zone                     text not null,
  -- Business time is real time plus this. It never decreases: money that was due cannot become undue.
  clock_offset_ms               bigint not null default 0 check (clock_offset_ms >= 0),
  -- The bank partner's side of this organization's books.
  clearing_ledger_id            uuid not null,
  default_beneficiary_id        uuid not null,
  created_at                    timestamptz not null,
  -- The floor of a new pod unless its form says otherwise; null: none.
  new_pod_floor_in_cents        bigint check (new_pod_floor_in_cents > 0),
  -- Business time; null until the worker has looked at this organization for the first time.
  week_due_at                   timestamptz,
  requires_second_factor        boolean not null default false,
  -- While a new or changed payee cools off, orders to it that together exceed this wait.
  payee_cool_off_above_in_cents bigint not null default 50000 check (payee_cool_off_above_in_cents >= 0),
  payee_cool_off_hours          integer not null default 24 check (payee_cool_off_hours >= 0 and payee_cool_off_hours
    <= 720),
  -- What may leave Sluice per day of the organization; null: lifted by an owner. Applies only to real money (bank_in_use).
  outgoing_cap_in_cents         bigint default 100000 check (outgoing_cap_in_cents > 0),
  -- Business time at which it is next asked whether a review is due; null: never asked.
  fraud_review_look_at          timestamptz,
  -- Business time of the latest reminder; at most one for each time that a review is due.
  fraud_review_reminded_at      timestamptz,
  primary key (id)
);
-- The few organizations whose clock was moved forward are queried one by one.
create index organizations_with_moved_clock on organizations (id) where (clock_offset_ms > 0);
grant insert, select, update on organizations to :"app_role";

-- A person. Belongs to organizations through memberships; found by email across all of them.
create table users (
  id                  uuid not null,
  email               text not null check (length(email) >= 3 and length(email) <= 254),
  name                text not null check (length(name) >= 1 and length(name) <= 200),
  password_hash       text not null,
  phone               text check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  phone_verified_at   timestamptz,
  created_at          timestamptz not null,
  -- Real time; null: never changed since it was first set.
  password_changed_at timestamptz,
  primary key (id)
);
create unique index users_by_email on users (lower(email));
grant insert, select, update on users to :"app_role";

create table memberships (
  organization_id uuid not null,
  user_id         uuid not null,
  role            text not null check (role in ('OWNER', 'CO_OWNER', 'ACCOUNTANT', 'VIEWER')),
  created_at      timestamptz not null,
  -- Null: created by the setup or by the operator.
  invited_by      uuid,
  primary key (organization_id, user_id),
  foreign key (organization_id) references organizations (id),
  foreign key (user_id) references users (id),
  foreign key (invited_by) references users (id)
);
create index memberships_by_user on memberships (user_id);
create trigger memberships_void_signatures_changed after update of role on memberships for each row when (new.role
  <> ALL (array['OWNER', 'CO_OWNER'])) execute function void_signatures();
create trigger memberships_void_signatures_removed after delete on memberships for each row execute function
  void_signatures();
grant insert, select on memberships to :"app_role";
grant update (invited_by) on memberships to :"app_role";

create table beneficiaries (
  organization_id  uuid not null,
  id               uuid not null,
  name             text not null check (length(name) >= 1 and length(name) <= 200),
  beneficiary_type text not null check (beneficiary_type in ('INDIVIDUAL', 'BUSINESS')),
  created_at       timestamptz not null,
  -- A removed beneficiary owns no open account and is not offered for new ones; closed accounts still name it.
  removed_at       timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id)
);
grant insert, select, update on beneficiaries to :"app_role";

-- A row exists while the invitation waits. Accepting or withdrawing deletes it; an expired one can be sent again for
-- a while.
create table invitations (
  organization_id uuid not null,
  id              uuid not null,
  email           text not null check (email = lower(email) and length(email) >= 3 and length(email) <= 254),
  role            text not null check (role in ('OWNER', 'CO_OWNER', 'ACCOUNTANT', 'VIEWER')),
  -- SHA-256 of 256 random bits. The token itself is in one email only.
  token_hash      bytea not null check (length(token_hash) = 32),
  invited_by      uuid not null,
  -- Real time, like all times here.
  invited_at      timestamptz not null,
  expires_at      timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (invited_by) references users (id)
);
create unique index invitations_by_email on invitations (organization_id, email);
create index invitations_by_expiry on invitations (expires_at);
create unique index invitations_by_token on invitations (token_hash);
grant delete, insert, select, update on invitations to :"app_role";

-- What members changed about their organization, its beneficiaries and its members; written once.
create table organization_changes (
  organization_id uuid not null,
  id              uuid not null,
  kind            text not null check (kind in ('ASKED_CHANGE', 'MANDATE', 'APPROVAL_POLICY', 'OWN_BANK_ACCOUNT',
    'ACCOUNT_REGISTERED', 'RENAMED', 'TIME_ZONE', 'NEW_POD_FLOOR', 'BENEFICIARY_RENAMED', 'BENEFICIARY_REMOVED',
    'DEFAULT_BENEFICIARY', 'MEMBER_ROLE', 'MEMBER_REMOVED', 'KEY_CAP', 'SECOND_FACTOR', 'ACCOUNT_RENAMED',
    'ACCOUNT_FLOOR', 'ENDPOINT', 'CLOCK_MOVED', 'ACCOUNT_OPENED', 'ACCOUNT_CLOSED', 'ACCOUNT_REOPENED',
    'MEMBER_INVITED', 'INVITATION_WITHDRAWN', 'MEMBER_JOINED', 'CARD_STATUS', 'BANK_DISCONNECTED', 'PAYEE_COOL_OFF',
    'OUTGOING_CAP')),
  -- Name, at the time, of the person or thing that was changed; null: the organization itself.
  subject         text check (length(subject) <= 300),
  value_before    text check (length(value_before) <= 200),
  value_after     text check (length(value_after) <= 200),
  changed_by      uuid not null,
  -- Business time.
  changed_at      timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (changed_by) references users (id)
);
grant insert, select on organization_changes to :"app_role";

-- One row per closing; gates are open unless a row has no opened_at. Only functions write here, so an attacker with
-- the application's connection cannot open a gate by a plain update.
create table gate_closings (
  organization_id uuid not null,
  id              uuid not null,
  -- Business time, like opened_at.
  closed_at       timestamptz not null,
  -- Null: closed by a restore.
  closed_by       uuid,
  opened_at       timestamptz,
  opened_by       uuid,
  opening_method  text check (opening_method in ('PASSKEY', 'PASSWORD', 'RECENT_SIGN_IN', 'RECOVERY_CODE')),
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (closed_by) references users (id),
  foreign key (opened_by) references users (id),
  constraint gate_closings_check check (opened_at >= closed_at),
  constraint gate_closings_check1 check ((opened_at is null) = (opened_by is null) and (opened_at is null) =
    (opening_method is null))
);
create index gate_closings_by_time on gate_closings (organization_id, closed_at desc);
create unique index gates_closed on gate_closings (organization_id) where (opened_at is null);
grant select on gate_closings to :"app_role";

-- Filters of lists that a member keeps under a name. Nobody else sees them.
create table saved_filters (
  organization_id uuid not null,
  user_id         uuid not null,
  id              uuid not null,
  list            text not null check (list in ('TRANSFERS', 'CARDS', 'OUTSIDE', 'APPROVALS', 'REQUESTS', 'ACTIVITY')),
  name            text not null check (length(name) >= 1 and length(name) <= 60),
  -- Of the list's address, without the question mark and without a position in the list.
  query           text not null check (length(query) >= 1 and length(query) <= 2000),
  created_at      timestamptz not null,
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete CASCADE
);
create unique index saved_filters_by_name on saved_filters (organization_id, user_id, list, lower(name));
grant delete, insert, select, update on saved_filters to :"app_role";

-- sign-in ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

-- One row per signed-in browser, read on every request, so that ending a session takes effect at once. All times are
-- real time.
create table sessions (
  id                uuid not null,
  user_id           uuid not null,
  -- The organization that this browser shows; the role in it is read from memberships.
  organization_id   uuid not null,
  -- How, and with authenticated_at when, the person at this browser last proved their identity.
  method            text not null check (method in ('PASSWORD', 'PASSKEY', 'RECOVERY_CODE')),
  -- When the person signed in. Proofs for single acts do not change it: they are in step_ups.
  authenticated_at  timestamptz not null,
  -- Accurate to the hour. An unused session ends before it expires.
  last_seen_at      timestamptz not null,
  expires_at        timestamptz not null,
  revoked_at        timestamptz,
  user_agent        text not null check (length(user_agent) <= 400),
  -- How the session began; later proofs update `method` and `authenticated_at`. Null: the session is older than this
  -- column.
  started_with      text check (started_with in ('PASSWORD', 'PASSKEY', 'RECOVERY_CODE')),
  started_at        timestamptz,
  -- The network it was started from, shortened; null: unknown.
  network           text check (length(network) <= 64),
  -- More than a password was given in this session: a passkey, a recovery code, the code of an authenticator app, or a
  -- passkey or app added in it. A fact about the session, not the member: an attacker's session with only the password
  -- gains nothing when its victim adds an app. Sessions from before this was recorded have none and are asked once
  -- more.
  has_second_factor boolean not null default false,
  primary key (id),
  foreign key (user_id) references users (id),
  foreign key (organization_id) references organizations (id)
);
create index sessions_by_expiry on sessions (expires_at);
create index sessions_by_user on sessions (user_id, authenticated_at desc);
grant insert, select, update on sessions to :"app_role";

create table passkeys (
  -- As the authenticator chose it, base64url.
  credential_id text not null check (length(credential_id) >= 1 and length(credential_id) <= 1400),
  user_id       uuid not null,
  public_key    bytea not null,
  -- Signature counter: a step back means a cloned authenticator.
  counter       bigint not null check (counter >= 0),
  transports    text[] not null,
  device_type   text not null check (device_type in ('singleDevice', 'multiDevice')),
  backed_up     boolean not null,
  name          text not null check (length(name) >= 1 and length(name) <= 60),
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  primary key (credential_id),
  foreign key (user_id) references users (id)
);
create index passkeys_by_user on passkeys (user_id, created_at);
grant delete, insert, select, update on passkeys to :"app_role";

-- A challenge given to a browser: for one purpose, one use, a few minutes. Found by its own 256 random bits.
create table challenges (
  challenge  text not null,
  purpose    text not null check (purpose in ('SIGN_IN', 'ENROL', 'DECIDE', 'MANAGE')),
  user_id    uuid,
  session_id uuid,
  -- What exactly is confirmed (proposal, decision and digest), so that the answer confirms nothing else.
  bound_to   text not null check (length(bound_to) <= 400),
  expires_at timestamptz not null,
  used_at    timestamptz,
  primary key (challenge),
  foreign key (user_id) references users (id),
  foreign key (session_id) references sessions (id),
  constraint challenges_check check ((purpose = 'SIGN_IN') = (user_id is null)),
  constraint challenges_check1 check ((user_id is null) = (session_id is null))
);
create index challenges_by_expiry on challenges (expires_at);
create index challenges_by_session on challenges (session_id) where (session_id is not null);
grant delete, insert, select, update on challenges to :"app_role";

-- Proofs of presence that wait for the act that they confirm (lib/contract/confirmation/step-up.ts). Used by deleting them.
create table step_ups (
  session_id      uuid not null,
  act             text not null check (length(act) >= 1 and length(act) <= 300),
  -- The one that the session showed: the proof counts for no other.
  organization_id uuid not null,
  method          text not null check (method in ('PASSWORD', 'PASSKEY', 'RECOVERY_CODE')),
  -- A password was given with the code of an authenticator app.
  has_code        boolean not null,
  -- Real time. Counts for five minutes.
  verified_at     timestamptz not null,
  primary key (session_id, act),
  foreign key (session_id) references sessions (id) on delete CASCADE,
  foreign key (organization_id) references organizations (id)
);
create index step_ups_by_time on step_ups (verified_at);
grant delete, insert, select, update on step_ups to :"app_role";

-- SHA-256 of each code. A code has 100 random bits, so a slow hash would protect nothing.
create table recovery_codes (
  user_id    uuid not null,
  code_hash  bytea not null,
  created_at timestamptz not null,
  used_at    timestamptz,
  primary key (user_id, code_hash),
  foreign key (user_id) references users (id)
);
grant delete, insert, select, update on recovery_codes to :"app_role";

-- A person's one authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds). All times are real time.
create table authenticators (
  user_id       uuid not null,
  -- Encrypted for this user alone (lib/platform/encryption.ts): reading the table is not enough to make codes.
  sealed_secret bytea not null check (length(sealed_secret) >= 30 and length(sealed_secret) <= 200),
  created_at    timestamptz not null,
  -- Null: shown, but no code of it has been entered yet; it does not count as a second factor.
  confirmed_at  timestamptz,
  -- The last 30-second step whose code was used: each code counts once.
  last_step     bigint not null default 0 check (last_step >= 0),
  primary key (user_id),
  foreign key (user_id) references users (id)
);
grant delete, insert, select, update on authenticators to :"app_role";

-- Browsers that a person has signed in with. Their ids are in cookies; stored is the SHA-256 of 256 random bits.
create table known_browsers (
  user_id       uuid not null,
  id_hash       bytea not null check (length(id_hash) = 32),
  -- Real time.
  first_seen_at timestamptz not null,
  last_seen_at  timestamptz not null,
  primary key (user_id, id_hash),
  foreign key (user_id) references users (id)
);
grant delete, insert, select, update on known_browsers to :"app_role";

-- Browsers and installed apps that show a person notifications of all their organizations.
create table push_devices (
  id                uuid not null,
  user_id           uuid not null,
  -- A device ends when this session is revoked: by signing out, a reset or a removal. The next sign-in in the same browser
  -- takes over.
  session_id        uuid not null,
  -- SHA-256 of the endpoint, which is unguessable. A browser has one, so it notifies one person.
  endpoint_hash     bytea not null check (length(endpoint_hash) = 32),
  -- Endpoint and keys, encrypted: they suffice to send to the device.
  subscription      bytea not null check (length(subscription) <= 4096),
  -- The browser's id of this person, as in known_browsers; null: it kept none.
  browser_hash      bytea check (length(browser_hash) = 32),
  user_agent        text not null check (length(user_agent) <= 400),
  -- Real time.
  created_at        timestamptz not null,
  last_delivered_at timestamptz,
  primary key (id),
  unique (endpoint_hash),
  foreign key (user_id) references users (id),
  foreign key (session_id) references sessions (id)
);
create index push_devices_by_browser on push_devices (browser_hash);
create index push_devices_by_session on push_devices (session_id);
create index push_devices_by_user on push_devices (user_id);
grant delete, insert, select, update on push_devices to :"app_role";

-- A link that sets a new password, once. Without a user: the requested address has no account, and the same work was
-- done so that timing does not reveal it.
create table password_resets (
  token_hash bytea not null check (length(token_hash) = 32),
  user_id    uuid,
  expires_at timestamptz not null,
  primary key (token_hash),
  foreign key (user_id) references users (id)
);
create index password_resets_by_expiry on password_resets (expires_at);
create index password_resets_by_user on password_resets (user_id);
grant delete, insert, select, update on password_resets to :"app_role";

-- The one code that a member may still enter for their number. It is deleted when it is entered, replaced or
-- expires.
create table phone_codes (
  user_id    uuid not null,
  -- The number it was sent to; it verifies no other.
  phone      text not null check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  -- argon2id over member, number and code: a fast hash of six digits would hide nothing.
  code_hash  text not null,
  -- Real time.
  expires_at timestamptz not null,
  -- Counted before each attempt is checked.
  tries      integer not null default 0 check (tries >= 0),
  primary key (user_id),
  foreign key (user_id) references users (id)
);
create index phone_codes_by_expiry on phone_codes (expires_at);
grant delete, insert, select, update on phone_codes to :"app_role";

-- Sign-ups without an account yet: a person is created only once the address is verified and the organization named.
-- Found by the SHA-256 of 256 random bits that the browser keeps. All times are real time.
create table sign_ups (
  token_hash    bytea not null check (length(token_hash) = 32),
  email         text not null check (email = lower(email) and length(email) >= 3 and length(email) <= 254),
  name          text not null check (length(name) >= 1 and length(name) <= 200),
  password_hash text not null,
  -- argon2id: a fast hash of six digits would hide nothing. For an address that has an account it is the hash of a
  -- code that was never sent, so that such a row behaves like any other.
  code_hash     text not null,
  code_until    timestamptz not null,
  -- Counted before each attempt is checked.
  tries         integer not null default 0 check (tries >= 0),
  verified_at   timestamptz,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  primary key (token_hash)
);
create index sign_ups_by_expiry on sign_ups (expires_at);
grant delete, insert, select, update on sign_ups to :"app_role";

-- Who owns the money of an organization. Without a row no check is needed: the organization existed before checks,
-- or its operator created it. Of what the service was sent, only what a member must recognize is kept: names,
-- shares, the last four digits.
create table identity_checks (
  organization_id uuid not null,
  -- SUBMITTING: sent, but not known to have arrived.
  status          text not null check (status in ('NEEDED', 'SUBMITTING', 'CHECKING', 'NEEDS_DOCUMENT', 'APPROVED',
    'REFUSED')),
  -- Our idempotency key for the service; a new one each time details are entered.
  application_id  uuid,
  -- In the order of the application: kind, name, share, last four digits, and what the service says about each.
  subjects        jsonb not null default '[]'::jsonb,
  -- Why it is needed again.
  problem         text check (length(problem) <= 400),
  submitted_by    uuid,
  -- Real time, like all times here.
  submitted_at    timestamptz,
  decided_at      timestamptz,
  due_at          timestamptz,
  leased_until    timestamptz,
  attempts        integer not null default 0,
  -- When the first steps ended; until then every page links to the next one.
  onboarded_at    timestamptz,
  primary key (organization_id),
  foreign key (organization_id) references organizations (id),
  foreign key (submitted_by) references users (id),
  constraint identity_checks_check check ((status = 'NEEDED') = (application_id is null)),
  constraint identity_checks_check1 check ((status in ('SUBMITTING', 'CHECKING')) = (due_at is not null))
);
create index identity_checks_due on identity_checks (due_at) where (due_at is not null);
grant insert, select, update on identity_checks to :"app_role";

-- keys ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Callers: API keys, and connections of assistants (those with a client_id). Both propose, are counted, audited and
-- revoked in the same way, so that no safeguard of one can be forgotten for the other. An assistant has no key text
-- and no permissions of its own: it may do what its member may, read on every request.
create table api_keys (
  organization_id    uuid not null,
  id                 uuid not null,
  name               text not null check (length(name) >= 1 and length(name) <= 60),
  -- The first characters, shown so that people can tell keys apart.
  prefix             text,
  -- SHA-256 of the whole key. A key has 190 random bits, so a slow hash would protect nothing and cost every request.
  key_hash           bytea,
  -- Fixed at creation: what a key may do never changes behind its holder's or its approver's back.
  permissions        jsonb not null,
  created_by         uuid not null,
  created_at         timestamptz not null,
  last_used_at       timestamptz,
  revoked_at         timestamptz,
  revoked_by         uuid,
  -- Business time from which a replaced key no longer works.
  ends_at            timestamptz,
  -- The key that replaced this one.
  replaced_by        uuid,
  -- CLIENT: the assistant gave its access back. REUSE: a code or refresh token was used twice, so another party has a
  -- copy. EXPIRED: the refresh token expired unused.
  -- CLIENT: the assistant gave its access back. REUSE: a code or refresh token was used twice, so another party has a
  -- copy.
  revoked_because    text check (revoked_because in ('MEMBER', 'REPLACED', 'OPERATOR', 'CLIENT', 'REUSE', 'EXPIRED')),
  -- OAuth client: its id, or the address of its metadata document. Null: an API key.
  client_id          text check (length(client_id) >= 1 and length(client_id) <= 2048),
  -- The host that the browser was sent back to, which is what was verified about the client.
  client_host        text check (length(client_host) >= 1 and length(client_host) <= 255),
  -- The most that the key may move in a day of the organization without a person, including what rules move because of
  -- it. Null: no cap. What exceeds it waits for approval.
  daily_cap_in_cents bigint check (daily_cap_in_cents >= 0 and daily_cap_in_cents <= 9007199254740991),
  -- Business time. The state is the queue: when the key's use is examined next; null while it is unused.
  watch_due_at       timestamptz,
  -- The time up to which its transfers are counted in `key_habits`.
  watched_until      timestamptz,
  -- Its last use before a silence of 45 days that nobody has been notified of yet; a key that is used monthly is never
  -- silent that long.
  silent_since       timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (created_by) references users (id),
  foreign key (revoked_by) references users (id),
  foreign key (organization_id, replaced_by) references api_keys (organization_id, id),
  constraint api_keys_check check ((ends_at is null) = (replaced_by is null)),
  constraint api_keys_check1 check (replaced_by <> id),
  constraint api_keys_check2 check ((client_id is null) = (key_hash is not null)),
  constraint api_keys_check3 check ((client_id is null) = (prefix is not null)),
  constraint api_keys_check4 check ((client_id is null) = (client_host is null)),
  constraint api_keys_check5 check (client_id is null or permissions = '[]'::jsonb),
  constraint api_keys_check6 check (client_id is null or daily_cap_in_cents is null)
) with (fillfactor=80);
create unique index api_keys_by_hash on api_keys (key_hash);
create index api_keys_of_assistants on api_keys (organization_id, created_by) where (client_id is not null);
create index api_keys_to_end on api_keys (ends_at) where ((ends_at is not null) and (revoked_at is null));
create index api_keys_to_watch on api_keys (watch_due_at) where (watch_due_at is not null);
grant insert, select on api_keys to :"app_role";
grant update (revoked_at, revoked_by, ends_at, replaced_by, revoked_because) on api_keys to :"app_role";

-- One row per key or hook: the current minute of real time and its count. Unlogged: losing it in a crash costs one
-- window.
create unlogged table rate_windows (
  api_key_id uuid not null,
  minute     timestamptz not null,
  -- How many requests the key has made in this minute; its page shows it.
  requests   integer not null,
  primary key (api_key_id)
) with (fillfactor=50);
grant select on rate_windows to :"app_role";

-- What a capped key had set moving on a day of its organization, before key_charges counted the last 24 hours. Nothing is
-- written to it anymore.
create table key_days (
  organization_id uuid not null,
  api_key_id      uuid not null,
  -- In the organization's time zone.
  day             date not null,
  used_in_cents   bigint not null default 0 check (used_in_cents >= 0),
  primary key (organization_id, api_key_id, day)
) with (fillfactor=70);
grant select on key_days to :"app_role";

-- What a capped key set moving, the runs that it caused included, summed per minute of business time. Never decreased: a
-- key that sends the same money back and forth would otherwise never reach its cap. Deleted after two days. No foreign key
-- to api_keys: a run that is being carried out holds its row and must not wait for a revocation, which locks the key first.
create table key_charges (
  organization_id uuid not null,
  api_key_id      uuid not null,
  minute          timestamptz not null,
  -- When the last of them was charged; all of the minute count for 24 hours from then.
  last_at         timestamptz not null,
  in_cents        bigint not null check (in_cents > 0),
  primary key (organization_id, api_key_id, minute)
) with (fillfactor=70);
grant select on key_charges to :"app_role";

-- Networks that a key or an assistant was used from, shortened (`shortNetwork`); at most a hundred per key.
create table key_networks (
  organization_id uuid not null,
  api_key_id      uuid not null,
  network         text not null check (length(network) >= 1 and length(network) <= 64),
  first_seen_at   timestamptz not null,
  primary key (organization_id, api_key_id, network)
);
grant select on key_networks to :"app_role";

-- What a key moved without approval, by day: what is usual for it. Counted by the watch a few seconds after the
-- fact.
create table key_habits (
  organization_id  uuid not null,
  api_key_id       uuid not null,
  day              date not null,
  transfers        integer not null,
  sum_in_cents     bigint not null,
  largest_in_cents bigint not null,
  primary key (organization_id, api_key_id, day)
) with (fillfactor=70);
grant select on key_habits to :"app_role";

-- Unusual use of a key or an assistant; at most one alert per kind and day.
create table key_alerts (
  organization_id uuid not null,
  id              uuid not null,
  api_key_id      uuid not null,
  kind            text not null check (kind in ('NEW_NETWORK', 'AFTER_SILENCE', 'REFUSALS', 'LARGE_AMOUNT',
    'LARGE_DAY', 'CAP_REACHED', 'MANY_WAITING')),
  day             date not null,
  -- What was seen and what is usual (contract/key-alerts.ts).
  facts           jsonb not null,
  -- Business time.
  noticed_at      timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, api_key_id, kind, day)
);
create index key_alerts_by_key on key_alerts (organization_id, api_key_id, id desc);
grant select on key_alerts to :"app_role";

-- Everything that the authorization server keeps: clients, interactions, codes, tokens, grants. Ids are hashed,
-- since most of them are secrets; payloads contain none.
create table oauth_records (
  model           text not null check (length(model) >= 1 and length(model) <= 40),
  -- SHA-256 of the record's id.
  id_hash         bytea not null check (length(id_hash) = 32),
  -- For a session: SHA-256 of the id by which interactions know its browser.
  uid_hash        bytea,
  -- For records of an assistant's connection, which is in api_keys.
  organization_id uuid,
  grant_id        uuid,
  -- For a token: the resource that it is valid for (RFC 8707).
  audience        text,
  payload         jsonb not null,
  created_at      timestamptz not null,
  -- Real time, like all times here.
  consumed_at     timestamptz,
  -- Null: kept until it is deleted.
  expires_at      timestamptz,
  -- Of a refresh token: the hash of the one that was exchanged for it. Null where an older version made it.
  parent_hash     bytea,
  -- Of a refresh token: when it was used again. `consumed_at` is its first use.
  retried_at      timestamptz,
  primary key (model, id_hash)
) with (fillfactor=80);
create index oauth_records_by_expiry on oauth_records (expires_at) where (expires_at is not null);
create index oauth_records_by_grant on oauth_records (grant_id, model) where (grant_id is not null);
create unique index oauth_records_by_uid on oauth_records (model, uid_hash) where (uid_hash is not null);
grant delete, insert, select, update on oauth_records to :"app_role";

-- ledger ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

create table connections (
  organization_id     uuid not null,
  id                  uuid not null,
  provider            text not null check (provider in ('SANDBOX', 'PLAID')),
  -- The provider's id of this connection; institution_id is its id of the institution.
  provider_item_id    text not null check (length(provider_item_id) >= 1 and length(provider_item_id) <= 200),
  institution_id      text not null check (length(institution_id) >= 1 and length(institution_id) <= 200),
  institution_name    text not null check (length(institution_name) >= 1 and length(institution_name) <= 200),
  -- NEEDS_SIGN_IN: the institution requires its customer to sign in again; the last known balances stay.
  status              text not null check (status in ('ACTIVE', 'NEEDS_SIGN_IN', 'DISCONNECTED')),
  error_code          text,
  -- The provider's access token, encrypted (platform/seal). Null if the provider needs none.
  sealed_access_token bytea,
  -- The position up to which the provider's stream of transactions has been read.
  cursor              text,
  created_by          uuid,
  created_at          timestamptz not null,
  last_refreshed_at   timestamptz,
  -- Business time of the next refresh; null: not refreshed.
  refresh_due_at      timestamptz,
  attempts            integer not null default 0,
  -- Real time.
  leased_until        timestamptz,
  -- Business time of the first of the current failures in a row; null while it responds.
  failing_since       timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (created_by) references users (id),
  constraint connections_check check ((status = 'ACTIVE') = (refresh_due_at is not null))
);
create unique index connections_by_item on connections (provider, provider_item_id);
create index connections_to_refresh on connections (refresh_due_at) where (refresh_due_at is not null);
-- Disconnected here, but not yet at the provider.
create index connections_to_remove on connections (organization_id, id) where ((status = 'DISCONNECTED') and
  (sealed_access_token is not null));
grant insert, select on connections to :"app_role";
grant update (status, error_code, sealed_access_token, cursor, last_refreshed_at, refresh_due_at, attempts,
  leased_until, failing_since) on connections to :"app_role";

create table accounts (
  organization_id         uuid not null,
  id                      uuid not null,
  type                    text not null check (type in ('POD', 'INCOME_SOURCE', 'EXTERNAL_ACCOUNT')),
  name                    text not null check (length(name) >= 1 and length(name) <= 60),
  description             text check (length(description) <= 200),
  external_account_type   text check (external_account_type in ('DEPOSITORY', 'INVESTMENT', 'LIABILITY')),
  beneficiary_id          uuid,
  institution_name        text,
  routing_number_last4    text check (routing_number_last4 ~ '^[0-9]{4}$'),
  account_number_last4    text check (account_number_last4 ~ '^[0-9]{4}$'),
  -- What the owner wants to keep in the account; only a person's decision may go below.
  floor_in_cents          bigint check (floor_in_cents >= 0),
  savings_target_in_cents bigint check (savings_target_in_cents > 0),
  linked_account_id       uuid,
  created_at              timestamptz not null,
  updated_at              timestamptz not null,
  deleted_at              timestamptz,
  connection_id           uuid,
  provider_account_id     text check (length(provider_account_id) <= 200),
  -- Business time at which the bank is asked next for an income source's numbers; null: nothing to ask.
  number_due_at           timestamptz,
  number_attempts         integer not null default 0,
  -- Real time.
  number_leased_until     timestamptz,
  -- The confirmed account of the payee with this id. Never a source, and not the organization's own money.
  is_payee                boolean not null default false,
  -- Why the bank has given no number yet, in words for members.
  number_problem          text check (length(number_problem) <= 400),
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (organization_id, beneficiary_id) references beneficiaries (organization_id, id),
  foreign key (organization_id, linked_account_id) references accounts (organization_id, id),
  foreign key (organization_id, connection_id) references connections (organization_id, id),
  constraint accounts_check1 check (savings_target_in_cents is null or type = 'POD'),
  constraint accounts_check2 check (floor_in_cents is null or type <> 'EXTERNAL_ACCOUNT'),
  constraint accounts_check3 check (linked_account_id is null or type = 'POD'),
  constraint accounts_check4 check (connection_id is null or type = 'EXTERNAL_ACCOUNT'),
  constraint accounts_check5 check ((connection_id is null) = (provider_account_id is null)),
  constraint accounts_check6 check (number_due_at is null or type = 'INCOME_SOURCE'),
  constraint accounts_check check (
case
    when is_payee then type = 'EXTERNAL_ACCOUNT' and external_account_type is
    null and connection_id is null
    else (type = 'EXTERNAL_ACCOUNT') = (external_account_type is not null)
end)
);
create unique index accounts_by_provider on accounts (organization_id, connection_id, provider_account_id) where
  (connection_id is not null);
create index accounts_to_open on accounts (number_due_at) where (number_due_at is not null);
create trigger accounts_emit_change after update of name, description, floor_in_cents, savings_target_in_cents,
  account_number_last4, deleted_at on accounts for each row when (new.name is distinct from old.name or
  new.description is distinct from old.description or new.floor_in_cents is distinct from old.floor_in_cents or
  new.savings_target_in_cents is distinct from old.savings_target_in_cents or new.account_number_last4 is distinct
  from old.account_number_last4 or new.deleted_at is distinct from old.deleted_at) execute function
  emit_for_account();
create trigger accounts_emit_new after insert on accounts for each row execute function emit_for_account();
grant insert, select on accounts to :"app_role";
grant update (name, description, floor_in_cents, savings_target_in_cents, linked_account_id, updated_at, deleted_at)
  on accounts to :"app_role";

-- Credits minus debits is the balance. A managed account's ledger has the account's id. Pages are filled only in
-- part: these are the busiest rows of the product, and room on the page allows in-page updates.
create table ledgers (
  organization_id           uuid not null,
  id                        uuid not null,
  kind                      text not null check (kind in ('MANAGED', 'CLEARING')),
  credits_in_cents          bigint not null default 0 check (credits_in_cents >= 0),
  debits_in_cents           bigint not null default 0 check (debits_in_cents >= 0),
  held_in_cents             bigint not null default 0 check (held_in_cents >= 0),
  -- How far below zero a bank's return or a card settlement has pushed the available balance; nothing of ours can.
  return_shortfall_in_cents bigint not null default 0 check (return_shortfall_in_cents >= 0),
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  constraint never_negative_by_us check (kind = 'CLEARING' or (credits_in_cents - debits_in_cents - held_in_cents) >=
    (- return_shortfall_in_cents))
) with (fillfactor=70);
grant select on ledgers to :"app_role";
grant insert (organization_id, id, kind) on ledgers to :"app_role";

-- What the provider last reported about an outside account; not part of our books.
create table provider_balances (
  organization_id                 uuid not null,
  account_id                      uuid not null,
  balance_in_cents                bigint,
  available_balance_in_cents      bigint,
  last_statement_balance_in_cents bigint,
  last_statement_date             date,
  next_payment_minimum_in_cents   bigint,
  next_payment_due_date           date,
  interest_rate_percentage        numeric(7,4),
  original_loan_amount_in_cents   bigint,
  refreshed_at                    timestamptz,
  error                           text,
  -- While an error is set, the specification requires the balance to be null; the last known one is kept here, for
  -- people.
  last_known_balance_in_cents     bigint,
  last_known_available_in_cents   bigint,
  -- The due date of the current payment period. A provider may report a due date late, withdraw it for a day, or correct it by a few days; none of that begins a new period, in which the minimum would be paid again.
  payment_period_due_date         date,
  -- When the provider first reported that due date. Null: it was known before periods were kept.
  payment_period_since            timestamptz,
  primary key (organization_id, account_id),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  constraint provider_balances_check check (error is null or balance_in_cents is null)
);
create trigger provider_balances_payment_period before insert or update on provider_balances for each row execute
  function keep_payment_period();
grant insert, select, update on provider_balances to :"app_role";

create table entries (
  -- Kept without statistics, like the ledger columns: with them, the planner expects as many entries for every ledger
  -- as the busiest one has, and walks the whole organization's index for a quiet one.
  organization_id        uuid not null,
  id                     uuid not null,
  transfer_id            uuid,
  kind                   text not null check (kind in ('TRANSFER', 'RETURN', 'CARD')),
  debit_ledger_id        uuid not null,
  credit_ledger_id       uuid not null,
  amount_in_cents        bigint not null check (amount_in_cents > 0),
  -- The part of the debited ledger's hold that this entry uses up.
  releases_hold_in_cents bigint not null default 0,
  booked_at              timestamptz not null,
  card_transaction_id    uuid,
  -- Written by post_entries, which moves the balances in the same statement. Has no default, so that an INSERT without balances is refused.
  is_posted              boolean not null,
  primary key (organization_id, id),
  -- A transfer is booked once and returned once, whatever is retried.
  constraint booked_once unique (organization_id, transfer_id, kind),
  foreign key (organization_id, debit_ledger_id) references ledgers (organization_id, id),
  foreign key (organization_id, credit_ledger_id) references ledgers (organization_id, id),
  constraint entries_check check (debit_ledger_id <> credit_ledger_id),
  constraint entries_check1 check (releases_hold_in_cents >= 0 and releases_hold_in_cents <= amount_in_cents),
  -- An entry has exactly one cause: a transfer or a card transaction.
  constraint one_cause check (num_nonnulls(transfer_id, card_transaction_id) = 1),
  constraint card_entries_are_of_cards check ((kind = 'CARD') = (card_transaction_id is not null))
);
alter table entries
  alter column organization_id set statistics 0,
  alter column debit_ledger_id set statistics 0,
  alter column credit_ledger_id set statistics 0;
-- Partial, so that the entries of transfers, by far the most, do not pay for it.
create unique index card_transaction_booked_once on entries (organization_id, card_transaction_id) where
  (card_transaction_id is not null);
create index entries_by_credit on entries (organization_id, credit_ledger_id, id desc) include (amount_in_cents);
create index entries_by_debit on entries (organization_id, debit_ledger_id, id desc) include (amount_in_cents);
create trigger entries_append_only before delete or update or truncate on entries for each statement execute
  function refuse_change();
grant select on entries to :"app_role";

create table daily_flows (
  organization_id  uuid not null,
  -- In the time zone that the organization had at booking.
  day              date not null,
  debit_ledger_id  uuid not null,
  credit_ledger_id uuid not null,
  -- The party beyond the organization's border: 'account:<id>', 'name:<as the bank says>', or 'card' for all that
  -- cards spend and get. Empty between two managed accounts.
  party            text not null,
  -- A return or a card refund is subtracted from what it undoes, so the sum can be negative.
  amount_in_cents  bigint not null,
  primary key (organization_id, day, debit_ledger_id, credit_ledger_id, party),
  foreign key (organization_id) references organizations (id)
) with (fillfactor=70);
grant select on daily_flows to :"app_role";

create table own_bank_accounts (
  organization_id  uuid not null,
  account_id       uuid not null,
  is_wanted        boolean not null,
  decided_by       uuid not null,
  decided_at       timestamptz not null,
  is_open          boolean not null default false,
  at_bank_in_cents bigint not null default 0,
  asked_bank_at    timestamptz,
  move_id          uuid,
  move_in_cents    bigint,
  refused_at       timestamptz,
  -- Real time, like leased_until and asked_bank_at.
  due_at           timestamptz not null,
  leased_until     timestamptz,
  -- Real time: since when the bank refused, or left unanswered, what must be moved; null: nothing is stuck.
  stuck_since      timestamptz,
  primary key (organization_id, account_id),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  foreign key (decided_by) references users (id),
  constraint own_bank_accounts_move check ((move_id is null) = (move_in_cents is null) and move_in_cents <> 0)
);
create index own_bank_accounts_due on own_bank_accounts (due_at);
grant insert, select, update on own_bank_accounts to :"app_role";

create table increase_accounts (
  organization_id uuid not null,
  holder_id       uuid not null,
  bank_account    text not null check (length(bank_account) >= 1 and length(bank_account) <= 200),
  kept_at         timestamptz not null,
  primary key (organization_id, holder_id),
  unique (bank_account)
);
grant insert, select on increase_accounts to :"app_role";

-- payees ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Its account exists under the same id once a member has confirmed it, so nothing can be sent before.
create table payees (
  organization_id  uuid not null,
  id               uuid not null,
  name             text not null check (length(name) >= 1 and length(name) <= 60),
  kind             text not null check (kind in ('BUSINESS', 'INDIVIDUAL')),
  rail             text not null check (rail = 'ACH'),
  email            text check (length(email) <= 254),
  -- Why a program proposed it.
  reason           text check (length(reason) <= 1000),
  proposed_by_kind text not null check (proposed_by_kind in ('MEMBER', 'API_KEY')),
  proposed_by_id   uuid not null,
  proposed_by_name text not null check (length(proposed_by_name) <= 200),
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  -- How often a member confirmed it; 0: never.
  version          integer not null default 0 check (version >= 0),
  -- Of this version; business time.
  confirmed_at     timestamptz,
  cools_off_until  timestamptz,
  -- The bank's reference of the account of this version. The number itself is only at the bank.
  bank_reference   text check (length(bank_reference) >= 1 and length(bank_reference) <= 200),
  removed_at       timestamptz,
  -- Of this version (account_key_of); null: confirmed before it was kept, or not confirmed.
  account_key      bytea,
  -- When the bank account of this version began to cool off, as another payee or version too; null: confirmed_at.
  cools_off_since  timestamptz,
  -- Of the program that proposed it; at most MAXIMUM_PAYEES, so no index finds it.
  external_id      text check (length(external_id) >= 1 and length(external_id) <= 64),
  metadata         jsonb not null default '[]'::jsonb check (jsonb_typeof(metadata) = 'array'),
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  constraint payees_are_registered check ((version = 0) = (confirmed_at is null) and (version = 0) = (bank_reference
    is null))
);
create unique index payees_by_name on payees (organization_id, lower(name)) where ((removed_at is null) and (version
  > 0));
grant insert, select on payees to :"app_role";
grant update (email, updated_at, removed_at) on payees to :"app_role";

-- Accounts given for a payee. The last one that a member confirmed is in use; at most one waits.
create table payee_details (
  organization_id      uuid not null,
  -- The idempotency key of its registration at the bank.
  id                   uuid not null,
  payee_id             uuid not null,
  state                text not null check (state in ('WAITING', 'CONFIRMED', 'DECLINED', 'REPLACED')),
  name                 text not null check (length(name) >= 1 and length(name) <= 60),
  kind                 text not null check (kind in ('BUSINESS', 'INDIVIDUAL')),
  rail                 text not null check (rail = 'ACH'),
  holder_name          text not null check (length(holder_name) >= 1 and length(holder_name) <= 100),
  account_kind         text not null check (account_kind in ('CHECKING', 'SAVINGS')),
  bank_reference       text not null check (length(bank_reference) >= 1 and length(bank_reference) <= 200),
  routing_number_last4 text not null check (routing_number_last4 ~ '^[0-9]{4}$'),
  account_number_last4 text not null check (account_number_last4 ~ '^[0-9]{4}$'),
  -- PAYEE: through the link that a member sent.
  given_by_kind        text not null check (given_by_kind in ('MEMBER', 'PAYEE')),
  given_by_id          uuid,
  given_by_name        text not null check (length(given_by_name) <= 200),
  given_at             timestamptz not null,
  decided_by           uuid,
  decided_at           timestamptz,
  call_back_note       text check (length(call_back_note) >= 1 and length(call_back_note) <= 500),
  -- HMAC-SHA-256 of the organization and the routing and account number, under the product's secret; null: given before it
  -- was kept. Tells whether two payees have one account; the number itself is only at the bank.
  account_key          bytea,
  primary key (organization_id, id),
  foreign key (organization_id, payee_id) references payees (organization_id, id),
  foreign key (decided_by) references users (id),
  constraint payee_details_check check ((state in ('CONFIRMED', 'DECLINED')) = (decided_at is not null))
);
create index payee_details_of_payee on payee_details (organization_id, payee_id, given_at desc);
create unique index payee_details_waiting on payee_details (organization_id, payee_id) where (state = 'WAITING');
grant insert, select on payee_details to :"app_role";
grant update (state, decided_by, decided_at) on payee_details to :"app_role";

-- What happened to a payee and who did it; written once.
create table payee_events (
  organization_id      uuid not null,
  id                   uuid not null,
  payee_id             uuid not null,
  kind                 text not null check (kind in ('PROPOSED', 'DETAILS_GIVEN', 'SIGNED', 'CONFIRMED', 'DECLINED',
    'REMOVED', 'INVITED')),
  by_kind              text not null check (by_kind in ('MEMBER', 'API_KEY', 'PAYEE')),
  by_id                uuid,
  by_name              text not null check (length(by_name) <= 200),
  at                   timestamptz not null,
  -- Of the payee, at the time.
  name                 text not null check (length(name) >= 1 and length(name) <= 60),
  account_number_last4 text check (account_number_last4 ~ '^[0-9]{4}$'),
  version              integer,
  -- Of a confirmation: who was called back. Of a proposal: its reason. Of an invitation: the address.
  note                 text check (length(note) >= 1 and length(note) <= 1000),
  -- Of what the import of one file added, which is announced by one notice; null: not imported.
  import_id            uuid,
  primary key (organization_id, id),
  foreign key (organization_id, payee_id) references payees (organization_id, id)
);
create index payee_events_of_import on payee_events (organization_id, import_id) where (import_id is not null);
create index payee_events_of_payee on payee_events (organization_id, payee_id, id desc);
create trigger payee_events_emit after insert on payee_events for each row execute function emit_for_payee();
grant insert, select on payee_events to :"app_role";

-- Links through which payees type their own details; deleted when used, replaced or removed.
create table payee_links (
  organization_id uuid not null,
  id              uuid not null,
  payee_id        uuid not null,
  -- SHA-256 of 256 random bits. The token itself is in one email only.
  token_hash      bytea not null check (length(token_hash) = 32),
  sent_to         text not null check (length(sent_to) <= 254),
  sent_by         uuid not null,
  -- Real time, like its expiry.
  sent_at         timestamptz not null,
  expires_at      timestamptz not null,
  primary key (organization_id, id),
  unique (token_hash),
  foreign key (organization_id, payee_id) references payees (organization_id, id),
  foreign key (sent_by) references users (id)
);
create index payee_links_by_expiry on payee_links (expires_at);
create unique index payee_links_of_payee on payee_links (organization_id, payee_id);
grant delete, insert, select on payee_links to :"app_role";

-- Payments out that were accepted while their destination cooled off. No foreign key to transfers: it is written before
-- its transfer, in the same statement.
create table cool_off_orders (
  organization_id uuid not null,
  transfer_id     uuid not null,
  -- Of the destination, as it was accepted (account_key_of).
  account_key     bytea not null,
  accepted_at     timestamptz not null,
  cools_off_until timestamptz not null,
  -- It leaves after the end, so it takes nothing from what may leave before.
  waits           boolean not null,
  primary key (organization_id, transfer_id)
);
create index cool_off_orders_by_account on cool_off_orders (organization_id, account_key, accepted_at);
create index cool_off_orders_by_end on cool_off_orders (organization_id, cools_off_until);
grant select on cool_off_orders to :"app_role";

-- connections ─────────────────────────────────────────────────────────────────────────────────────────────────────────

create table connection_days (
  organization_id uuid not null,
  connection_id   uuid not null,
  -- In the organization's time zone, business time.
  day             date not null,
  succeeded       integer not null default 0 check (succeeded >= 0),
  failed          integer not null default 0 check (failed >= 0),
  primary key (organization_id, connection_id, day),
  foreign key (organization_id, connection_id) references connections (organization_id, id)
);
grant insert, select, update on connection_days to :"app_role";

create table external_transactions (
  organization_id         uuid not null,
  id                      uuid not null,
  account_id              uuid not null,
  provider_transaction_id text not null check (length(provider_transaction_id) >= 1 and
    length(provider_transaction_id) <= 200),
  amount_in_cents         bigint not null check (amount_in_cents > 0),
  direction               text not null check (direction in ('MONEY_IN', 'MONEY_OUT')),
  status                  text not null check (status in ('PENDING', 'COMPLETE')),
  description             text not null check (length(description) <= 500),
  transaction_date        timestamptz not null,
  merchant_name           text check (length(merchant_name) <= 200),
  category                text check (category in ('HOUSING_AND_UTILITIES', 'FOOD_AND_DRINK', 'TRANSPORTATION',
    'SHOPPING', 'HEALTH_AND_PERSONAL_CARE', 'ENTERTAINMENT_AND_TRAVEL', 'DEBT_AND_FEES', 'OTHER')),
  -- Our own transfer whose other side this is, or null. Linked transactions are neither income nor spending.
  transfer_id             uuid,
  created_at              timestamptz not null,
  updated_at              timestamptz not null,
  -- When the institution withdrew a pending transaction. It is kept but no longer shown.
  vanished_at             timestamptz,
  -- The provider's own detailed category (Plaid's "personal finance category", e.g.
  -- LOAN_PAYMENTS_CREDIT_CARD_PAYMENT). It distinguishes income, moves between own accounts, debt payments and kinds
  -- of fees, which the eight categories do not.
  provider_category       text check (length(provider_category) <= 100),
  -- The same for all transactions of one payer or merchant.
  stream_key              text generated always as (lower(coalesce(nullif(btrim(merchant_name), ''),
    plain_name(description)))) stored,
  fee_kind                text generated always as (fee_kind_of(direction, category, description)) stored,
  -- Whether the bank's text describes a movement between accounts; preferred when several amounts are equal.
  is_called_movement      boolean generated always as ((description ~*
    '\m(transfer|xfer|trnsfr|payment|pymt|pmt|autopay|epay)\M')) stored,
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id)
);
alter table external_transactions
  alter column organization_id set statistics 0,
  alter column account_id set statistics 0;
create index external_transactions_by_account on external_transactions (organization_id, account_id,
  transaction_date desc, id desc) include (direction, status) where (vanished_at is null);
create index external_transactions_by_date on external_transactions (organization_id, transaction_date desc, id
  desc) include (direction, status) where (vanished_at is null);
create unique index external_transactions_by_provider on external_transactions (organization_id, account_id,
  provider_transaction_id);
create index external_transactions_by_text on external_transactions USING gin (organization_id, description
  gin_trgm_ops, merchant_name gin_trgm_ops) where (vanished_at is null);
create unique index external_transactions_of_transfers on external_transactions (organization_id, transfer_id,
  direction) include (account_id, status, vanished_at) where (transfer_id is not null);
create trigger external_transactions_emit_new after insert on external_transactions referencing new table as
  new_external_transactions for each statement execute function emit_for_new_external_transactions();
create trigger external_transactions_emit_settled after update of status on external_transactions for each row when
  (new.status = 'COMPLETE' and old.status is distinct from new.status) execute function
  emit_for_external_transaction();
grant insert, select on external_transactions to :"app_role";
grant update (provider_transaction_id, amount_in_cents, direction, status, description, transaction_date,
  merchant_name, category, transfer_id, updated_at, vanished_at, provider_category) on external_transactions to
  :"app_role";

-- Accounts of the organization itself; those of others are payees. The numbers are only at the bank.
create table registered_accounts (
  organization_id      uuid not null,
  account_id           uuid not null,
  -- The idempotency key at the bank; the same for another attempt with the same holder and numbers.
  registration_id      uuid not null,
  holder_name          text not null check (length(holder_name) >= 1 and length(holder_name) <= 100),
  holder_kind          text not null check (holder_kind in ('BUSINESS', 'INDIVIDUAL')),
  account_kind         text not null check (account_kind in ('CHECKING', 'SAVINGS')),
  routing_number_last4 text not null check (routing_number_last4 ~ '^[0-9]{4}$'),
  account_number_last4 text not null check (account_number_last4 ~ '^[0-9]{4}$'),
  begun_by             uuid not null,
  begun_at             timestamptz not null,
  -- Null: an attempt whose outcome is unknown. No order names the account then.
  bank_reference       text check (length(bank_reference) >= 1 and length(bank_reference) <= 200),
  registered_by        uuid,
  -- Business time, like the end of its cool-off.
  registered_at        timestamptz,
  cools_off_until      timestamptz,
  -- As of payees; null: registered before it was kept.
  account_key          bytea,
  -- As of payees; null: registered_at.
  cools_off_since      timestamptz,
  primary key (organization_id, account_id),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  foreign key (begun_by) references users (id),
  foreign key (registered_by) references users (id),
  constraint registered_accounts_check check ((bank_reference is null) = (registered_by is null) and (bank_reference
    is null) = (registered_at is null) and (bank_reference is null) = (cools_off_until is null))
);
grant select on registered_accounts to :"app_role";

-- transfers ───────────────────────────────────────────────────────────────────────────────────────────────────────────

create table transfers (
  organization_id          uuid not null,
  id                       uuid not null,
  status                   text not null check (status in ('APPROVAL_PENDING', 'APPROVAL_DENIED', 'PROCESSING',
    'COMPLETE', 'FAILED', 'CANCELLED', 'RETURNED')),
  execution_mode           text not null check (execution_mode in ('LIVE', 'SIMULATION')),
  direction                text not null check (direction in ('MONEY_IN', 'MONEY_OUT', 'INTERNAL')),
  origin                   text not null check (origin in ('API', 'RULE', 'USER', 'DIRECT_DEPOSIT', 'CHECK_DEPOSIT',
    'EXTERNAL_PULL')),
  amount_in_cents          bigint not null check (amount_in_cents >= 1 and amount_in_cents <= 9007199254740991),
  description              text check (description ~ '^[A-Za-z0-9 ]{1,10}$'),
  source_account_id        uuid,
  destination_account_id   uuid,
  -- The other party, if it is not an account of this organization.
  counterparty_name        text check (length(counterparty_name) <= 200),
  rule_id                  uuid,
  rule_execution_id        uuid,
  reason_for_approval      text check (length(reason_for_approval) <= 1000),
  proposed_by_kind         text not null check (proposed_by_kind in ('API_KEY', 'MEMBER', 'RULE', 'BANK')),
  proposed_by_id           uuid,
  proposed_by_name         text not null,
  -- Known at acceptance (not enough money); reported when the transfer fails a moment later.
  fails_with               text,
  error_code               text,
  error_message            text,
  created_at               timestamptz not null,
  updated_at               timestamptz not null,
  accepted_at              timestamptz,
  completed_at             timestamptz,
  expected_completion_date date,
  -- Held on the source's ledger until the transfer is booked or ends.
  hold_in_cents            bigint not null default 0,
  -- BOOK and FAIL are done by the database alone. SUBMIT can still be canceled. ASK has been leased for the bank, so
  -- the bank is asked before anything is sent again. AWAIT waits for the bank's notice.
  next_step                text check (next_step in ('BOOK', 'FAIL', 'SUBMIT', 'ASK', 'AWAIT')),
  due_at                   timestamptz,
  attempts                 integer not null default 0,
  -- Real time, unlike due_at: a lease is about processes, not about business days.
  leased_until             timestamptz,
  last_error               text,
  bank_reference           text,
  cancelled_by             uuid,
  -- How many rules ran before it in its chain, its own included.
  chain_depth              smallint not null default 0 check (chain_depth >= 0),
  rule_limit_id            text,
  -- Of the payee that it pays, when it was accepted. It is not sent if the payee has changed by then.
  payee_version            integer,
  -- When the program that requested it, or its run, canceled it after it was accepted. Null: it did not.
  withdrawn_at             timestamptz,
  -- Under which it was accepted without asking; null: none.
  mandate_id               uuid,
  primary key (organization_id, id),
  foreign key (cancelled_by) references users (id),
  foreign key (organization_id, source_account_id) references accounts (organization_id, id),
  foreign key (organization_id, destination_account_id) references accounts (organization_id, id),
  constraint transfers_check check (hold_in_cents = 0 or hold_in_cents = amount_in_cents),
  constraint transfers_check1 check (source_account_id is not null or destination_account_id is not null),
  constraint transfers_check2 check (source_account_id is distinct from destination_account_id),
  constraint transfers_check3 check (next_step is null or status = 'PROCESSING'),
  constraint transfers_check4 check (hold_in_cents = 0 or status = 'PROCESSING'),
  constraint transfers_check6 check (cancelled_by is null or status = 'CANCELLED'),
  constraint simulations_are_over check (execution_mode = 'LIVE' or (status in ('COMPLETE', 'FAILED'))),
  constraint transfers_mandate_check check (mandate_id is null or execution_mode = 'LIVE')
) with (fillfactor=80);
alter table transfers
  alter column organization_id set statistics 0,
  alter column source_account_id set statistics 0,
  alter column destination_account_id set statistics 0;
-- The few transfers that cross the border of the managed accounts; the many moves between pods stay out of it.
create index transfers_across_border on transfers (organization_id, completed_at) include (direction, status,
  amount_in_cents) where ((direction <> 'INTERNAL') and (execution_mode = 'LIVE') and (status in ('COMPLETE',
  'RETURNED')));
-- Together with the partial indexes of the earlier steps, everything that is on its way; read by the page of an
-- account and before an account is closed. Moves between pods never enter it, so the busiest path writes no further
-- index.
create index transfers_awaited on transfers (organization_id) where (next_step = 'AWAIT');
-- The command palette finds transfers by amount, as fast among a million of them as in a new organization.
create index transfers_by_amount on transfers (organization_id, amount_in_cents, id desc);
create index transfers_by_counterparty_text on transfers USING gin (organization_id, counterparty_name gin_trgm_ops)
  where (counterparty_name is not null);
create index transfers_by_destination on transfers (organization_id, destination_account_id, execution_mode, id
  desc);
create index transfers_by_execution on transfers (organization_id, rule_execution_id, id) include (status,
  amount_in_cents) where (rule_execution_id is not null);
create index transfers_by_label_text on transfers USING gin (organization_id, description gin_trgm_ops) where
  (description is not null);
create index transfers_by_limit on transfers (organization_id, rule_id, rule_limit_id, accepted_at) include
  (amount_in_cents, status) where (rule_limit_id is not null);
-- Earlier transfers from one account to another (lib/core/approvals/transfer-subject.ts). An approver waits for
-- them; without it, they were searched for among everything that ever left a busy account.
create index transfers_by_route on transfers (organization_id, source_account_id, destination_account_id, id desc)
  include (amount_in_cents, created_at) where ((execution_mode = 'LIVE') and (status = 'COMPLETE'));
create index transfers_by_source on transfers (organization_id, source_account_id, execution_mode, id desc);
create index transfers_for_bank on transfers (due_at) where (next_step in ('SUBMIT', 'ASK'));
create index transfers_of_mandate on transfers (organization_id, mandate_id, id desc) include (status,
  amount_in_cents) where (mandate_id is not null);
-- Money taken from an outside account since its balance was reported (lib/core/keys/read-key-accounts.ts). Without
-- it, the pages of keys read every transfer of a busy account. Only transfers across the border can take from
-- outside.
create index transfers_taken_outside on transfers (organization_id, source_account_id, accepted_at) include
  (amount_in_cents) where ((direction <> 'INTERNAL') and (execution_mode = 'LIVE') and (status in ('PROCESSING',
  'COMPLETE')));
-- Money that reached an outside account since its bank last reported its balance. Only transfers across the border
-- can.
create index transfers_that_reached_outside on transfers (organization_id, destination_account_id, completed_at)
  include (amount_in_cents, id) where ((direction <> 'INTERNAL') and (execution_mode = 'LIVE') and (status =
  'COMPLETE'));
-- Transfers of an organization that did not simply settle: failures, returns, refusals and those that wait, listed
-- without reading the settled ones between them. A settled transfer is never in it, so the busy path writes nothing
-- here.
create index transfers_that_stand_out on transfers (organization_id, status, id desc) where (status in
  ('APPROVAL_PENDING', 'APPROVAL_DENIED', 'FAILED', 'CANCELLED', 'RETURNED'));
create index transfers_to_book on transfers (due_at) where (next_step in ('BOOK', 'FAIL'));
create index transfers_under_mandate on transfers (organization_id, mandate_id, accepted_at) include
  (amount_in_cents) where ((mandate_id is not null) and (status in ('PROCESSING', 'COMPLETE', 'RETURNED')));
-- The transfers of a key that are under way. Without it a revocation would read every transfer of the organization.
create index transfers_under_way_by_key on transfers (organization_id, proposed_by_id) where ((next_step in ('BOOK',
  'SUBMIT')) and (proposed_by_kind = 'API_KEY'));
create trigger transfers_await_window before update of next_step on transfers for each row when (new.next_step =
  'SUBMIT' and old.next_step is distinct from 'SUBMIT') execute function await_bank_window();
create trigger transfers_await_window_new before insert on transfers for each row when (new.next_step = 'SUBMIT')
  execute function await_bank_window();
create trigger transfers_cap_outgoing before update of next_step on transfers for each row when (new.next_step =
  'SUBMIT' and old.next_step is distinct from 'SUBMIT' and new.direction = 'MONEY_OUT') execute function
  cap_outgoing();
create trigger transfers_cap_outgoing_new before insert on transfers for each row when (new.next_step = 'SUBMIT' and
  new.direction = 'MONEY_OUT') execute function cap_outgoing();
create trigger transfers_cool_off before update of next_step on transfers for each row when (new.next_step =
  'SUBMIT' and old.next_step is distinct from 'SUBMIT' and new.direction = 'MONEY_OUT') execute function
  cool_off_payee();
create trigger transfers_cool_off_new before insert on transfers for each row when (new.next_step = 'SUBMIT' and
  new.direction = 'MONEY_OUT') execute function cool_off_payee();
create trigger transfers_emit_new after insert on transfers for each row when (new.execution_mode = 'LIVE' and
  (new.status <> 'COMPLETE' or new.origin <> 'API')) execute function emit_for_transfer();
create trigger transfers_emit_status after update of status on transfers for each row when (new.status is distinct
  from old.status and new.execution_mode = 'LIVE') execute function emit_for_transfer();
create trigger transfers_note_refused after update of status on transfers for each row when (new.execution_mode =
  'LIVE' and new.status = 'FAILED' and old.status is distinct from new.status and (new.error_code is null or
  new.error_code ~~ 'ACH\_%')) execute function note_bank_answer('TRANSFER_REFUSED');
create trigger transfers_note_returned after update of status on transfers for each row when (new.execution_mode =
  'LIVE' and new.status = 'RETURNED' and old.status is distinct from new.status) execute function
  note_bank_answer('TRANSFER_RETURNED');
create trigger transfers_settle_executions after update of status on transfers for each row when
  (new.rule_execution_id is not null and old.status is distinct from new.status and new.execution_mode = 'LIVE')
  execute function settle_execution();
grant select on transfers to :"app_role";

create table bank_remarks (
  organization_id   uuid not null,
  transfer_id       uuid not null,
  words             text check (length(words) >= 1 and length(words) <= 300),
  is_approved_there boolean not null default false,
  remarked_at       timestamptz not null,
  primary key (organization_id, transfer_id),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id)
);
grant insert, select, update on bank_remarks to :"app_role";

-- The adapter that this database was first started with; without a row, the built-in sandbox bank. Its balances are of that bank, so it never changes.
create table bank_in_use (
  is_only       boolean not null default true check (is_only),
  name          text not null check (length(name) >= 1 and length(name) <= 100),
  -- Real money: outgoing caps apply.
  is_production boolean not null,
  since         timestamptz not null,
  primary key (is_only)
);
grant insert, select on bank_in_use to :"app_role";

-- Real money only: when each payment out was first handed to the bank, which is the day that it counts toward.
create table outgoing_orders (
  organization_id uuid not null,
  transfer_id     uuid not null,
  left_at         timestamptz not null,
  primary key (organization_id, transfer_id),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id)
);
create index outgoing_orders_by_time on outgoing_orders (organization_id, left_at);
grant select on outgoing_orders to :"app_role";

-- A bank's notice counts once, by its reference.
create table bank_notices (
  organization_id uuid not null,
  reference       text not null,
  transfer_id     uuid not null,
  kind            text not null check (kind in ('SETTLED', 'RETURNED')),
  code            text,
  occurred_at     timestamptz not null,
  received_at     timestamptz not null,
  primary key (organization_id, reference),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id)
);
create index bank_notices_of_transfer on bank_notices (organization_id, transfer_id);
grant select on bank_notices to :"app_role";

-- What the bank said of an order or deposit when it settled.
create table bank_settlements (
  organization_id uuid not null,
  transfer_id     uuid not null,
  rail            text not null check (rail in ('ACH', 'WIRE', 'INSTANT', 'CHECK', 'BOOK')),
  -- 0: none, or billed otherwise.
  fee_in_cents    bigint not null check (fee_in_cents >= 0),
  -- When it can no longer be returned as a matter of course; null: unknown.
  final_at        timestamptz,
  available_at    timestamptz,
  -- Held on the destination until available_at (business time), since the bank may still take it back.
  hold_in_cents   bigint not null default 0 check (hold_in_cents >= 0),
  primary key (organization_id, transfer_id),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id),
  constraint holds_end check (hold_in_cents = 0 or available_at is not null)
);
create index bank_settlements_held on bank_settlements (available_at) where (hold_in_cents > 0);
grant select on bank_settlements to :"app_role";

-- Notifications of change (NACHA): what the bank of an outside account corrected, each applied once.
create table account_corrections (
  organization_id               uuid not null,
  reference                     text not null,
  transfer_id                   uuid not null,
  account_id                    uuid not null,
  code                          text not null check (code ~ '^C[0-9]{2}$'),
  -- What orders name from then on; null: the bank needs none.
  bank_reference                text check (length(bank_reference) <= 200),
  routing_number_last4          text not null check (routing_number_last4 ~ '^[0-9]{4}$'),
  account_number_last4          text not null check (account_number_last4 ~ '^[0-9]{4}$'),
  previous_routing_number_last4 text,
  previous_account_number_last4 text,
  occurred_at                   timestamptz not null,
  received_at                   timestamptz not null,
  primary key (organization_id, reference),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id)
);
create index account_corrections_by_account on account_corrections (organization_id, account_id, occurred_at desc);
grant select on account_corrections to :"app_role";

-- Written by the bank adapter in its own transactions, like the tables of the sandbox bank.
create table bank_inbox (
  organization_id  uuid not null,
  notice_reference text not null check (length(notice_reference) <= 200),
  notice           jsonb not null,
  occurred_at      timestamptz not null,
  -- Of two notices of one moment, a settlement comes before its return.
  number           bigint not null generated always as identity,
  acknowledged_at  timestamptz,
  primary key (organization_id, notice_reference)
);
create index bank_inbox_due on bank_inbox (organization_id, occurred_at, number) where (acknowledged_at is null);
grant insert, select on bank_inbox to :"app_role";
grant update (acknowledged_at) on bank_inbox to :"app_role";

-- Events already read. Each poll lists the last minutes again, because an event may appear late.
create table bank_events (
  -- Whose events: a bank, and the account there if it is a setting.
  feed       text not null check (length(feed) <= 100),
  id         text not null,
  created_at timestamptz not null,
  -- Kept for a day at least: an event may be dated long before it appears.
  read_at    timestamptz default now(),
  primary key (feed, id)
);
create index bank_events_by_time on bank_events (feed, created_at);
grant delete, insert, select on bank_events to :"app_role";

-- Where a bank's list of events is read. NEAR reads what is new; FAR lists the last day again, because an event may appear late.
create table bank_feeds (
  feed        text not null check (length(feed) <= 100),
  reach       text not null check (reach in ('NEAR', 'FAR')),
  -- The event after which this pass begins, for a bank that lists so; the other bank lists from `since` on.
  after_id    text,
  since       timestamptz,
  -- The bank's own, of the page that is read next; null: the first.
  cursor      text check (length(cursor) <= 1000),
  begun_at    timestamptz not null,
  -- When the end of the list was last reached. Until then the bank's news is late.
  ended_at    timestamptz,
  -- Events in a row that were known already: more than are kept means that the list goes in a circle.
  known_count integer not null default 0,
  rests_until timestamptz,
  primary key (feed, reach)
);
grant insert, select, update on bank_feeds to :"app_role";

-- What events of a bank are about and could not be read; tried again by itself, never in the way of others.
create table bank_unread_objects (
  feed            text not null check (length(feed) <= 100),
  about           text not null check (length(about) >= 1 and length(about) <= 300),
  -- Whose news is late because of it; null: not known until it is read.
  organization_id uuid,
  -- The first event that named it; null: an order that is asked about.
  event_id        text,
  event_at        timestamptz not null,
  reason          text not null check (length(reason) <= 200),
  attempts        integer not null default 1,
  first_failed_at timestamptz not null,
  -- Null: it is tried again with its list or its order.
  retry_at        timestamptz,
  logged_at       timestamptz,
  primary key (feed, about)
);
create index bank_unread_objects_due on bank_unread_objects (feed, retry_at);
create index bank_unread_objects_of_organization on bank_unread_objects (organization_id, event_at) where
  (organization_id is not null);
create index bank_unread_objects_to_log on bank_unread_objects (first_failed_at) where (logged_at is null);
grant delete, insert, select, update on bank_unread_objects to :"app_role";

-- Notices of the bank that could not be booked. Until retry_at, the bank adapter lists neither them nor what follows in the same subject.
create table bank_unapplied_notices (
  organization_id  uuid not null,
  notice_reference text not null check (length(notice_reference) <= 200),
  -- The transfer or deposit, whose notices are applied in order.
  subject          text not null check (length(subject) <= 200),
  attempts         integer not null default 1,
  first_failed_at  timestamptz not null,
  -- Business time.
  retry_at         timestamptz not null,
  primary key (organization_id, notice_reference)
);
create index bank_unapplied_notices_of_subject on bank_unapplied_notices (organization_id, subject, retry_at);
grant delete, insert, select, update on bank_unapplied_notices to :"app_role";

-- An account at a bank that the whole installation shares belongs to the first organization that needs it.
create table adopted_bank_accounts (
  bank_account      text not null check (length(bank_account) >= 1 and length(bank_account) <= 200),
  organization_id   uuid not null,
  -- Receives the deposits, since such an account has one number.
  income_account_id uuid,
  -- Bank time. Earlier deposits are part of the balance that was booked when the account was adopted.
  deposits_after    timestamptz,
  -- What it held when deposits began to go to an income source: its statement begins with it. Null: adopted before this was kept.
  opening_in_cents  bigint,
  -- Business time of opening_in_cents.
  opened_at         timestamptz,
  -- Ids of transactions at the bank of which nobody could read when they were posted: they are neither deposits nor lines of the statement.
  opening_includes  text[] not null default '{}'[],
  primary key (bank_account),
  constraint few_opening_includes check (cardinality(opening_includes) <= 1000)
);
grant insert, select on adopted_bank_accounts to :"app_role";
grant update (income_account_id, deposits_after, opening_in_cents, opened_at, opening_includes) on
  adopted_bank_accounts to :"app_role";

-- Mercury takes no idempotency key for a recipient: the row is claimed before the call.
create table mercury_recipients (
  organization_id      uuid not null,
  outside_account_id   uuid not null,
  recipient_id         text,
  routing_number_last4 text not null check (routing_number_last4 ~ '^[0-9]{4}$'),
  account_number_last4 text not null check (account_number_last4 ~ '^[0-9]{4}$'),
  claimed_at           timestamptz,
  primary key (organization_id, outside_account_id)
);
grant insert, select on mercury_recipients to :"app_role";
grant update (recipient_id, claimed_at) on mercury_recipients to :"app_role";

-- Orders, written before they are sent: neither an approval request nor a transaction at Mercury names its idempotency key.
create table mercury_orders (
  organization_id uuid not null,
  transfer_id     uuid not null,
  bank_account    text not null,
  recipient_id    text not null,
  amount_in_cents bigint not null check (amount_in_cents > 0),
  tried_at        timestamptz not null,
  request_id      text,
  transaction_id  text,
  -- When it settles, as first answered.
  expected_at     timestamptz,
  refused_code    text,
  -- When its state was last asked for, besides events.
  asked_at        timestamptz,
  ended_at        timestamptz,
  primary key (organization_id, transfer_id)
);
create index mercury_orders_alike on mercury_orders (organization_id, recipient_id, amount_in_cents, tried_at);
create index mercury_orders_open on mercury_orders (bank_account, asked_at) where ((ended_at is null) and
  (expected_at is not null));
create unique index mercury_orders_request on mercury_orders (request_id) where (request_id is not null);
create unique index mercury_orders_transaction on mercury_orders (transaction_id) where (transaction_id is not
  null);
grant insert, select on mercury_orders to :"app_role";
grant update (request_id, transaction_id, expected_at, refused_code, asked_at, ended_at) on mercury_orders to
  :"app_role";

-- Which transfer reverses which. A reversal that was denied or failed may be followed by another.
create table transfer_reversals (
  organization_id uuid not null,
  transfer_id     uuid not null,
  reversal_id     uuid not null,
  primary key (organization_id, transfer_id, reversal_id),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id),
  foreign key (organization_id, reversal_id) references transfers (organization_id, id)
);
create index transfer_reversals_by_reversal on transfer_reversals (organization_id, reversal_id);
grant insert, select on transfer_reversals to :"app_role";

-- The id and the data that a program gave a transfer. No row: none.
create table transfer_labels (
  organization_id uuid not null,
  transfer_id     uuid not null,
  external_id     text check (length(external_id) >= 1 and length(external_id) <= 64),
  -- Pairs of key and value, in the program's order.
  metadata        jsonb not null default '[]'::jsonb check (jsonb_typeof(metadata) = 'array'),
  primary key (organization_id, transfer_id)
);
create index transfer_labels_by_external_id on transfer_labels (organization_id, external_id, transfer_id desc)
  where (external_id is not null);
grant select on transfer_labels to :"app_role";

-- The pairs of transfer_labels.metadata, to find transfers by one.
create table transfer_metadata (
  organization_id uuid not null,
  key             text not null check (length(key) >= 1 and length(key) <= 40),
  value           text not null check (length(value) <= 200),
  transfer_id     uuid not null,
  primary key (organization_id, key, value, transfer_id)
);
grant select on transfer_metadata to :"app_role";

-- What was attached to a proposal while it waited, kept as long as its transfer. Never changed or removed (keep_documents).
create table transfer_documents (
  organization_id uuid not null,
  id              uuid not null,
  transfer_id     uuid,
  -- Of a member who has not moved the money yet; null once they have.
  draft_id        uuid,
  -- Real time at which a draft's document is forgotten.
  expires_at      timestamptz,
  name            text not null check (length(name) >= 1 and length(name) <= 100),
  -- As its own bytes show.
  media_type      text not null check (media_type in ('application/pdf', 'image/jpeg', 'image/png')),
  size_bytes      integer not null check (size_bytes >= 1 and size_bytes <= 5242880),
  sha256          bytea not null check (length(sha256) = 32),
  -- Its key, encrypted with the product's secret.
  sealed_key      bytea not null check (length(sealed_key) >= 30 and length(sealed_key) <= 400),
  added_by_kind   text not null check (added_by_kind in ('API_KEY', 'MEMBER')),
  added_by_id     uuid not null,
  added_by_name   text not null,
  -- Business time.
  added_at        timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id),
  constraint transfer_documents_check check (num_nonnulls(transfer_id, draft_id) = 1),
  constraint transfer_documents_check1 check ((draft_id is null) = (expires_at is null))
);
create index transfer_documents_by_adder on transfer_documents (organization_id, added_by_id, added_at);
create index transfer_documents_by_content on transfer_documents (organization_id, sha256);
create index transfer_documents_of_draft on transfer_documents (organization_id, draft_id, id) where (draft_id is
  not null);
create index transfer_documents_of_transfer on transfer_documents (organization_id, transfer_id, id) where
  (transfer_id is not null);
create index transfer_documents_to_forget on transfer_documents (expires_at) where (expires_at is not null);
create trigger transfer_documents_kept before delete or update on transfer_documents for each row execute function
  keep_documents();
create trigger transfer_documents_not_truncated before truncate on transfer_documents for each statement execute
  function keep_documents();
grant select on transfer_documents to :"app_role";
grant update (sealed_key) on transfer_documents to :"app_role";

-- The content of documents, encrypted with the key of each, half a megabyte in a row.
create table document_pieces (
  organization_id uuid not null,
  document_id     uuid not null,
  place           smallint not null check (place >= 0 and place <= 9),
  content         bytea not null check (length(content) >= 30 and length(content) <= 524400),
  primary key (organization_id, document_id, place),
  foreign key (organization_id, document_id) references transfer_documents (organization_id, id) on delete CASCADE
);
create trigger document_pieces_kept before delete or update on document_pieces for each row execute function
  keep_documents();
create trigger document_pieces_not_truncated before truncate on document_pieces for each statement execute function
  keep_documents();
grant select on document_pieces to :"app_role";

-- cards ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

create table cards (
  organization_id        uuid not null,
  id                     uuid not null,
  card_type              text not null check (card_type in ('DEBIT_CARD', 'OMNI_CARD')),
  name                   text not null check (length(name) >= 1 and length(name) <= 60),
  number_last4           text not null check (number_last4 ~ '^[0-9]{4}$'),
  -- The pod that the card spends from.
  account_id             uuid not null,
  holder_id              uuid,
  -- The most that the card may spend in a calendar month of the organization; null: no limit of its own.
  monthly_limit_in_cents bigint check (monthly_limit_in_cents > 0),
  status                 text not null check (status in ('ACTIVE', 'FROZEN', 'CLOSED')),
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  issued_by              uuid,
  status_changed_by      uuid,
  status_changed_at      timestamptz,
  primary key (organization_id, id),
  foreign key (holder_id) references users (id),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  foreign key (issued_by) references users (id),
  foreign key (status_changed_by) references users (id)
);
grant select on cards to :"app_role";

-- What merchants asked the card network for, and what became of it.
create table card_authorizations (
  organization_id   uuid not null,
  id                uuid not null,
  card_id           uuid not null,
  account_id        uuid not null,
  amount_in_cents   bigint not null check (amount_in_cents >= 1 and amount_in_cents <= 9007199254740991),
  merchant          text not null check (length(merchant) <= 200),
  category          text check (category in ('HOUSING_AND_UTILITIES', 'FOOD_AND_DRINK', 'TRANSPORTATION', 'SHOPPING',
    'HEALTH_AND_PERSONAL_CARE', 'ENTERTAINMENT_AND_TRAVEL', 'DEBT_AND_FEES', 'OTHER')),
  status            text not null check (status in ('AUTHORIZED', 'SETTLED', 'RELEASED', 'DECLINED')),
  -- Kept even if the network settles a declined purchase.
  decline_reason    text check (decline_reason in ('CARD_CLOSED', 'CARD_FROZEN', 'ACCOUNT_CLOSED', 'MONTHLY_LIMIT',
    'INSUFFICIENT_FUNDS', 'BELOW_FLOOR', 'GATES_CLOSED')),
  -- What is still held on the pod's ledger.
  hold_in_cents     bigint not null default 0,
  settled_in_cents  bigint not null default 0 check (settled_in_cents >= 0),
  -- The calendar month of the organization whose limit it counts toward, as its first day.
  month             date not null,
  network_reference text not null check (length(network_reference) >= 1 and length(network_reference) <= 200),
  authorized_at     timestamptz not null,
  expires_at        timestamptz,
  ended_at          timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, card_id) references cards (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  constraint card_authorizations_check check (hold_in_cents >= 0 and hold_in_cents <= amount_in_cents),
  constraint card_authorizations_check1 check (hold_in_cents = 0 or status = 'AUTHORIZED'),
  constraint card_authorizations_check2 check (status <> 'DECLINED' or decline_reason is not null),
  constraint card_authorizations_check3 check ((status = 'AUTHORIZED') = (ended_at is null)),
  constraint card_authorizations_check4 check (status <> 'AUTHORIZED' or expires_at is not null)
) with (fillfactor=80);
create index card_authorizations_by_card on card_authorizations (organization_id, card_id, authorized_at desc, id
  desc);
create unique index card_authorizations_by_reference on card_authorizations (organization_id, network_reference);
create index card_authorizations_open on card_authorizations (organization_id, account_id) where (status =
  'AUTHORIZED');
create index card_authorizations_to_expire on card_authorizations (expires_at) where (status = 'AUTHORIZED');
grant select on card_authorizations to :"app_role";

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
  -- The card network's reference: a transaction that is reported twice counts once.
  network_reference text not null check (length(network_reference) >= 1 and length(network_reference) <= 200),
  created_at        timestamptz not null,
  completed_at      timestamptz not null,
  authorization_id  uuid,
  stream_key        text generated always as (lower(plain_name(description))) stored,
  primary key (organization_id, id),
  foreign key (organization_id, card_id) references cards (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  foreign key (organization_id, authorization_id) references card_authorizations (organization_id, id),
  constraint card_transactions_check check (authorization_id is null or subtype = 'PURCHASE')
);
alter table card_transactions
  alter column organization_id set statistics 0,
  alter column card_id set statistics 0,
  alter column account_id set statistics 0;
create index card_transactions_by_account on card_transactions (organization_id, account_id, created_at desc, id
  desc);
create index card_transactions_by_card on card_transactions (organization_id, card_id, created_at desc, id desc)
  include (account_id);
create index card_transactions_by_completion on card_transactions (organization_id, completed_at);
create index card_transactions_by_date on card_transactions (organization_id, created_at desc, id desc);
create unique index card_transactions_by_reference on card_transactions (organization_id, network_reference);
create index card_transactions_by_text on card_transactions USING gin (organization_id, description gin_trgm_ops);
create trigger card_transactions_emit_new after insert on card_transactions referencing new table as
  new_card_transactions for each statement execute function emit_for_card_transactions();
grant select on card_transactions to :"app_role";

-- What a card has spent in a calendar month: settled purchases and open holds. Changed only under the lock of the
-- card's row.
create table card_months (
  organization_id uuid not null,
  card_id         uuid not null,
  month           date not null,
  spent_in_cents  bigint not null check (spent_in_cents >= 0),
  primary key (organization_id, card_id, month),
  foreign key (organization_id, card_id) references cards (organization_id, id)
) with (fillfactor=80);
grant select on card_months to :"app_role";

-- rules ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

create table rules (
  organization_id           uuid not null,
  id                        uuid not null,
  -- As in the latest version; for lists and their filters. The same holds for source_account_ids.
  name                      text not null check (length(name) >= 1 and length(name) <= 60),
  latest_version            integer not null check (latest_version >= 1),
  -- Null: no version is active.
  active_version            integer,
  -- The trigger's account and every account that an action takes money from.
  source_account_ids        uuid[] not null,
  created_at                timestamptz not null,
  updated_at                timestamptz not null,
  deleted_at                timestamptz,
  -- As in the active version, like the two columns below; null while none is active.
  active_trigger_type       text check (active_trigger_type in ('MANUAL', 'SCHEDULED', 'ON_FUNDS_TRANSFERRED')),
  active_trigger_account_id uuid,
  active_minimum_in_cents   bigint check (active_minimum_in_cents >= 0),
  -- Business time of the next run of an active SCHEDULED version; null: none is left.
  next_run_at               timestamptz,
  activated_at              timestamptz,
  activated_by              uuid,
  -- When the bank returned money that rules had already passed on. It does not run live until a person has looked.
  -- paused_by_transfer_id is the returned transfer.
  paused_at                 timestamptz,
  paused_by_transfer_id     uuid,
  -- The highest version number ever given: the latest version may have been discarded.
  versions_made             integer not null default 1,
  -- Business time up to which scheduled times have run or are recorded as skipped; next_run_at says when to look
  -- again. They differ while a definition cannot be read, so that its times are made up for instead of lost.
  scheduled_until           timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (activated_by) references users (id),
  constraint rules_check check (active_version >= 1 and active_version <= latest_version),
  constraint rules_check1 check (deleted_at is null or active_version is null),
  constraint rules_check2 check ((active_version is null) = (active_trigger_type is null)),
  constraint rules_check3 check ((active_version is null) = (active_trigger_account_id is null)),
  constraint rules_check4 check (active_version is not null or next_run_at is null and paused_at is null),
  constraint rules_check5 check ((paused_at is null) = (paused_by_transfer_id is null)),
  constraint rules_check6 check (versions_made >= latest_version)
);
create index rules_active on rules (organization_id) where (active_version is not null);
create unique index rules_by_arrival on rules (organization_id, active_trigger_account_id) where
  (active_trigger_type = 'ON_FUNDS_TRANSFERRED');
create index rules_to_run on rules (next_run_at) where (next_run_at is not null);
create trigger rules_emit_change after update of latest_version, active_version, paused_at, deleted_at on rules for
  each row when (new.latest_version is distinct from old.latest_version or new.active_version is distinct from
  old.active_version or new.paused_at is distinct from old.paused_at or new.deleted_at is distinct from
  old.deleted_at) execute function emit_for_rule();
create trigger rules_emit_new after insert on rules for each row execute function emit_for_rule();
create trigger rules_name_what_runs before update of name, latest_version, active_version on rules for each row
  execute function name_what_runs();
grant insert, select on rules to :"app_role";
grant update (name, latest_version, source_account_ids, updated_at, versions_made) on rules to :"app_role";

-- Written once: an edit is a new version, so what a person activated, and what a run did, stay readable.
create table rule_versions (
  organization_id uuid not null,
  rule_id         uuid not null,
  version         integer not null check (version >= 1),
  -- ruleDefinitionSchema (contract/rules/rule.ts).
  definition      jsonb not null,
  created_by_kind text not null check (created_by_kind in ('API_KEY', 'MEMBER')),
  created_by_id   uuid not null,
  created_by_name text not null,
  created_at      timestamptz not null,
  -- What the caller sent in x-called-reason, or a member entered in the editor.
  reason          text check (length(reason) <= 500),
  -- The draft that it was saved from, which no longer exists; null: written by an API key.
  draft_id        uuid,
  -- As a proposal in lists for programs. Null: a member wrote it, or an older Sluice during an update.
  proposal_id     uuid,
  primary key (organization_id, rule_id, version),
  foreign key (organization_id, rule_id) references rules (organization_id, id)
);
create index rule_versions_as_proposals on rule_versions (organization_id, proposal_id desc) where (proposal_id is
  not null);
create unique index rule_versions_once_by_draft on rule_versions (organization_id, created_by_id, draft_id) where
  (draft_id is not null);
create trigger rule_versions_append_only before delete or update or truncate on rule_versions for each statement
  execute function refuse_change();
create trigger rule_versions_emit_new after insert on rule_versions for each row when (new.proposal_id is not null)
  execute function emit_for_rule_version();
grant insert, select on rule_versions to :"app_role";

-- A proposed version that a person discarded. Versions themselves are never changed.
create table rule_version_discards (
  organization_id uuid not null,
  rule_id         uuid not null,
  version         integer not null,
  discarded_by    uuid not null,
  discarded_at    timestamptz not null,
  primary key (organization_id, rule_id, version),
  foreign key (discarded_by) references users (id),
  foreign key (organization_id, rule_id, version) references rule_versions (organization_id, rule_id, version)
);
grant select on rule_version_discards to :"app_role";

-- A member's unsaved edit of a rule, or of a rule that does not exist yet.
create table rule_drafts (
  organization_id uuid not null,
  id              uuid not null,
  user_id         uuid not null,
  -- Null: a new rule.
  rule_id         uuid,
  -- The version that the edit started from.
  base_version    integer,
  -- As far as the member has come; it need not be a complete rule.
  definition      jsonb not null check (pg_column_size(definition) <= 262144),
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (organization_id, id),
  foreign key (user_id) references users (id),
  foreign key (organization_id, rule_id) references rules (organization_id, id)
);
create index rule_drafts_by_member on rule_drafts (organization_id, user_id, updated_at desc);
create unique index rule_drafts_one_each on rule_drafts (organization_id, rule_id, user_id) where (rule_id is not
  null);
grant delete, insert, select, update on rule_drafts to :"app_role";

-- A rule's own address for programs (REMOTE_API). Only the hash of the secret is stored.
create table rule_hooks (
  organization_id   uuid not null,
  rule_id           uuid not null,
  secret_hash       bytea not null check (length(secret_hash) = 32),
  secret_last4      text not null check (length(secret_last4) = 4),
  approval_required boolean not null default true,
  created_by        uuid not null,
  created_at        timestamptz not null,
  last_used_at      timestamptz,
  primary key (organization_id, rule_id),
  foreign key (created_by) references users (id),
  foreign key (organization_id, rule_id) references rules (organization_id, id)
);
create unique index rule_hooks_by_rule on rule_hooks (rule_id);
grant delete, insert, select on rule_hooks to :"app_role";
grant update (secret_hash, secret_last4, approval_required, created_by, created_at, last_used_at) on rule_hooks to
  :"app_role";

-- What people, or a bank's return, did with a rule, in order.
create table rule_events (
  organization_id uuid not null,
  id              uuid not null,
  rule_id         uuid not null,
  kind            text not null check (kind in ('ACTIVATED', 'SIGNED', 'DEACTIVATED', 'DISCARDED', 'DELETED',
    'PAUSED', 'RESUMED', 'HOOK_MADE', 'HOOK_REMOVED', 'HOOK_APPROVAL_ON', 'HOOK_APPROVAL_OFF')),
  version         integer,
  -- Null: paused by a bank's return.
  by_user_id      uuid,
  method          text check (method in ('PASSKEY', 'PASSWORD', 'RECENT_SIGN_IN', 'RECOVERY_CODE')),
  -- Of an activation: identifies what was shown and confirmed.
  digest          text,
  transfer_id     uuid,
  at              timestamptz not null,
  primary key (organization_id, id),
  foreign key (by_user_id) references users (id),
  foreign key (organization_id, rule_id) references rules (organization_id, id)
);
create index rule_events_by_rule on rule_events (organization_id, rule_id, id desc);
create index rule_events_by_time on rule_events (organization_id, at desc) where (by_user_id is not null);
create index rule_events_of_activation on rule_events (organization_id, rule_id, version) where (kind =
  'ACTIVATED');
create index rule_events_of_pauses on rule_events (organization_id, id desc) where (kind = 'PAUSED');
create trigger rule_events_emit_decision after insert on rule_events for each row when (new.kind in ('ACTIVATED',
  'DISCARDED')) execute function emit_for_rule_event();
grant select on rule_events to :"app_role";

create table rule_executions (
  organization_id     uuid not null,
  id                  uuid not null,
  rule_id             uuid not null,
  rule_version        integer not null,
  status              text not null check (status in ('IN_PROGRESS', 'EXECUTED', 'PARTIAL', 'FAILED',
    'APPROVAL_PENDING', 'APPROVAL_DENIED')),
  execution_mode      text not null check (execution_mode in ('LIVE', 'SIMULATION')),
  -- triggerDetailsSchema (contract/rules/execution.ts).
  trigger_details     jsonb not null,
  reason_for_approval text check (length(reason_for_approval) <= 1000),
  step_index_matched  integer check (step_index_matched >= 0),
  conditions_not_met  boolean not null default false,
  transfers_attempted integer not null default 0 check (transfers_attempted >= 0),
  error_message       text,
  next_attempt_at     timestamptz,
  created_at          timestamptz not null,
  -- What started the run: an arrival by its kind, a schedule by its time. Each starts a rule once. Null: requested by
  -- a person or a program.
  cause_kind          text check (cause_kind in ('TRANSFER', 'CARD_TRANSACTION', 'EXTERNAL_TRANSACTION', 'SCHEDULE')),
  cause_id            text check (length(cause_id) <= 64),
  -- How many rules ran before it in its chain.
  chain_depth         smallint not null default 0 check (chain_depth >= 0),
  started_by_kind     text check (started_by_kind in ('API_KEY', 'MEMBER', 'HOOK', 'ARRIVAL', 'SCHEDULE')),
  started_by_id       uuid,
  started_by_name     text,
  -- RunBase (engine/run-facts.ts).
  base                jsonb not null default '{"mode": "LIVE", "incomingAmountInCents": null}'::jsonb,
  approval_required   boolean not null default false,
  -- RuleFacts and RulePlan (contract/rules): enough to evaluate the rule again with the same result.
  facts               jsonb,
  plan                jsonb,
  -- The state is the queue: when the runner works on it next; null: nothing left to do.
  due_at              timestamptz,
  attempts            integer not null default 0,
  -- [{ at, problem }], one per attempt that did not lead to a plan.
  attempt_log         jsonb not null default '[]'::jsonb,
  -- When the plan was made; ended_at: when the last of its transfers ended.
  planned_at          timestamptz,
  ended_at            timestamptz,
  -- The key that caused this run, through any number of rules and without any approval; it counts toward that key's
  -- cap. Null: no key, or a person approved it.
  charged_key_id      uuid,
  -- The run that began the chain. Null: this one did.
  chain_id            uuid,
  -- Of the run that began a chain: how many runs were started in it, itself included.
  chain_runs          integer not null default 1,
  live_outlook        jsonb,
  -- When the program that started it canceled what had not left. Null: it did not.
  withdrawn_at        timestamptz,
  primary key (organization_id, id),
  -- The cause comes before the rule: with the rule first, the planner would use this index for the list of a rule's
  -- runs and then sort all of them.
  constraint fired_once unique (organization_id, cause_id, rule_id, cause_kind),
  foreign key (organization_id, rule_id, rule_version) references rule_versions (organization_id, rule_id, version),
  constraint rule_executions_check check ((cause_kind is null) = (cause_id is null)),
  constraint rule_executions_check1 check (due_at is null or status = 'IN_PROGRESS')
);
alter table rule_executions
  alter column organization_id set statistics 0,
  alter column rule_id set statistics 0;
create index rule_executions_by_mode on rule_executions (organization_id, rule_id, execution_mode, id desc);
-- Runs that did not end well. They are few, and would otherwise be searched for among all runs; the others are found
-- in the list of all.
create index rule_executions_by_outcome on rule_executions (organization_id, rule_id, status, id desc) where (status
  <> 'EXECUTED');
create index rule_executions_by_rule on rule_executions (organization_id, rule_id, id desc);
create index rule_executions_due on rule_executions (due_at, id) where (due_at is not null);
-- The runs started by a key that are under way.
create index rule_executions_under_way_by_key on rule_executions (organization_id, started_by_id) where
  ((started_by_kind = 'API_KEY') and (status = 'IN_PROGRESS'));
create trigger rule_executions_emit_new after insert on rule_executions for each row when (new.execution_mode =
  'LIVE') execute function emit_for_execution();
create trigger rule_executions_emit_status after update of status on rule_executions for each row when (new.status
  is distinct from old.status and new.execution_mode = 'LIVE') execute function emit_for_execution();
create trigger rule_executions_note_failed after update of status on rule_executions for each row when
  (new.execution_mode = 'LIVE' and (new.status in ('FAILED', 'PARTIAL')) and old.status is distinct from new.status)
  execute function note_failed_run();
create trigger rule_executions_note_stillborn after insert on rule_executions for each row when (new.execution_mode
  = 'LIVE' and (new.status in ('FAILED', 'PARTIAL'))) execute function note_failed_run();
grant select on rule_executions to :"app_role";

-- Scheduled times that passed without a run, and why.
create table rule_skipped_times (
  organization_id uuid not null,
  rule_id         uuid not null,
  scheduled_for   timestamptz not null,
  reason          text not null check (reason in ('DOWNTIME', 'PAUSED', 'GATES_CLOSED')),
  -- More than one: this row is the latest time of a long stretch and stands for all of it.
  times           integer not null default 1 check (times >= 1),
  recorded_at     timestamptz not null,
  primary key (organization_id, rule_id, scheduled_for),
  foreign key (organization_id, rule_id) references rules (organization_id, id)
);
grant select on rule_skipped_times to :"app_role";

-- approvals ───────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Who must approve what (docs/behavior/approvals.md). Without a version in force: one owner or co-owner.
create table approval_policies (
  organization_id    uuid not null,
  version            integer not null check (version >= 1),
  state              text not null check (state in ('DRAFT', 'SIGNING', 'IN_FORCE', 'REPLACED', 'DISCARDED')),
  -- lib/contract/policies/policy.ts
  definition         jsonb not null check (octet_length(definition::text) <= 524288),
  created_by         uuid not null,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  signing_since      timestamptz,
  published_at       timestamptz,
  replaced_at        timestamptz,
  -- Rises with every saved change: a save of an older one is refused.
  revision           integer not null default 1,
  saved_by           uuid,
  -- Who asked for its signatures: the requester of this version.
  begun_by           uuid,
  signing_expires_at timestamptz,
  primary key (organization_id, version),
  foreign key (organization_id) references organizations (id),
  foreign key (created_by) references users (id),
  constraint approval_policies_check check ((published_at is not null) = (state in ('IN_FORCE', 'REPLACED'))),
  constraint approval_policies_check1 check ((replaced_at is not null) = (state = 'REPLACED')),
  constraint approval_policies_check2 check (state <> 'SIGNING' or signing_since is not null),
  constraint approval_policies_signing_check check (state <> 'SIGNING' or begun_by is not null and signing_expires_at
    is not null)
);
create unique index approval_policies_being_written on approval_policies (organization_id) where (state in ('DRAFT',
  'SIGNING'));
create unique index approval_policies_in_force on approval_policies (organization_id) where (state = 'IN_FORCE');
create index approval_policies_to_expire on approval_policies (signing_expires_at) where (state = 'SIGNING');
grant select on approval_policies to :"app_role";

-- What waits for the signatures that the policy in force asks for before it is carried out (docs/behavior/policies.md).
create table asked_changes (
  organization_id uuid not null,
  id              uuid not null,
  kind            text not null check (kind in ('LIMIT', 'KEY', 'PAYEE', 'RULE')),
  -- lib/contract/policies/asked-change.ts
  what            text not null check (length(what) <= 30),
  -- The account, key, rule, payee's details or organization that it changes; a new key's own ID.
  target_id       uuid not null,
  -- The name of what it changes, as it was then.
  subject         text check (length(subject) <= 300),
  wanted          jsonb not null check (octet_length(wanted::text) <= 1048576),
  key_hash        bytea,
  state           text not null check (state in ('WAITING', 'DONE', 'DENIED', 'WITHDRAWN', 'REPLACED', 'OUTDATED',
    'EXPIRED')),
  asked_by        uuid not null,
  -- Of a payee's details or a rule: when the first signature was given.
  asked_at        timestamptz not null,
  expires_at      timestamptz not null,
  remind_at       timestamptz,
  ended_at        timestamptz,
  -- The last signer, or who denied, withdrew or replaced it; null: nobody did.
  ended_by        uuid,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (asked_by) references users (id),
  foreign key (ended_by) references users (id),
  constraint asked_changes_check check ((state = 'WAITING') = (ended_at is null))
);
create index asked_changes_by_time on asked_changes (organization_id, asked_at);
create index asked_changes_of_member on asked_changes (organization_id, asked_by) where (state = 'WAITING');
create index asked_changes_to_expire on asked_changes (expires_at) where (state = 'WAITING');
create index asked_changes_to_remind on asked_changes (remind_at) where ((state = 'WAITING') and (remind_at is not
  null));
create unique index asked_changes_waiting on asked_changes (organization_id, what, target_id) where (state =
  'WAITING');
grant select on asked_changes to :"app_role";

-- What a key may move without asking, as people signed it (docs/behavior/mandates.md).
create table mandates (
  organization_id  uuid not null,
  id               uuid not null,
  api_key_id       uuid not null,
  state            text not null check (state in ('WAITING', 'IN_FORCE', 'ENDED', 'DENIED')),
  -- Rises when the terms change: what was signed before is void.
  revision         integer not null default 1 check (revision >= 1),
  -- lib/contract/mandates/mandate.ts
  terms            jsonb not null check (octet_length(terms::text) <= 16384),
  -- What the program asked for; null if a member wrote it.
  asked_terms      jsonb check (octet_length(asked_terms::text) <= 16384),
  reason           text check (length(reason) <= 1000),
  proposed_by_kind text not null check (proposed_by_kind in ('API_KEY', 'MEMBER')),
  proposed_by_id   uuid not null,
  proposed_by_name text not null check (length(proposed_by_name) <= 300),
  -- Of the organization when it was written: changing that later begins no day again.
  time_zone        text not null check (length(time_zone) <= 64),
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  signed_hash      text check (length(signed_hash) <= 100),
  -- Of its destinations when they were signed for, by id.
  payee_versions   jsonb,
  policy_version   integer,
  signed_at        timestamptz,
  ended_at         timestamptz,
  ended_by         uuid,
  end_reason       text check (end_reason in ('MEMBER', 'PROGRAM', 'KEY_ENDED')),
  -- Since when one of the signatures that put it in force is void, because its signer no longer decided; null: it has all of them.
  voided_at        timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id),
  foreign key (ended_by) references users (id),
  constraint mandates_check check ((state in ('IN_FORCE', 'ENDED')) = (signed_at is not null)),
  constraint mandates_check1 check ((signed_at is null) = (signed_hash is null) and (signed_at is null) =
    (payee_versions is null) and (signed_at is null) = (policy_version is null)),
  constraint mandates_check2 check ((state in ('ENDED', 'DENIED')) = (ended_at is not null) and (ended_at is null) =
    (end_reason is null)),
  constraint mandates_check3 check ((end_reason = 'MEMBER') = (ended_by is not null))
);
create index mandates_of_key on mandates (organization_id, api_key_id, id) where (state in ('WAITING', 'IN_FORCE'));
create index mandates_waiting on mandates (organization_id, expires_at) where (state = 'WAITING');
grant select on mandates to :"app_role";

-- Where a mandate was suggested on the page of a proposal (docs/behavior/mandates.md).
create table mandate_suggestions (
  organization_id        uuid not null,
  api_key_id             uuid not null,
  source_account_id      uuid not null,
  destination_account_id uuid not null,
  proposal_id            uuid,
  -- Business time; on no other proposal within 30 days.
  shown_at               timestamptz,
  switched_off_at        timestamptz,
  primary key (organization_id, api_key_id, source_account_id, destination_account_id),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id),
  constraint mandate_suggestions_check check ((proposal_id is null) = (shown_at is null)),
  constraint mandate_suggestions_check1 check (shown_at is not null or switched_off_at is not null)
);
grant insert, select, update on mandate_suggestions to :"app_role";

-- Transfers that were proposed together and are decided together. What became of it is in the proposals of its lines.
create table transfer_batches (
  organization_id     uuid not null,
  id                  uuid not null,
  -- Null: proposed by a member, from a file.
  api_key_id          uuid,
  proposed_by_id      uuid not null,
  proposed_by_name    text not null check (length(proposed_by_name) <= 200),
  reason_for_approval text check (length(reason_for_approval) <= 1000),
  -- As that of a proposal; those of its lines have none.
  request             jsonb,
  line_count          integer not null check (line_count >= 1 and line_count <= 100),
  -- Of all lines, struck out or not.
  total_in_cents      bigint not null check (total_in_cents > 0),
  created_at          timestamptz not null,
  expires_at          timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id)
);
grant select on transfer_batches to :"app_role";

-- One row per decision that a person is asked for; its id is that of the transfer or of the rule's run.
create table proposals (
  organization_id           uuid not null,
  id                        uuid not null,
  kind                      text not null check (kind in ('TRANSFER', 'RULE_RUN')),
  state                     text not null check (state in ('WAITING', 'APPROVED', 'DENIED', 'EXPIRED', 'REVOKED',
    'RULE_CHANGED', 'WITHDRAWN')),
  -- Null: proposed by a member, or by a program through a rule's hook.
  api_key_id                uuid,
  -- The request as it was sent: method, path, body and the two headers that callers choose. Never the bearer token.
  -- Null if there was none (a member in the dashboard).
  request                   jsonb,
  created_at                timestamptz not null,
  expires_at                timestamptz not null,
  remind_at                 timestamptz,
  decided_at                timestamptz,
  decided_by                uuid,
  decision_method           text check (decision_method in ('PASSKEY', 'PASSWORD', 'RECENT_SIGN_IN', 'RECOVERY_CODE',
    'TEST_PERSON')),
  decision_passkey_name     text,
  decision_note             text check (length(decision_note) <= 280),
  decision_digest           text,
  -- Why approval is needed although the key may act alone: its cap, and how much of it was used. Both columns or
  -- neither.
  cap_in_cents              bigint,
  cap_used_in_cents         bigint,
  -- For the program that requested it, unlike decision_note.
  denial_reason             text check (denial_reason in ('TOO_MUCH', 'WRONG_ACCOUNT', 'NOT_NOW', 'NEEDS_DOCUMENT',
    'DO_NOT_ASK_AGAIN')),
  denial_text               text check (length(denial_text) <= 200 and (denial_text is null or denial_reason is not
    null)),
  -- Of NOT_NOW: until then the same request is refused.
  ask_again_after           timestamptz check ((ask_again_after is not null) = (not denial_reason is distinct from
    'NOT_NOW')),
  -- The batch of which it is a line: it is decided only with the others.
  batch_id                  uuid,
  -- Its number in the batch, from 1, which struck lines keep.
  batch_line                integer check ((batch_id is null) = (batch_line is null) and (batch_id is null or kind =
    'TRANSFER') and (batch_line is null or batch_line >= 1 and batch_line <= 100)),
  -- In force when it was proposed. Null: none was.
  policy_version            integer,
  -- What its program asked, where a member approves less; null: the transfer's own amount.
  requested_amount_in_cents bigint,
  -- The first mandate of its route that it was not inside of, and why; null: its key has none there.
  outside_mandate           jsonb,
  -- Of a line of a batch: who struck it out as they signed or approved the others. It is denied with their decision.
  struck_by                 uuid,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (decided_by) references users (id),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id),
  constraint proposals_batch_fkey foreign key (organization_id, batch_id) references transfer_batches
    (organization_id, id),
  foreign key (struck_by) references users (id),
  constraint proposals_check check ((state = 'WAITING') = (decided_at is null)),
  constraint proposals_check1 check ((decided_by is not null) = (state in ('APPROVED', 'DENIED'))),
  -- Proposals from before daily caps have neither column.
  constraint proposals_cap_check check (cap_in_cents >= 0 and cap_used_in_cents >= 0),
  constraint proposals_cap_whole_check check ((cap_in_cents is null) = (cap_used_in_cents is null)),
  constraint proposals_cap_of_a_key_check check (cap_in_cents is null or api_key_id is not null),
  constraint proposals_denial_reason_of_denial_check check (denial_reason is null or state = 'DENIED'),
  constraint proposals_requested_amount_check check (requested_amount_in_cents is null or requested_amount_in_cents >
    0 and kind = 'TRANSFER'),
  constraint proposals_struck_line_check check (struck_by is null or batch_id is not null)
);
create unique index proposals_by_batch on proposals (organization_id, batch_id, batch_line) where (batch_id is not
  null);
create index proposals_by_decision on proposals (organization_id, decided_at desc) include (state) where (state <>
  'WAITING');
create index proposals_by_key on proposals (organization_id, api_key_id, id desc) include (state);
create index proposals_by_kind on proposals (organization_id, kind, id desc) include (state);
create index proposals_to_expire on proposals (expires_at) where (state = 'WAITING');
create index proposals_to_remind on proposals (remind_at) where ((state = 'WAITING') and (remind_at is not null));
create index proposals_waiting on proposals (organization_id, expires_at) where (state = 'WAITING');
-- A key's waiting proposals are counted before it may create more (has_too_many_waiting).
create index proposals_waiting_by_key on proposals (organization_id, api_key_id) where ((state = 'WAITING') and
  (api_key_id is not null));
create trigger proposals_emit_new after insert on proposals for each row execute function emit_for_proposal();
create trigger proposals_emit_state after update of state on proposals for each row when (new.state is distinct from
  old.state) execute function emit_for_proposal();
grant select on proposals to :"app_role";
grant update (state, remind_at, decided_at, decided_by, decision_method, decision_passkey_name, decision_note,
  decision_digest) on proposals to :"app_role";

create table signatures (
  organization_id uuid not null,
  subject_kind    text not null check (subject_kind in ('PROPOSAL', 'POLICY', 'MANDATE', 'PAYEE', 'RULE', 'LIMIT',
    'KEY')),
  -- The proposal, the version of the policy, the mandate, the details of a payee, the rule, or the change that was asked for.
  subject_id      text not null check (length(subject_id) <= 36),
  id              uuid not null,
  user_id         uuid not null,
  -- The versions whose requirements its signer was shown; 0: the default.
  policy_versions integer[] not null check (cardinality(policy_versions) <= 2),
  -- What it binds to. While the subject has another one, it counts nowhere and its signer may sign again.
  subject_hash    text not null check (length(subject_hash) <= 100),
  -- All that its signer was shown, to name what changed since.
  digest          text not null check (length(digest) <= 20000),
  method          text not null check (method in ('PASSKEY', 'PASSWORD', 'RECENT_SIGN_IN', 'RECOVERY_CODE')),
  passkey_name    text check (length(passkey_name) <= 200),
  signed_at       timestamptz not null,
  -- In the organization's time zone, for deputies.
  signed_on       date not null,
  -- Its signer withdrew it, or signed again.
  withdrawn_at    timestamptz,
  primary key (organization_id, subject_kind, subject_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (user_id) references users (id)
);
create unique index signatures_living on signatures (organization_id, subject_kind, subject_id, user_id) where
  (withdrawn_at is null);
create index signatures_of_member on signatures (organization_id, user_id) where (withdrawn_at is null);
grant select on signatures to :"app_role";

-- Programs propose that a rule stops; a member deactivates it or keeps it. Approved by any deactivation of that version.
create table rule_deactivation_proposals (
  organization_id uuid not null,
  id              uuid not null,
  rule_id         uuid not null,
  -- The active version at that time.
  version         integer not null,
  state           text not null check (state in ('WAITING', 'APPROVED', 'DENIED', 'EXPIRED', 'REVOKED',
    'RULE_CHANGED')),
  api_key_id      uuid not null,
  api_key_name    text not null check (length(api_key_name) <= 200),
  reason          text check (length(reason) <= 1000),
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  decided_at      timestamptz,
  decided_by      uuid,
  primary key (organization_id, id),
  foreign key (decided_by) references users (id),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id),
  foreign key (organization_id, rule_id) references rules (organization_id, id),
  constraint rule_deactivation_proposals_check check ((state = 'WAITING') = (decided_at is null)),
  constraint rule_deactivation_proposals_check1 check (decided_by is null or (state in ('APPROVED', 'DENIED')))
);
create index rule_deactivation_proposals_to_expire on rule_deactivation_proposals (expires_at) where (state =
  'WAITING');
create unique index rule_deactivation_proposals_waiting on rule_deactivation_proposals (organization_id, rule_id,
  api_key_id) where (state = 'WAITING');
create index rule_deactivation_proposals_waiting_by_key on rule_deactivation_proposals (organization_id, api_key_id)
  where (state = 'WAITING');
create trigger rule_deactivation_proposals_emit_new after insert on rule_deactivation_proposals for each row execute
  function emit_for_proposal();
create trigger rule_deactivation_proposals_emit_state after update of state on rule_deactivation_proposals for each
  row when (new.state is distinct from old.state) execute function emit_for_proposal();
grant select on rule_deactivation_proposals to :"app_role";

-- What a person asked a key not to request again: route and amount of a transfer, or rule and incoming amount of a run.
create table denied_requests (
  organization_id uuid not null,
  api_key_id      uuid not null,
  -- As hold_denied_request writes it.
  request         text not null check (length(request) <= 200),
  -- The denied one, which has the reason.
  proposal_id     uuid not null,
  -- Null: for good.
  ends_at         timestamptz,
  primary key (organization_id, api_key_id, request)
);
grant select on denied_requests to :"app_role";

-- Which transfer a member's draft became: a draft moves money once, however often its confirmation is sent. The
-- transfer gets an id of its own at confirmation, so that ids stay in the order of creation (a draft may be an hour
-- old by then).
create table member_moves (
  organization_id uuid not null,
  draft_id        uuid not null,
  transfer_id     uuid not null,
  moved_by        uuid not null,
  moved_at        timestamptz not null,
  primary key (organization_id, draft_id),
  foreign key (moved_by) references users (id),
  -- Deferred: the row is written before its transfer, so that duplicates wait here and not while ledgers are locked.
  foreign key (organization_id, transfer_id) references transfers (organization_id, id) deferrable initially deferred
);
grant insert, select on member_moves to :"app_role";

-- What a member confirmed when they ran a rule by hand, once per request id of the page: a second click finds the
-- first one's run.
create table run_confirmations (
  organization_id          uuid not null,
  request_id               uuid not null,
  rule_id                  uuid not null,
  rule_version             integer not null,
  execution_id             uuid not null,
  -- Null: the member entered none.
  incoming_amount_in_cents bigint check (incoming_amount_in_cents >= 0),
  confirmed_by             uuid not null,
  method                   text not null check (method in ('PASSKEY', 'PASSWORD', 'RECENT_SIGN_IN', 'RECOVERY_CODE')),
  confirmed_at             timestamptz not null,
  primary key (organization_id, request_id),
  foreign key (confirmed_by) references users (id),
  -- Deferred: the confirmation is written before its run, so that a run cannot start twice.
  foreign key (organization_id, execution_id) references rule_executions (organization_id, id) deferrable initially
    deferred
);
grant insert, select on run_confirmations to :"app_role";

-- What a member marked in a review. Nobody else sees it, and it decides nothing.
create table review_marks (
  organization_id uuid not null,
  user_id         uuid not null,
  proposal_id     uuid not null,
  mark            text not null check (mark in ('APPROVE', 'DENY', 'SKIPPED')),
  -- Identifies what was shown when it was marked (lib/core/approvals/digest.ts).
  digest          text not null check (length(digest) <= 8000),
  -- Business time. Counts for a day.
  marked_at       timestamptz not null,
  primary key (organization_id, user_id, proposal_id),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete CASCADE
);
create index review_marks_by_time on review_marks (marked_at);
grant delete, insert, select, update on review_marks to :"app_role";

-- reconciliation ──────────────────────────────────────────────────────────────────────────────────────────────────────

-- Lines of the bank's statement as it reported them; written once.
create table bank_lines (
  organization_id   uuid not null,
  line_reference    text not null check (length(line_reference) >= 1 and length(line_reference) <= 200),
  booked_at         timestamptz not null,
  -- The banking day of booked_at.
  day               date not null,
  amount_in_cents   bigint not null check (amount_in_cents <> 0),
  kind              text not null check (kind in ('ORDER', 'ORDER_RETURN', 'DEPOSIT', 'DEPOSIT_RETURN', 'CARD', 'FEE',
    'INTEREST', 'OTHER')),
  -- As the bank says; need not exist here.
  transfer_id       uuid,
  deposit_reference text check (length(deposit_reference) <= 200),
  card_reference    text check (length(card_reference) <= 200),
  description       text not null check (length(description) <= 200),
  read_at           timestamptz not null,
  -- Null: it did not travel, as a fee or a card's purchase; or the bank does not say.
  rail              text check (rail in ('ACH', 'WIRE', 'INSTANT', 'CHECK', 'BOOK')),
  primary key (organization_id, line_reference),
  foreign key (organization_id) references organizations (id)
);
create trigger bank_lines_append_only before delete or update or truncate on bank_lines for each statement execute
  function refuse_change();
grant insert, select on bank_lines to :"app_role";

-- What a line settles, of which that could not be read when the line was kept; written once.
create table bank_line_causes (
  organization_id   uuid not null,
  line_reference    text not null,
  kind              text not null check (kind in ('ORDER', 'ORDER_RETURN', 'DEPOSIT', 'DEPOSIT_RETURN', 'OTHER')),
  transfer_id       uuid,
  deposit_reference text check (length(deposit_reference) <= 200),
  read_at           timestamptz not null,
  primary key (organization_id, line_reference),
  foreign key (organization_id, line_reference) references bank_lines (organization_id, line_reference)
);
create trigger bank_line_causes_append_only before delete or update or truncate on bank_line_causes for each
  statement execute function refuse_change();
grant insert, select on bank_line_causes to :"app_role";

-- What the bank says of a line now that it reported otherwise before; written once.
create table bank_line_changes (
  organization_id   uuid not null,
  -- LINE_CHANGED: its two amounts are what the bank says now, and what was kept or accepted before.
  difference_id     uuid not null,
  line_reference    text not null,
  booked_at         timestamptz not null,
  day               date not null,
  amount_in_cents   bigint not null check (amount_in_cents <> 0),
  kind              text not null check (kind in ('ORDER', 'ORDER_RETURN', 'DEPOSIT', 'DEPOSIT_RETURN', 'CARD', 'FEE',
    'INTEREST', 'OTHER')),
  transfer_id       uuid,
  deposit_reference text check (length(deposit_reference) <= 200),
  card_reference    text check (length(card_reference) <= 200),
  -- As it was kept or accepted before, like was_kind.
  was_day           date not null,
  was_kind          text not null,
  read_at           timestamptz not null,
  primary key (organization_id, difference_id),
  foreign key (organization_id, line_reference) references bank_lines (organization_id, line_reference)
);
create trigger bank_line_changes_append_only before delete or update or truncate on bank_line_changes for each
  statement execute function refuse_change();
grant insert, select on bank_line_changes to :"app_role";

-- Which line is which entry: of one cause, though amount or date may differ.
create table bank_matches (
  organization_id uuid not null,
  line_reference  text not null,
  entry_id        uuid not null,
  matched_at      timestamptz not null,
  primary key (organization_id, line_reference),
  unique (organization_id, entry_id),
  foreign key (organization_id, line_reference) references bank_lines (organization_id, line_reference),
  foreign key (organization_id, entry_id) references entries (organization_id, id)
);
create trigger bank_matches_append_only before delete or update or truncate on bank_matches for each statement
  execute function refuse_change();
grant insert, select on bank_matches to :"app_role";

-- Lines and entries without each other, or that disagree. Never deleted; only how it was resolved is added.
create table bank_differences (
  organization_id uuid not null,
  id              uuid not null,
  kind            text not null check (kind in ('MISSING_HERE', 'MISSING_AT_BANK', 'DIFFERENT_AMOUNT',
    'DIFFERENT_DATE', 'LINE_CHANGED')),
  line_reference  text,
  entry_id        uuid,
  bank_in_cents   bigint not null,
  books_in_cents  bigint not null,
  -- Banking day of the line, else of the entry.
  day             date not null,
  -- Until this banking day, settlement explains it (EXPECTED).
  differs_from    date not null,
  found_at        timestamptz not null,
  state           text not null check (state in ('EXPECTED', 'OPEN', 'RESOLVED')),
  opened_at       timestamptz,
  asked_bank_at   timestamptz,
  resolution      text check (resolution in ('ARRIVED', 'CANCELED_OUT', 'MATCHED_BY_HAND', 'BOOKED', 'ACCEPTED',
    'CHANGED_BACK', 'CHANGED_AGAIN')),
  resolved_at     timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, line_reference) references bank_lines (organization_id, line_reference),
  foreign key (organization_id, entry_id) references entries (organization_id, id),
  constraint differences_end_once check ((state = 'RESOLVED') = (resolution is not null) and (state = 'RESOLVED') =
    (resolved_at is not null)),
  constraint differences_open_once check (state <> 'OPEN' or opened_at is not null),
  constraint differences_have_their_sides check ((line_reference is null) = (kind = 'MISSING_AT_BANK') and (entry_id
    is null) = (kind in ('MISSING_HERE', 'LINE_CHANGED')))
);
create unique index bank_differences_of_changed_line on bank_differences (organization_id, line_reference) where
  ((kind = 'LINE_CHANGED') and (state <> 'RESOLVED'));
create unique index bank_differences_of_entry on bank_differences (organization_id, entry_id) where ((entry_id is
  not null) and (resolution is distinct from 'ARRIVED'));
create unique index bank_differences_of_kept_line on bank_differences (organization_id, line_reference) where
  ((line_reference is not null) and (kind <> 'LINE_CHANGED') and (resolution is distinct from 'ARRIVED'));
create index bank_differences_of_line_changes on bank_differences (organization_id, line_reference, id desc) where
  (kind = 'LINE_CHANGED');
create index bank_differences_open on bank_differences (opened_at) where (state = 'OPEN');
create index bank_differences_resolved on bank_differences (organization_id, resolved_at desc, id desc) where
  ((state = 'RESOLVED') and (opened_at is not null));
create index bank_differences_unresolved on bank_differences (organization_id, id) where (state <> 'RESOLVED');
grant insert, select on bank_differences to :"app_role";
grant update (differs_from, state, opened_at, asked_bank_at, resolution, resolved_at) on bank_differences to
  :"app_role";

-- What happened to a difference and who did it; written once.
create table bank_difference_events (
  organization_id uuid not null,
  id              uuid not null,
  difference_id   uuid not null,
  kind            text not null check (kind in ('OPENED', 'ASKED_BANK', 'ARRIVED', 'CANCELED_OUT', 'MATCHED_BY_HAND',
    'BOOKED', 'ACCEPTED', 'CHANGED_BACK', 'CHANGED_AGAIN')),
  -- Null: the reconciliation itself.
  by_id           uuid,
  by_name         text check (length(by_name) <= 200),
  at              timestamptz not null,
  note            text check (length(note) >= 1 and length(note) <= 1000),
  -- Of BOOKED: what was booked.
  transfer_id     uuid,
  -- Of CANCELED_OUT and MATCHED_BY_HAND: the difference on the other side.
  other_id        uuid,
  primary key (organization_id, id),
  foreign key (organization_id, difference_id) references bank_differences (organization_id, id),
  foreign key (organization_id, other_id) references bank_differences (organization_id, id),
  foreign key (by_id) references users (id),
  constraint events_name_who check ((by_id is null) = (by_name is null))
);
create index bank_difference_events_of_booked on bank_difference_events (organization_id, transfer_id) where
  (transfer_id is not null);
create index bank_difference_events_of_difference on bank_difference_events (organization_id, difference_id, id);
create trigger bank_difference_events_append_only before delete or update or truncate on bank_difference_events for
  each statement execute function refuse_change();
grant insert, select on bank_difference_events to :"app_role";

-- Where an organization's reconciliation is, and how the last one ended.
create table reconciliations (
  organization_id      uuid not null,
  -- Business time.
  due_at               timestamptz not null,
  -- Real time.
  leased_until         timestamptz,
  lease_token          uuid,
  -- How often it waited for bank notices still to be applied.
  waits                integer not null default 0,
  -- How often it began again because money moved while it compared.
  retries              integer not null default 0,
  phase                text not null default 'LINES' check (phase in ('LINES', 'ENTRIES', 'WAITING', 'PROOF')),
  -- Of the statement that is being read; null: none is.
  lines_from           timestamptz,
  lines_cursor         text check (length(lines_cursor) <= 10000),
  -- The last entry or difference of this phase that was compared.
  items_after          uuid,
  asked_at             timestamptz,
  reconciled_at        timestamptz,
  bank_in_cents        bigint,
  books_in_cents       bigint,
  -- Bank less books of what settlement explains.
  expected_in_cents    bigint,
  -- Bank less books of open differences.
  open_in_cents        bigint,
  -- The rest; 0 unless the statement does not add up to the balance.
  unexplained_in_cents bigint,
  -- Since the last proof, like new_matches.
  new_lines            integer not null default 0,
  new_matches          integer not null default 0,
  -- Business time; null: none is under way. Who asks later waits for another.
  begun_at             timestamptz,
  -- When the last reading of the statement began that came to its end: later ones go on a week before it.
  lines_read_at        timestamptz,
  -- The same, of one that began with the first line.
  whole_read_at        timestamptz,
  -- A cursor that the bank named before in this reading: if it names it again, its list goes in a circle.
  lines_mark           text check (length(lines_mark) <= 10000),
  -- Pages of this reading.
  lines_pages          integer not null default 0,
  -- Of these, the last ones in a row without a new line.
  lines_idle           integer not null default 0,
  primary key (organization_id),
  foreign key (organization_id) references organizations (id),
  constraint reconciliations_are_whole check (num_nulls(reconciled_at, bank_in_cents, books_in_cents,
    expected_in_cents, open_in_cents, unexplained_in_cents) in (0, 6))
);
create index reconciliations_due on reconciliations (due_at);
grant insert, select, update on reconciliations to :"app_role";

-- The proof of each banking day, sealed: its hash covers the day and the hash of the day before (seal_reconciliation_day).
create table reconciliation_days (
  organization_id      uuid not null,
  day                  date not null,
  sequence             bigint not null check (sequence >= 1),
  reconciled_at        timestamptz not null,
  bank_in_cents        bigint not null,
  books_in_cents       bigint not null,
  expected_in_cents    bigint not null,
  open_in_cents        bigint not null,
  unexplained_in_cents bigint not null,
  -- Lines read for the first time since the proof before.
  line_count           integer not null check (line_count >= 0),
  -- Lines and entries matched since the proof before.
  matched_count        integer not null check (matched_count >= 0),
  expected_count       integer not null check (expected_count >= 0),
  open_count           integer not null check (open_count >= 0),
  hash                 bytea not null check (length(hash) = 32),
  primary key (organization_id, day),
  unique (organization_id, sequence),
  foreign key (organization_id) references organizations (id),
  constraint days_add_up check ((bank_in_cents - books_in_cents) = (expected_in_cents + open_in_cents +
    unexplained_in_cents))
);
create trigger reconciliation_days_append_only before delete or update or truncate on reconciliation_days for each
  statement execute function refuse_change();
grant select on reconciliation_days to :"app_role";

-- fraud-monitoring ────────────────────────────────────────────────────────────────────────────────────────────────────

-- Signed yearly reviews of fraud monitoring; written once.
create table fraud_reviews (
  organization_id uuid not null,
  id              uuid not null,
  -- The process and the alerts of the year before, as signed (words/fraud-process.ts).
  text            text not null check (length(text) >= 1 and length(text) <= 200000),
  -- SHA-256 of the text.
  digest          bytea not null,
  note            text check (length(note) >= 1 and length(note) <= 1000),
  signed_by       uuid not null,
  -- At the time.
  signed_by_name  text not null check (length(signed_by_name) <= 200),
  -- Business time.
  signed_at       timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (signed_by) references users (id),
  constraint fraud_reviews_are_whole check (digest = sha256(convert_to(text, 'UTF8'::name)))
);
create trigger fraud_reviews_append_only before delete or update or truncate on fraud_reviews for each statement
  execute function refuse_change();
grant insert, select on fraud_reviews to :"app_role";

-- audit ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

create table audit_entries (
  -- Kept without statistics: an organization that grew since the last analyze does not appear in them, and the planner
  -- then read its whole log for a single entry (measured: 125,000 look-ups took minutes instead of seconds).
  organization_id uuid not null,
  id              uuid not null,
  created_at      timestamptz not null,
  api_key_id      uuid not null,
  api_key_name    text not null,
  method          text not null,
  path            text not null,
  action          text,
  reason          text,
  request_id      text not null,
  outcome         text not null check (outcome in ('SUCCESS', 'FAILURE')),
  error_code      text,
  error_detail    text,
  primary key (organization_id, id)
);
alter table audit_entries
  alter column organization_id set statistics 0;
create index audit_entries_by_action on audit_entries (organization_id, action, id desc);
create index audit_entries_by_error on audit_entries (organization_id, error_code, id desc) where (error_code is not
  null);
-- The page of a key reads its own requests, newest first, without reading those of all others.
create index audit_entries_by_key on audit_entries (organization_id, api_key_id, id desc);
create index audit_entries_failed on audit_entries (organization_id, id desc) where (outcome = 'FAILURE');
create index audit_entries_failed_by_key on audit_entries (organization_id, api_key_id, id desc) where (outcome =
  'FAILURE');
create index audit_entries_of_request on audit_entries (organization_id, request_id);
create trigger audit_entries_append_only before update or truncate on audit_entries for each statement execute
  function refuse_change();
create trigger audit_entries_removal after delete on audit_entries referencing old table as removed for each
  statement execute function refuse_unarchived_removal();
create trigger audit_entries_to_seal after insert on audit_entries referencing new table as written for each
  statement execute function queue_for_sealing();
grant select on audit_entries to :"app_role";

-- Entries that wait for their seal. A row is written with its entry and removed with the seal, so an entry is found
-- when its transaction commits, however late: neither its id nor its time says when that was.
create table audit_unsealed (
  -- Real time of the database.
  written_at      timestamptz not null,
  organization_id uuid not null,
  id              uuid not null,
  primary key (written_at, organization_id, id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000);
grant select on audit_unsealed to :"app_role";

-- Append-only. The sequence of an organization begins at 1 and has no gaps; each seal contains the hash of the
-- previous one.
create table audit_seals (
  organization_id uuid not null,
  sequence        bigint not null check (sequence >= 1 and sequence <= 9007199254740991),
  entry_id        uuid not null,
  entry_hash      bytea not null check (length(entry_hash) = 32),
  hash            bytea not null check (length(hash) = 32),
  -- Real time.
  sealed_at       timestamptz not null,
  primary key (organization_id, sequence)
);
alter table audit_seals
  alter column organization_id set statistics 0;
create unique index audit_seals_by_entry on audit_seals (organization_id, entry_id);
create trigger audit_seals_append_only before delete or update or truncate on audit_seals for each statement execute
  function refuse_change();
grant select on audit_seals to :"app_role";

-- One row per stretch of an organization's chain whose successful reads are in a file instead of audit_entries. The
-- stretches follow one another without gaps from the first seal.
create table audit_archives (
  organization_id uuid not null,
  first_sequence  bigint not null check (first_sequence >= 1),
  last_sequence   bigint not null,
  entry_count     integer not null check (entry_count >= 0),
  -- In the folder audit-archives; null: the stretch had no such entries.
  file_name       text,
  -- Of the file's lines, before compression.
  sha256          bytea check (length(sha256) = 32),
  -- Real time.
  archived_at     timestamptz not null,
  primary key (organization_id, first_sequence),
  constraint audit_archives_check check (last_sequence >= first_sequence),
  constraint audit_archives_check1 check ((entry_count = 0) = (file_name is null)),
  constraint audit_archives_check2 check ((file_name is null) = (sha256 is null))
);
create trigger audit_archives_append_only before delete or update or truncate on audit_archives for each statement
  execute function refuse_change();
grant select on audit_archives to :"app_role";

-- webhooks ────────────────────────────────────────────────────────────────────────────────────────────────────────────

create table webhook_endpoints (
  organization_id      uuid not null,
  id                   uuid not null,
  url                  text not null check (length(url) >= 8 and length(url) <= 2000),
  -- The signing secret, encrypted (platform/seal). Shown once, and deleted with the endpoint.
  sealed_secret        bytea,
  -- The last characters of the secret, so that people can tell secrets apart.
  secret_hint          text not null check (secret_hint ~ '^[A-Za-z0-9_-]{4}$'),
  status               text not null check (status in ('ENABLED', 'DISABLED', 'DELETED')),
  created_by           uuid,
  created_at           timestamptz not null,
  -- The endpoint that is deleted when this one first succeeds (a new secret without a gap).
  replaces_id          uuid,
  -- When it was switched off; the next two columns say why and by whom. A member may switch it on again.
  disabled_at          timestamptz,
  disabled_because     text check (disabled_because in ('FAILING', 'GONE', 'MEMBER')),
  disabled_by          uuid,
  deleted_at           timestamptz,
  -- Null: deleted because its replacement succeeded.
  deleted_by           uuid,
  -- Business time of the first failure since the last success; null while it succeeds.
  failing_since        timestamptz,
  consecutive_failures integer not null default 0,
  last_attempt_at      timestamptz,
  last_success_at      timestamptz,
  -- Types of events that it gets besides the three that every endpoint gets.
  asked_events         text[] not null default '{}'[] check (asked_events <@ array['rule_execution.changed',
    'proposal.changed', 'rule.changed', 'payee.changed', 'account.changed']),
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (created_by) references users (id),
  foreign key (disabled_by) references users (id),
  foreign key (deleted_by) references users (id),
  constraint webhook_endpoints_check check ((status = 'DELETED') = (sealed_secret is null)),
  constraint webhook_endpoints_check1 check ((status = 'DELETED') = (deleted_at is not null)),
  constraint webhook_endpoints_check2 check (status <> 'DISABLED' or disabled_at is not null and disabled_because is
    not null)
) with (fillfactor=70);
create unique index webhook_endpoints_one_replacement on webhook_endpoints (organization_id, replaces_id) where
  (status <> 'DELETED');
grant insert, select on webhook_endpoints to :"app_role";
grant update (sealed_secret, status, disabled_at, disabled_because, disabled_by, deleted_at, deleted_by,
  failing_since, consecutive_failures, asked_events) on webhook_endpoints to :"app_role";

create table webhook_events (
  organization_id uuid not null,
  -- `X-Service-Event-Id`: the same at every endpoint and in every attempt.
  id              uuid not null,
  type            text not null check (type in ('transfer.changed', 'card_transaction.changed',
    'external_transaction.changed', 'rule_execution.changed', 'proposal.changed', 'rule.changed', 'payee.changed',
    'account.changed')),
  resource_type   text not null check (resource_type in ('transfer', 'card_transaction', 'external_transaction',
    'rule_execution', 'proposal', 'rule', 'payee', 'account')),
  resource_id     uuid not null,
  created_at      timestamptz not null,
  -- A member requested it to test an endpoint.
  is_test         boolean not null default false,
  primary key (organization_id, id)
);
grant delete, insert, select on webhook_events to :"app_role";

-- One row per event and endpoint that existed at that time. The state is the queue. No foreign keys: every commit
-- that changes a transfer would lock the endpoint's row, and old events are deleted by their own statement
-- (forget-events.ts).
create table webhook_deliveries (
  organization_id  uuid not null,
  endpoint_id      uuid not null,
  event_id         uuid not null,
  status           text not null check (status in ('PENDING', 'DELIVERED', 'DEAD')),
  -- Business time of the next attempt.
  due_at           timestamptz,
  -- Real time: a lease is about processes.
  leased_until     timestamptz,
  attempts         integer not null default 0,
  -- Attempts since it was created or last resent by hand: its place in the retry schedule.
  round_attempts   integer not null default 0,
  last_attempt_at  timestamptz,
  -- The status of the last attempt; last_problem says why there was none.
  last_status_code integer,
  last_problem     text,
  delivered_at     timestamptz,
  resent_at        timestamptz,
  resent_by        uuid,
  primary key (organization_id, endpoint_id, event_id),
  foreign key (resent_by) references users (id),
  constraint webhook_deliveries_check check ((status = 'PENDING') = (due_at is not null)),
  constraint webhook_deliveries_check1 check ((status = 'DELIVERED') = (delivered_at is not null))
) with (fillfactor=70);
create index webhook_deliveries_due on webhook_deliveries (organization_id, endpoint_id, due_at, event_id) where
  (status = 'PENDING');
-- Counted by status, and read in the order of events within each.
create index webhook_deliveries_failing on webhook_deliveries (organization_id, endpoint_id, status, event_id desc)
  where ((status = 'DEAD') or ((status = 'PENDING') and (attempts > 0)));
grant delete, insert, select on webhook_deliveries to :"app_role";
grant update (status, due_at, leased_until, round_attempts, delivered_at, resent_at, resent_by) on
  webhook_deliveries to :"app_role";

create table webhook_attempts (
  organization_id uuid not null,
  endpoint_id     uuid not null,
  event_id        uuid not null,
  -- From 1, over all rounds.
  number          integer not null,
  -- Business time of its start, for people; the signature's `t` is real time.
  attempted_at    timestamptz not null,
  signed_at       timestamptz not null,
  -- The first hex digits of `v1`: enough to compare, too few to use. Null: it could not be signed.
  signature_start text check (signature_start ~ '^[0-9a-f]{8}$'),
  duration_ms     integer not null check (duration_ms >= 0),
  status_code     integer check (status_code >= 100 and status_code <= 999),
  -- Null: the endpoint responded with 2xx.
  problem         text check (problem in ('STATUS', 'REDIRECT', 'TIMEOUT', 'DNS', 'ADDRESS', 'CONNECTION', 'TLS',
    'PROTOCOL', 'SECRET')),
  -- The start of the response as text, or the connection's error.
  answer          text check (length(answer) <= 2000),
  primary key (organization_id, endpoint_id, event_id, number)
);
grant delete, select on webhook_attempts to :"app_role";

-- Counts per endpoint and day of the organization, so that an endpoint's health is read without its deliveries.
create table webhook_days (
  organization_id uuid not null,
  endpoint_id     uuid not null,
  day             date not null,
  delivered       integer not null default 0,
  gave_up         integer not null default 0,
  failed_attempts integer not null default 0,
  primary key (organization_id, endpoint_id, day)
) with (fillfactor=70);
grant delete, select on webhook_days to :"app_role";

-- notifications ───────────────────────────────────────────────────────────────────────────────────────────────────────

create table notices (
  organization_id uuid not null,
  id              uuid not null,
  kind            text not null,
  proposal_id     uuid,
  -- Notices of one kind with the same value here are grouped into a digest; null: sent one by one.
  api_key_id      uuid,
  created_at      timestamptz not null,
  -- Later than created_at if the notice is part of a digest.
  due_at          timestamptz not null,
  handled_at      timestamptz,
  -- What the notice is about, other than a proposal: a run, a transfer, an endpoint, a key, a session or a person.
  subject_id      uuid,
  -- The one person concerned; null: every owner and co-owner.
  user_id         uuid,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (organization_id, proposal_id) references proposals (organization_id, id),
  foreign key (user_id) references users (id),
  constraint notices_have_a_subject check (num_nonnulls(proposal_id, subject_id) = 1)
);
create index notices_by_key on notices (organization_id, api_key_id, kind, created_at desc);
create index notices_due on notices (due_at) where (handled_at is null);
grant delete, insert, select on notices to :"app_role";
grant update (due_at, handled_at) on notices to :"app_role";

-- What a member has chosen for a topic. Null, like a missing row: the default of contract/notifications.ts. A row
-- cannot override what members may not choose there.
create table notification_preferences (
  organization_id uuid not null,
  user_id         uuid not null,
  topic           text not null check (topic in ('APPROVALS', 'DECISIONS', 'RETURNS', 'RULE_RUNS', 'ENDPOINTS',
    'SECURITY', 'GATES', 'WEEK', 'UNUSUAL_USE', 'RULE_PROPOSALS', 'PAYEES', 'RECONCILIATION')),
  email           boolean,
  sms             boolean,
  push            boolean,
  primary key (organization_id, user_id, topic),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete CASCADE
);
grant insert, select, update on notification_preferences to :"app_role";

create table messages (
  organization_id uuid not null,
  id              uuid not null,
  kind            text not null,
  channel         text not null check (channel in ('EMAIL', 'SMS', 'PUSH')),
  -- Null: the recipient is invited and has no account yet.
  user_id         uuid,
  recipient       text not null,
  subject         text,
  body_text       text not null,
  body_html       text,
  status          text not null check (status in ('QUEUED', 'SENT', 'FAILED')),
  created_at      timestamptz not null,
  -- Real time: mail servers know no business clock.
  due_at          timestamptz,
  leased_until    timestamptz,
  attempts        integer not null default 0,
  sent_at         timestamptz,
  last_error      text,
  -- For messages with a code. Real time: not sent after this; the text is deleted once it was sent or given up.
  good_until      timestamptz,
  -- Older than the log: without text, kept only because the history of a proposal shows it.
  is_forgotten    boolean not null default false,
  -- Of a push message. No foreign key: the log outlives the device.
  device_id       uuid,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (user_id) references users (id),
  constraint messages_check check ((status = 'QUEUED') = (due_at is not null)),
  constraint messages_forget_their_text check (not is_forgotten or body_text = '' and num_nonnulls(body_html, subject,
    last_error) = 0),
  -- A code or an invitation's link is deleted from the table with its message.
  constraint messages_keep_no_secret check (good_until is null or status = 'QUEUED' or body_text = '' and body_html is
    null)
);
create index messages_due on messages (due_at) where (status = 'QUEUED');
-- The log of an organization and of a member, newest first; read from the other end to delete old messages.
create index messages_newest on messages (organization_id, created_at desc, id desc) where (not is_forgotten);
create index messages_of_member on messages (organization_id, user_id, created_at desc, id desc) where (not
  is_forgotten);
grant delete, insert, select on messages to :"app_role";
grant update (subject, body_text, body_html, status, due_at, leased_until, attempts, sent_at, last_error,
  is_forgotten) on messages to :"app_role";

-- The proposals that a message is about: one, or several in a digest.
create table message_proposals (
  organization_id uuid not null,
  proposal_id     uuid not null,
  message_id      uuid not null,
  primary key (organization_id, proposal_id, message_id),
  foreign key (organization_id, proposal_id) references proposals (organization_id, id),
  foreign key (organization_id, message_id) references messages (organization_id, id)
);
-- Deleting a message looks up the proposals that it was about.
create index message_proposals_by_message on message_proposals (organization_id, message_id);
grant insert, select on message_proposals to :"app_role";

-- Email to people rather than members: to an address that may have no account, or about how a person signs in, which
-- is no organization's concern. Sent like `messages`.
create table person_messages (
  id           uuid not null,
  kind         text not null check (kind in ('SIGN_UP_CODE', 'SIGN_UP_KNOWN', 'PASSWORD_RESET', 'PASSWORD_CHANGED')),
  recipient    text not null,
  subject      text not null,
  body_text    text not null,
  body_html    text,
  status       text not null check (status in ('QUEUED', 'SENT', 'FAILED')),
  created_at   timestamptz not null,
  due_at       timestamptz,
  leased_until timestamptz,
  attempts     integer not null default 0,
  sent_at      timestamptz,
  last_error   text,
  -- Not sent after this.
  good_until   timestamptz not null,
  primary key (id),
  constraint person_messages_check check ((status = 'QUEUED') = (due_at is not null)),
  constraint person_messages_check1 check (status = 'QUEUED' or body_text = '' and body_html is null)
);
create index person_messages_by_age on person_messages (created_at);
create index person_messages_due on person_messages (due_at) where (status = 'QUEUED');
grant delete, insert, select, update on person_messages to :"app_role";

-- Messages that are shown at /mailbox instead of being sent while the product runs on a developer's machine. They
-- belong to the process, not to an organization: an invitation goes to a person who is in none yet.
create table mailbox_messages (
  id         uuid not null,
  channel    text not null check (channel in ('EMAIL', 'SMS')),
  recipient  text not null,
  subject    text,
  text       text not null,
  html       text,
  created_at timestamptz not null,
  primary key (id),
  constraint mailbox_messages_check check (channel = 'EMAIL' or subject is null and html is null)
);
create index mailbox_messages_newest on mailbox_messages (created_at desc, id desc);
grant delete, insert, select on mailbox_messages to :"app_role";
grant update (created_at) on mailbox_messages to :"app_role";

-- sandbox ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

-- What members did to the sandbox, for the page that lists their actions.
create table sandbox_actions (
  organization_id uuid not null,
  id              uuid not null,
  -- sandboxActionSchema (lib/contract/sandbox.ts).
  action          jsonb not null,
  member_id       uuid not null,
  member_name     text not null,
  -- Business time after the action.
  created_at      timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (member_id) references users (id)
);
grant insert, select on sandbox_actions to :"app_role";

create table sandbox_bank_orders (
  organization_id              uuid not null,
  transfer_id                  uuid not null,
  reference                    text not null,
  direction                    text not null check (direction in ('CREDIT', 'DEBIT')),
  amount_in_cents              bigint not null check (amount_in_cents > 0),
  label                        text,
  outside_name                 text not null,
  outside_routing_number_last4 text,
  outside_account_number_last4 text,
  submitted_at                 timestamptz not null,
  expected_settlement_at       timestamptz not null,
  refusal_code                 text,
  refusal_message              text,
  outside_reference            text,
  primary key (organization_id, transfer_id),
  constraint sandbox_bank_orders_check check ((refusal_code is null) = (refusal_message is null))
);
create index sandbox_bank_orders_by_account on sandbox_bank_orders (organization_id, outside_account_number_last4);
grant insert, select on sandbox_bank_orders to :"app_role";

create table sandbox_bank_notices (
  organization_id                uuid not null,
  notice_reference               uuid not null,
  transfer_id                    uuid,
  kind                           text not null check (kind in ('SETTLED', 'RETURNED', 'CORRECTED', 'DEPOSITED',
    'DEPOSIT_RETURNED')),
  code                           text,
  due_at                         timestamptz not null,
  -- Deliveries still owed. A duplicate starts at 2: acknowledged once, it is delivered once more.
  deliveries_left                smallint not null default 1 check (deliveries_left >= 0 and deliveries_left <= 2),
  acknowledged_at                timestamptz,
  deposit_reference              text,
  available_at                   timestamptz,
  corrected_account_number_last4 text check (corrected_account_number_last4 ~ '^[0-9]{4}$'),
  primary key (organization_id, notice_reference),
  foreign key (organization_id, transfer_id) references sandbox_bank_orders (organization_id, transfer_id),
  constraint of_an_order_or_of_a_deposit check ((transfer_id is not null) = (kind in ('SETTLED', 'RETURNED',
    'CORRECTED')) and (deposit_reference is not null) = (kind in ('DEPOSITED', 'DEPOSIT_RETURNED'))),
  constraint of_a_correction check ((corrected_account_number_last4 is not null) = (kind = 'CORRECTED'))
);
-- Due work of all organizations whose clock runs with real time.
create index sandbox_bank_notices_due on sandbox_bank_notices (due_at, organization_id) where (deliveries_left > 0);
create unique index sandbox_bank_notices_of_deposit on sandbox_bank_notices (organization_id, deposit_reference,
  kind);
-- An order has at most one notice of each kind; find() derives its state from them.
create unique index sandbox_bank_notices_of_order on sandbox_bank_notices (organization_id, transfer_id, kind);
-- The notices of one organization in the order in which they fall due.
create index sandbox_bank_notices_undelivered on sandbox_bank_notices (organization_id, due_at, notice_reference)
  where (deliveries_left > 0);
grant insert, select on sandbox_bank_notices to :"app_role";
grant update (deliveries_left, acknowledged_at) on sandbox_bank_notices to :"app_role";

create table sandbox_bank_deposits (
  organization_id uuid not null,
  reference       text not null,
  account_id      uuid not null,
  origin          text not null check (origin in ('DIRECT_DEPOSIT', 'CHECK_DEPOSIT')),
  amount_in_cents bigint not null check (amount_in_cents > 0),
  payer_name      text not null check (length(payer_name) >= 1 and length(payer_name) <= 200),
  made_at         timestamptz not null,
  primary key (organization_id, reference)
);
grant insert, select on sandbox_bank_deposits to :"app_role";

-- First submissions that the bank "lost" (amounts ending in .05): the second submission of the same transfer gets
-- through.
create table sandbox_bank_lost_submissions (
  organization_id uuid not null,
  transfer_id     uuid not null,
  primary key (organization_id, transfer_id)
);
grant insert, select on sandbox_bank_lost_submissions to :"app_role";

-- Business time until which the bank does not answer this organization.
create table sandbox_bank_silences (
  organization_id uuid not null,
  silent_until    timestamptz not null,
  primary key (organization_id)
);
grant insert, select, update on sandbox_bank_silences to :"app_role";

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

-- What the bank books on its own: fees, interest, corrections.
create table sandbox_bank_lines (
  organization_id uuid not null,
  line_reference  uuid not null,
  kind            text not null check (kind in ('FEE', 'INTEREST', 'OTHER')),
  amount_in_cents bigint not null check (amount_in_cents <> 0),
  description     text not null check (length(description) >= 1 and length(description) <= 200),
  booked_at       timestamptz not null,
  primary key (organization_id, line_reference)
);
grant insert, select on sandbox_bank_lines to :"app_role";

-- Mistakes of the bank in its statement and its balance, made on purpose: of a line that a notice would have.
create table sandbox_bank_faults (
  organization_id     uuid not null,
  notice_reference    uuid not null,
  -- DELAYED: appears later, dated then. REORDERED: appears later, behind lines of later days.
  kind                text not null check (kind in ('LOST', 'DOUBLED', 'DELAYED', 'REORDERED', 'CHANGED')),
  -- Of the second line.
  again_reference     uuid,
  delayed_until       timestamptz,
  -- Business time from which the bank says another amount of a line that it reports rightly until then.
  changed_from        timestamptz,
  changed_by_in_cents bigint,
  primary key (organization_id, notice_reference),
  foreign key (organization_id, notice_reference) references sandbox_bank_notices (organization_id, notice_reference)
    on delete CASCADE,
  constraint faults_are_whole check ((kind = 'DOUBLED') = (again_reference is not null) and (kind in ('DELAYED',
    'REORDERED')) = (delayed_until is not null)),
  constraint changes_are_whole check ((kind = 'CHANGED') = (changed_from is not null) and (kind = 'CHANGED') =
    (coalesce(changed_by_in_cents, 0::bigint) <> 0))
);
grant insert, select on sandbox_bank_faults to :"app_role";

create table sandbox_institution_items (
  organization_id uuid not null,
  item_id         uuid not null,
  institution_id  text not null,
  -- Business time, like all times here.
  connected_at    timestamptz not null,
  removed_at      timestamptz,
  fault_kind      text check (fault_kind in ('UNAVAILABLE', 'SIGN_IN')),
  fault_code      text check (length(fault_code) >= 1 and length(fault_code) <= 100),
  -- The institution reports nothing newer than this.
  stale_since     timestamptz,
  -- Counts the changes that members made; a reader that has seen change n asks for those above n.
  last_change     integer not null default 0,
  primary key (organization_id, item_id),
  constraint sandbox_institution_items_check check ((fault_kind is null) = (fault_code is null))
);
grant insert, select, update on sandbox_institution_items to :"app_role";

create table sandbox_institution_accounts (
  organization_id          uuid not null,
  item_id                  uuid not null,
  account_id               uuid not null,
  template                 text not null,
  number_last4             text not null check (number_last4 ~ '^[0-9]{4}$'),
  routing_number_last4     text check (routing_number_last4 ~ '^[0-9]{4}$'),
  -- What the account held, or owed, before the first day of its history.
  opening_balance_in_cents bigint not null,
  history_from             date not null,
  -- From here on its income and card payments come through Sluice, and the institution invents none.
  served_since             timestamptz,
  primary key (organization_id, account_id),
  foreign key (organization_id, item_id) references sandbox_institution_items (organization_id, item_id)
);
create unique index sandbox_institution_accounts_by_number on sandbox_institution_accounts (organization_id,
  number_last4);
create index sandbox_institution_accounts_of_item on sandbox_institution_accounts (organization_id, item_id);
grant insert, select on sandbox_institution_accounts to :"app_role";

create table sandbox_institution_transactions (
  organization_id         uuid not null,
  transaction_id          text not null,
  item_id                 uuid not null,
  account_id              uuid not null,
  direction               text not null check (direction in ('MONEY_IN', 'MONEY_OUT')),
  pending_amount_in_cents bigint not null check (pending_amount_in_cents > 0),
  posted_amount_in_cents  bigint not null check (posted_amount_in_cents > 0),
  description             text not null check (length(description) >= 1 and length(description) <= 200),
  merchant_name           text,
  provider_category       text,
  -- Its id once it is posted; often not the one that it had while pending.
  posted_id               text not null,
  appears_at              timestamptz not null,
  enriched_at             timestamptz not null,
  settles_at              timestamptz,
  vanishes_at             timestamptz,
  change                  integer not null,
  primary key (organization_id, transaction_id),
  foreign key (organization_id, item_id) references sandbox_institution_items (organization_id, item_id),
  constraint sandbox_institution_transactions_check check (settles_at is null or vanishes_at is null)
);
create index sandbox_institution_transactions_of_item on sandbox_institution_transactions (organization_id, item_id,
  change);
grant insert, select, update on sandbox_institution_transactions to :"app_role";

create table sandbox_cards (
  organization_id uuid not null,
  card_id         uuid not null,
  number_last4    text not null check (number_last4 ~ '^[0-9]{4}$'),
  issued_at       timestamptz not null,
  primary key (organization_id, card_id)
);
grant insert, select on sandbox_cards to :"app_role";

create table sandbox_card_purchases (
  organization_id uuid not null,
  -- The reference of the authorization, which the notices of this purchase carry.
  reference       text not null,
  card_id         uuid not null,
  amount_in_cents bigint not null check (amount_in_cents > 0),
  merchant        text not null,
  category        text,
  requested_at    timestamptz not null,
  -- Null while no answer has come, or because none came.
  is_approved     boolean,
  decline_reason  text,
  primary key (organization_id, reference)
);
grant insert, select on sandbox_card_purchases to :"app_role";
grant update (is_approved, decline_reason) on sandbox_card_purchases to :"app_role";

create table sandbox_card_notices (
  organization_id         uuid not null,
  notice_reference        uuid not null,
  kind                    text not null check (kind in ('SETTLED', 'RELEASED', 'REFUND', 'PAYOUT')),
  card_id                 uuid not null,
  authorization_reference text,
  amount_in_cents         bigint not null check (amount_in_cents > 0),
  merchant                text not null,
  category                text,
  is_final                boolean not null default true,
  due_at                  timestamptz not null,
  -- Deliveries still owed. A duplicate starts at 2: acknowledged once, it is delivered once more.
  deliveries_left         smallint not null default 1 check (deliveries_left >= 0 and deliveries_left <= 2),
  acknowledged_at         timestamptz,
  primary key (organization_id, notice_reference),
  constraint sandbox_card_notices_check check (authorization_reference is not null or (kind in ('REFUND', 'PAYOUT')))
);
-- Due work of all organizations whose clock runs with real time.
create index sandbox_card_notices_due on sandbox_card_notices (due_at, organization_id) where (deliveries_left > 0);
-- The notices that a purchase still owes, which its answer replaces.
create index sandbox_card_notices_of_purchase on sandbox_card_notices (organization_id, authorization_reference)
  where (deliveries_left > 0);
-- The notices of one organization in the order in which they fall due.
create index sandbox_card_notices_undelivered on sandbox_card_notices (organization_id, due_at, notice_reference)
  where (deliveries_left > 0);
grant insert, select on sandbox_card_notices to :"app_role";
grant update (deliveries_left, acknowledged_at) on sandbox_card_notices to :"app_role";

-- The sandbox identity service plays another company, like the sandbox bank: no foreign key connects it to the
-- product's tables. It keeps neither tax numbers nor documents, only what it will answer.
create table sandbox_identity_applications (
  organization_id uuid not null,
  application_id  uuid not null,
  subjects        jsonb not null,
  -- Business time.
  decides_at      timestamptz not null,
  primary key (organization_id, application_id)
);
grant insert, select, update on sandbox_identity_applications to :"app_role";

create table sandbox_receivers (
  organization_id uuid not null,
  -- 128 random bits in the receiver's address: with them a caller can add to what the receiver remembers, and do
  -- nothing else.
  token           text not null check (token ~ '^[0-9a-f]{32}$'),
  -- receiverModeSchema (contract/sandbox-receiver.ts).
  mode            text not null check (mode in ('OK', 'UNAVAILABLE', 'ERROR', 'GONE', 'SILENT', 'FLAKY')),
  -- Number of deliveries so far, and thus the place of the next one.
  received        bigint not null default 0,
  created_at      timestamptz not null,
  primary key (organization_id),
  unique (token),
  foreign key (organization_id) references organizations (id)
) with (fillfactor=70);
grant insert, select on sandbox_receivers to :"app_role";
grant update (mode, received) on sandbox_receivers to :"app_role";

-- The last twenty deliveries. Each overwrites the slot of the one twenty before it, so the number of rows is
-- bounded.
create table sandbox_receipts (
  organization_id uuid not null,
  slot            smallint not null check (slot >= 0 and slot <= 19),
  place           bigint not null,
  -- The receiver's mode at that time; with the delivery's place it determines the response
  -- (core/sandbox/receiver-status.ts).
  mode            text not null,
  event_id        uuid not null,
  type            text not null,
  resource_type   text not null,
  resource_id     uuid not null,
  -- Business time, like everything on the page that shows it.
  received_at     timestamptz not null,
  primary key (organization_id, slot),
  foreign key (organization_id) references sandbox_receivers (organization_id),
  constraint sandbox_receipts_check check (slot = (place % 20::bigint))
) with (fillfactor=70);
grant insert, select on sandbox_receipts to :"app_role";
grant update (place, mode, event_id, type, resource_type, resource_id, received_at) on sandbox_receipts to
  :"app_role";

-- References to tables that are made later

alter table kept_answers add foreign key (organization_id) references organizations (id);
alter table entries add foreign key (organization_id, card_transaction_id) references card_transactions
  (organization_id, id);
alter table external_transactions add foreign key (organization_id, transfer_id) references transfers
  (organization_id, id);
alter table transfers add constraint transfers_mandate_fkey foreign key (organization_id, mandate_id) references
  mandates (organization_id,
    id);
alter table bank_line_changes add foreign key (organization_id, difference_id) references bank_differences
  (organization_id, id);
