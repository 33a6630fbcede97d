-- A draft is written by several people and signed by several: what each of them saw has a number.
alter table approval_policies add column revision integer not null default 1;
comment on column approval_policies.revision is 'Rises with every saved change: a save of an older one is refused.';
alter table approval_policies add column saved_by uuid;
alter table approval_policies add column begun_by uuid;
comment on column approval_policies.begun_by is 'Who asked for its signatures: the requester of this version.';
alter table approval_policies add column signing_expires_at timestamptz;
alter table approval_policies add constraint approval_policies_signing_check
  check (state <> 'SIGNING' or (begun_by is not null and signing_expires_at is not null)) not valid;
-- while serving: policies are new, and an organization has a few versions
create index approval_policies_to_expire on approval_policies (signing_expires_at) where (state = 'SIGNING');

-- What people did with versions of the policy is among their changes.
-- while serving: dropping a check reads nothing
do $$
declare
  v_check text;
begin
  select pg_get_constraintdef(oid) into strict v_check from pg_constraint
    where conrelid = 'organization_changes'::regclass and conname = 'organization_changes_kind_check';
  alter table organization_changes drop constraint organization_changes_kind_check;
  execute 'alter table organization_changes add constraint organization_changes_kind_check '
    || replace(v_check, 'ARRAY[', 'ARRAY[''APPROVAL_POLICY''::text, ') || ' not valid';
end $$;
