-- What rules need to run: activation, causes, facts and plans, drafts, hooks, what was skipped. The functions that use
-- these columns come in the migrations after this one.

alter table rules
  -- As the active version has them; null while none is active.
  add column active_trigger_type text check (active_trigger_type in ('MANUAL', 'SCHEDULED', 'ON_FUNDS_TRANSFERRED')),
  add column active_trigger_account_id uuid,
  add column active_minimum_in_cents bigint check (active_minimum_in_cents >= 0),
  -- Business time of the next run of an active SCHEDULED version; null where there is none (any more).
  add column next_run_at timestamptz,
  add column activated_at timestamptz,
  add column activated_by uuid references users (id),
  -- A return of money that it had already split: nothing runs live until a person has looked. The transfer that came back.
  add column paused_at timestamptz,
  add column paused_by_transfer_id uuid,
  -- The highest number ever given: the latest version may have been discarded.
  add column versions_made integer not null default 1,
  add check ((active_version is null) = (active_trigger_type is null)),
  add check ((active_version is null) = (active_trigger_account_id is null)),
  add check (active_version is not null or (next_run_at is null and paused_at is null)),
  add check ((paused_at is null) = (paused_by_transfer_id is null));
update rules set versions_made = latest_version;
alter table rules add check (versions_made >= latest_version);
create index rules_by_arrival on rules (organization_id, active_trigger_account_id)
  where active_trigger_type = 'ON_FUNDS_TRANSFERRED';
create index rules_to_run on rules (next_run_at) where next_run_at is not null;

alter table rule_versions
  -- What the caller said in x-called-reason, or a member in the editor.
  add column reason text check (length(reason) <= 500);

-- A proposed version that a person threw away. Versions themselves are written once.
create table rule_version_discards (
  organization_id uuid not null,
  rule_id         uuid not null,
  version         integer not null,
  discarded_by    uuid not null references users (id),
  discarded_at    timestamptz not null,
  primary key (organization_id, rule_id, version),
  foreign key (organization_id, rule_id, version) references rule_versions (organization_id, rule_id, version)
);

-- What people (and a bank's return) did with a rule, in order.
create table rule_events (
  organization_id uuid not null,
  id              uuid not null,
  rule_id         uuid not null,
  kind            text not null check (kind in
    ('ACTIVATED', 'DEACTIVATED', 'DISCARDED', 'DELETED', 'PAUSED', 'RESUMED', 'HOOK_MADE', 'HOOK_REMOVED')),
  version         integer,
  -- Null: nobody, a return paused it.
  by_user_id      uuid references users (id),
  method          text check (method in ('PASSKEY', 'PASSWORD', 'RECENT_SIGN_IN', 'RECOVERY_CODE')),
  -- Of an activation: names what was shown and confirmed.
  digest          text,
  transfer_id     uuid,
  at              timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, rule_id) references rules (organization_id, id)
);
create index rule_events_by_rule on rule_events (organization_id, rule_id, id desc);

-- An unsaved edit of one member: of a rule, or of one that does not exist yet.
create table rule_drafts (
  organization_id uuid not null,
  id              uuid not null,
  user_id         uuid not null references users (id),
  -- Null: a new rule.
  rule_id         uuid,
  -- The version that the edit began from.
  base_version    integer,
  -- As far as the member has come; it need not be a whole rule yet.
  definition      jsonb not null check (pg_column_size(definition) <= 262144),
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, rule_id) references rules (organization_id, id)
);
create index rule_drafts_by_member on rule_drafts (organization_id, user_id, updated_at desc);
create unique index rule_drafts_one_each on rule_drafts (organization_id, rule_id, user_id) where rule_id is not null;

-- A rule's own address for programs (REMOTE_API). The secret is stored as its hash only.
create table rule_hooks (
  organization_id   uuid not null,
  rule_id           uuid not null,
  secret_hash       bytea not null check (length(secret_hash) = 32),
  secret_last4      text not null check (length(secret_last4) = 4),
  approval_required boolean not null default true,
  created_by        uuid not null references users (id),
  created_at        timestamptz not null,
  last_used_at      timestamptz,
  primary key (organization_id, rule_id),
  foreign key (organization_id, rule_id) references rules (organization_id, id)
);
create unique index rule_hooks_by_rule on rule_hooks (rule_id);

