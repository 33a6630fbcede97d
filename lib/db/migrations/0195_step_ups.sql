-- Proofs of a member's presence, each for one act and used once. Before, a proof counted like a sign-in: the password given
-- for one act let every other of the next five minutes pass unasked.
create table step_ups (
  session_id      uuid not null,
  act             text not null check (length(act) between 1 and 300),
  organization_id uuid not null,
  method          text not null check (method in ('PASSWORD', 'PASSKEY', 'RECOVERY_CODE')),
  has_code        boolean not null,
  verified_at     timestamptz not null,
  primary key (session_id, act),
  foreign key (session_id) references sessions (id) on delete cascade,
  foreign key (organization_id) references organizations (id)
);
create index step_ups_by_time on step_ups (verified_at);
comment on table step_ups is 'Proofs of presence that wait for the act that they confirm (lib/contract/confirmation/step-up.ts). Used by deleting them.';
comment on column step_ups.organization_id is 'The one that the session showed: the proof counts for no other.';
comment on column step_ups.has_code is 'A password was given with the code of an authenticator app.';
comment on column step_ups.verified_at is 'Real time. Counts for five minutes.';
grant delete, insert, select, update on step_ups to :"app_role";

comment on column sessions.authenticated_at is
  'When the person signed in. Proofs for single acts do not change it: they are in step_ups.';
