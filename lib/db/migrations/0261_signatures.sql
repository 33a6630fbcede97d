-- Proposals and versions of a policy may need the signatures of several people.
create table signatures (
  organization_id uuid not null,
  subject_kind    text not null check (subject_kind in ('PROPOSAL', 'POLICY')),
  subject_id      text not null check (length(subject_id) <= 36),
  id              uuid not null,
  user_id         uuid not null,
  policy_versions integer[] not null check (cardinality(policy_versions) <= 2),
  subject_hash    text not null check (length(subject_hash) <= 100),
  digest          text not null check (length(digest) <= 20000),
  method          text not null check (method in ('PASSKEY', 'PASSWORD', 'RECENT_SIGN_IN', 'RECOVERY_CODE')),
  passkey_name    text check (length(passkey_name) <= 200),
  signed_at       timestamptz not null,
  signed_on       date not null,
  withdrawn_at    timestamptz,
  primary key (organization_id, subject_kind, subject_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (user_id) references users (id)
);
comment on column signatures.subject_id is 'The proposal, or the version of the policy.';
comment on column signatures.policy_versions is 'The versions whose requirements its signer was shown; 0: the default.';
comment on column signatures.subject_hash is
'What it binds to. While the subject has another one, it counts nowhere and its signer may sign again.';
comment on column signatures.digest is 'All that its signer was shown, to name what changed since.';
comment on column signatures.signed_on is 'In the organization''s time zone, for deputies.';
comment on column signatures.withdrawn_at is 'Its signer withdrew it, or signed again.';
create unique index signatures_living on signatures (organization_id, subject_kind, subject_id, user_id)
  where (withdrawn_at is null);
grant select on signatures to :"app_role";

alter table proposals add column policy_version integer;
comment on column proposals.policy_version is 'In force when it was proposed. Null: none was.';