-- Scheduled times that passed without a run, and why.
create table rule_skipped_times (
  organization_id uuid not null,
  rule_id         uuid not null,
  scheduled_for   timestamptz not null,
  reason          text not null check (reason in ('DOWNTIME', 'PAUSED')),
  -- More than one: the latest of a long stretch stands for all of it.
  times           integer not null default 1 check (times >= 1),
  recorded_at     timestamptz not null,
  primary key (organization_id, rule_id, scheduled_for),
  foreign key (organization_id, rule_id) references rules (organization_id, id)
);

alter table rule_executions
  -- What set it off: an arrival by what it was, a schedule by its time. Each fires a rule once. Null: somebody asked.
  add column cause_kind text check (cause_kind in ('TRANSFER', 'CARD_TRANSACTION', 'EXTERNAL_TRANSACTION', 'SCHEDULE')),
  add column cause_id text check (length(cause_id) <= 64),
  -- Rules that ran before it in its chain.
  add column chain_depth smallint not null default 0 check (chain_depth >= 0),
  add column started_by_kind text check (started_by_kind in ('API_KEY', 'MEMBER', 'HOOK', 'ARRIVAL', 'SCHEDULE')),
  add column started_by_id uuid,
  add column started_by_name text,
  -- RunBase (engine/run-facts.ts).
  add column base jsonb not null default '{"mode": "LIVE", "incomingAmountInCents": null}',
  add column approval_required boolean not null default false,
  -- RuleFacts and RulePlan (contract/rules): enough to work the plan out again, and get the same.
  add column facts jsonb,
  add column plan jsonb,
  -- The state is the queue: when it is worked on next; null when there is nothing left to do for the runner.
  add column due_at timestamptz,
  add column attempts integer not null default 0,
  -- [{ at, problem }], one an attempt that did not come to a plan.
  add column attempt_log jsonb not null default '[]',
  -- When its plan was made, and when the last of its transfers ended.
  add column planned_at timestamptz,
  add column ended_at timestamptz,
  -- The cause leads: behind the rule, the planner would take this index for the list of a rule's runs, and sort them all.
  add constraint fired_once unique (organization_id, cause_id, rule_id, cause_kind),
  add check ((cause_kind is null) = (cause_id is null)),
  add check (due_at is null or status = 'IN_PROGRESS');
create index rule_executions_due on rule_executions (due_at) where due_at is not null;

alter table transfers
  -- Rules that ran before it in its chain, its own included.
  add column chain_depth smallint not null default 0 check (chain_depth >= 0),
  add column rule_limit_id text;
-- What a dry run could not have moved is told like what it could. The check of 0004 has a name that PostgreSQL chose.
do $$
declare
  v_name text;
begin
  select conname into strict v_name from pg_constraint where conrelid = 'transfers'::regclass and contype = 'c'
    and pg_get_constraintdef(oid) like '%execution_mode = ''LIVE''%status = ''COMPLETE''%';
  execute format('alter table transfers drop constraint %I', v_name);
end $$;
alter table transfers add constraint simulations_are_over
  check (execution_mode = 'LIVE' or status in ('COMPLETE', 'FAILED'));
create index transfers_by_limit on transfers (organization_id, rule_id, rule_limit_id, accepted_at)
  include (amount_in_cents, status) where rule_limit_id is not null;

alter table proposals
  drop constraint proposals_kind_check,
  add constraint proposals_kind_check check (kind in ('TRANSFER', 'RULE_RUN'));

grant select on rule_version_discards, rule_events, rule_skipped_times, rule_hooks to :"app_role";
grant select, insert, update, delete on rule_drafts to :"app_role";
grant update (versions_made) on rules to :"app_role";
