-- What a key may move without asking, as people signed it. Its uses are transfers, which are counted as they are.
create table mandates (
  organization_id  uuid not null,
  id               uuid not null,
  api_key_id       uuid not null,
  state            text not null check (state in ('WAITING', 'IN_FORCE', 'ENDED', 'DENIED')),
  revision         integer not null default 1 check (revision >= 1),
  terms            jsonb not null check (octet_length(terms::text) <= 16384),
  asked_terms      jsonb check (octet_length(asked_terms::text) <= 16384),
  reason           text check (length(reason) <= 1000),
  proposed_by_kind text not null check (proposed_by_kind in ('API_KEY', 'MEMBER')),
  proposed_by_id   uuid not null,
  proposed_by_name text not null check (length(proposed_by_name) <= 300),
  time_zone        text not null check (length(time_zone) <= 64),
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  -- Of what its signers saw; null until they all have signed.
  signed_hash      text check (length(signed_hash) <= 100),
  payee_versions   jsonb,
  policy_version   integer,
  signed_at        timestamptz,
  ended_at         timestamptz,
  ended_by         uuid,
  end_reason       text check (end_reason in ('MEMBER', 'PROGRAM', 'KEY_ENDED')),
  primary key (organization_id, id),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id),
  foreign key (ended_by) references users (id),
  check ((state in ('IN_FORCE', 'ENDED')) = (signed_at is not null)),
  check ((signed_at is null) = (signed_hash is null) and (signed_at is null) = (payee_versions is null)
    and (signed_at is null) = (policy_version is null)),
  check ((state in ('ENDED', 'DENIED')) = (ended_at is not null) and (ended_at is null) = (end_reason is null)),
  check ((end_reason = 'MEMBER') = (ended_by is not null))
);
comment on table mandates is 'What a key may move without asking, as people signed it (docs/behavior/mandates.md).';
comment on column mandates.terms is 'lib/contract/mandates/mandate.ts';
comment on column mandates.asked_terms is 'What the program asked for; null if a member wrote it.';
comment on column mandates.revision is 'Rises when the terms change: what was signed before is void.';
comment on column mandates.time_zone is
'Of the organization when it was written: changing that later begins no day again.';
comment on column mandates.payee_versions is 'Of its destinations when they were signed for, by id.';
create index mandates_of_key on mandates (organization_id, api_key_id, id) where (state in ('WAITING', 'IN_FORCE'));
create index mandates_waiting on mandates (organization_id, expires_at) where (state = 'WAITING');
grant select on mandates to :"app_role";

-- while serving: a column without a default and checks that are not validated read nothing
alter table transfers
  add column mandate_id uuid,
  add constraint transfers_mandate_check check (mandate_id is null or execution_mode = 'LIVE') not valid,
  add constraint transfers_mandate_fkey foreign key (organization_id, mandate_id) references mandates (organization_id, id)
    not valid;
comment on column transfers.mandate_id is 'Under which it was accepted without asking; null: none.';
alter table proposals add column outside_mandate jsonb;
comment on column proposals.outside_mandate is
'The first mandate of its route that it was not inside of, and why; null: its key has none there.';
alter table signatures drop constraint signatures_subject_kind_check;
alter table signatures add constraint signatures_subject_kind_check
  check (subject_kind in ('PROPOSAL', 'POLICY', 'MANDATE')) not valid;
do $$
declare
  v_check text;
begin
  select pg_get_constraintdef(oid) into strict v_check from pg_constraint
    where conrelid = 'organization_changes'::regclass and conname = 'organization_changes_kind_check';
  alter table organization_changes drop constraint organization_changes_kind_check;
  execute 'alter table organization_changes add constraint organization_changes_kind_check '
    || replace(v_check, 'ARRAY[', 'ARRAY[''MANDATE''::text, ') || ' not valid';
end $$;
