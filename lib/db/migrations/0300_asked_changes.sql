-- A policy may ask several people before a limit lets more through, or a key is made: who wants it asks, and the last
-- signature carries it out.
create table asked_changes (
  organization_id uuid not null,
  id              uuid not null,
  kind            text not null check (kind in ('LIMIT', 'KEY', 'PAYEE', 'RULE')),
  what            text not null check (length(what) <= 30),
  target_id       uuid not null,
  subject         text check (length(subject) <= 300),
  wanted          jsonb not null check (octet_length(wanted::text) <= 1048576),
  -- Of the secret of a new key, which was shown once to who asked.
  key_hash        bytea,
  state           text not null check (state in ('WAITING', 'DONE', 'DENIED', 'WITHDRAWN', 'REPLACED', 'OUTDATED', 'EXPIRED')),
  asked_by        uuid not null,
  asked_at        timestamptz not null,
  expires_at      timestamptz not null,
  remind_at       timestamptz,
  ended_at        timestamptz,
  ended_by        uuid,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (asked_by) references users (id),
  foreign key (ended_by) references users (id),
  check ((state = 'WAITING') = (ended_at is null))
);
comment on table asked_changes is
'What waits for the signatures that the policy in force asks for before it is carried out (docs/behavior/policies.md).';
comment on column asked_changes.what is 'lib/contract/policies/asked-change.ts';
comment on column asked_changes.target_id is 'The account, key, rule, payee''s details or organization that it changes; a new key''s own ID.';
comment on column asked_changes.subject is 'The name of what it changes, as it was then.';
comment on column asked_changes.ended_by is 'The last signer, or who denied, withdrew or replaced it; null: nobody did.';
create unique index asked_changes_waiting on asked_changes (organization_id, what, target_id) where (state = 'WAITING');
create index asked_changes_of_member on asked_changes (organization_id, asked_by) where (state = 'WAITING');
create index asked_changes_to_expire on asked_changes (expires_at) where (state = 'WAITING');
create index asked_changes_to_remind on asked_changes (remind_at) where (state = 'WAITING' and remind_at is not null);
create index asked_changes_by_time on asked_changes (organization_id, asked_at);
grant select on asked_changes to :"app_role";

alter table signatures drop constraint signatures_subject_kind_check;
alter table signatures add constraint signatures_subject_kind_check
  check (subject_kind in ('PROPOSAL', 'POLICY', 'MANDATE', 'PAYEE', 'RULE', 'LIMIT', 'KEY')) not valid;
comment on column signatures.subject_id is
'The proposal, the version of the policy, the mandate, the details of a payee, the rule, or the change that was asked for.';
do $$
declare
  v_check text;
begin
  select pg_get_constraintdef(oid) into strict v_check from pg_constraint
    where conrelid = 'organization_changes'::regclass and conname = 'organization_changes_kind_check';
  alter table organization_changes drop constraint organization_changes_kind_check;
  execute 'alter table organization_changes add constraint organization_changes_kind_check '
    || replace(v_check, 'ARRAY[', 'ARRAY[''ASKED_CHANGE''::text, ') || ' not valid';
end $$;
