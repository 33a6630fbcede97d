-- Who must approve what, in versions of one definition per organization.
create table approval_policies (
  organization_id uuid not null,
  version         integer not null check (version >= 1),
  state           text not null check (state in ('DRAFT', 'SIGNING', 'IN_FORCE', 'REPLACED', 'DISCARDED')),
  definition      jsonb not null check (octet_length(definition::text) <= 524288),
  created_by      uuid not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  signing_since   timestamptz,
  published_at    timestamptz,
  replaced_at     timestamptz,
  primary key (organization_id, version),
  foreign key (organization_id) references organizations (id),
  foreign key (created_by) references users (id),
  check ((published_at is not null) = (state in ('IN_FORCE', 'REPLACED'))),
  check ((replaced_at is not null) = (state = 'REPLACED')),
  check (state <> 'SIGNING' or signing_since is not null)
);
comment on table approval_policies is
'Who must approve what (docs/behavior/approvals.md). Without a version in force: one owner or co-owner.';
comment on column approval_policies.definition is 'lib/contract/policies/policy.ts';
create unique index approval_policies_in_force on approval_policies (organization_id) where (state = 'IN_FORCE');
create unique index approval_policies_being_written on approval_policies (organization_id)
  where (state in ('DRAFT', 'SIGNING'));
grant select on approval_policies to :"app_role";
