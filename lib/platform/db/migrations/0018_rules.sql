-- Rules and their runs: what is stored, so that the API can read and write them. Nothing here moves money; a rule runs
-- live only in a version that a human has activated.

create table rules (
  organization_id uuid not null references organizations (id),
  id              uuid not null,
  -- As the latest version has them, for lists and their filters.
  name            text not null check (length(name) between 1 and 60),
  latest_version  integer not null check (latest_version >= 1),
  -- Null: no version is active.
  active_version  integer check (active_version between 1 and latest_version),
  -- The trigger's account and every account that an action takes from.
  source_account_ids uuid[] not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  deleted_at      timestamptz,
  primary key (organization_id, id),
  check (deleted_at is null or active_version is null)
);

-- Written once: an edit is a new version, so that what a human activated, and what a run did, stay readable.
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
  primary key (organization_id, rule_id, version),
  foreign key (organization_id, rule_id) references rules (organization_id, id)
);
create trigger rule_versions_append_only before update or delete or truncate on rule_versions
  for each statement execute function refuse_change();

create table rule_executions (
  organization_id     uuid not null,
  id                  uuid not null,
  rule_id             uuid not null,
  rule_version        integer not null,
  status              text not null check (status in
    ('IN_PROGRESS', 'EXECUTED', 'PARTIAL', 'FAILED', 'APPROVAL_PENDING', 'APPROVAL_DENIED')),
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
  primary key (organization_id, id),
  foreign key (organization_id, rule_id, rule_version) references rule_versions (organization_id, rule_id, version)
);
create index rule_executions_by_rule on rule_executions (organization_id, rule_id, id desc);
create index rule_executions_by_mode on rule_executions (organization_id, rule_id, execution_mode, id desc);
create index transfers_by_execution on transfers (organization_id, rule_execution_id, id)
  where rule_execution_id is not null;

grant select, insert on rules, rule_versions to :"app_role";
-- Activation is not among the columns: it comes with a confirmation of its own.
grant update (name, latest_version, source_account_ids, updated_at) on rules to :"app_role";
grant select on rule_executions to :"app_role";
