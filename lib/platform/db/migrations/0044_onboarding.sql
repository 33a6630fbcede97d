-- Signing up, a forgotten password, and who owns the money: what happens before somebody is a member, and before an
-- organization holds money.

-- Somebody who began to sign up and has no account yet: a person is written only once the address is proved and the
-- organization named. Found by the SHA-256 of 256 random bits that the browser keeps. All times are real time.
create table sign_ups (
  token_hash    bytea primary key check (length(token_hash) = 32),
  email         text not null check (email = lower(email) and length(email) between 3 and 254),
  name          text not null check (length(name) between 1 and 200),
  password_hash text not null,
  -- argon2id: a fast hash of six digits would hide nothing. Of an address that somebody has it is of a code that was
  -- never sent, so that such a row behaves as every other.
  code_hash     text not null,
  code_until    timestamptz not null,
  -- Counted before each is looked at.
  tries         integer not null default 0 check (tries >= 0),
  verified_at   timestamptz,
  created_at    timestamptz not null,
  expires_at    timestamptz not null
);
create index sign_ups_by_expiry on sign_ups (expires_at);

-- A link that sets a new password, once. Without a user: somebody asked for an address that nobody has, and what the
-- server did then took as long.
create table password_resets (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id    uuid references users (id),
  expires_at timestamptz not null
);
create index password_resets_by_expiry on password_resets (expires_at);
create index password_resets_by_user on password_resets (user_id);

-- Email to people as people: to an address that may belong to nobody, and about how somebody signs in, which is no
-- organization's business. Sent as `messages` are.
create table person_messages (
  id           uuid primary key,
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
  -- It is not sent after this.
  good_until   timestamptz not null,
  check ((status = 'QUEUED') = (due_at is not null)),
  -- A code or a link leaves the table with its message.
  check (status = 'QUEUED' or (body_text = '' and body_html is null))
);
create index person_messages_due on person_messages (due_at) where status = 'QUEUED';
create index person_messages_by_age on person_messages (created_at);

grant select, insert, update, delete on sign_ups, password_resets, person_messages to :"app_role";

-- Who owns the money of an organization. Without a row nobody has to be asked: it was there before, or its operator made
-- it. What the service was told is not kept but for what a member must recognize: names, shares, the last four digits.
create table identity_checks (
  organization_id uuid primary key references organizations (id),
  -- SUBMITTING: handed over, and nobody knows yet whether it arrived.
  status          text not null check (status in ('NEEDED', 'SUBMITTING', 'CHECKING', 'NEEDS_DOCUMENT', 'APPROVED', 'REFUSED')),
  -- Our idempotency key towards the service; another one for each time that details are entered.
  application_id  uuid,
  -- In the order of the application: kind, name, share, last four digits, and what the service says of each.
  subjects        jsonb not null default '[]',
  -- Why it is needed again.
  problem         text check (length(problem) <= 400),
  submitted_by    uuid references users (id),
  -- Real time, as all of these.
  submitted_at    timestamptz,
  decided_at      timestamptz,
  due_at          timestamptz,
  leased_until    timestamptz,
  attempts        integer not null default 0,
  -- The first steps were ended; until then every page says where they go on.
  onboarded_at    timestamptz,
  check ((status = 'NEEDED') = (application_id is null)),
  check ((status in ('SUBMITTING', 'CHECKING')) = (due_at is not null))
);
create index identity_checks_due on identity_checks (due_at) where due_at is not null;
grant select, insert, update on identity_checks to :"app_role";

-- The sandbox identity service plays another company, as the sandbox bank does (0010): no foreign key leads from or to
-- the product's tables. It keeps neither tax numbers nor documents, only what it will say.
create table sandbox_identity_applications (
  organization_id uuid not null,
  application_id  uuid not null,
  subjects        jsonb not null,
  -- Business time.
  decides_at      timestamptz not null,
  primary key (organization_id, application_id)
);
grant select, insert, update on sandbox_identity_applications to :"app_role";
