-- Programs list their proposals of every kind. A version of a rule gets an id for it, sorted by its time.
alter table rule_versions add column proposal_id uuid;
comment on column rule_versions.proposal_id is
'As a proposal in lists for programs. Null: a member wrote it, or an older Sluice during an update.';
-- while serving: appending is stopped for the moment that the update takes; rules have few versions
alter table rule_versions disable trigger user;
-- while serving: rules have few versions, and no statement updates one
update rule_versions set proposal_id = (lpad(to_hex(floor(extract(epoch from created_at) * 1000)::bigint), 12, '0') ||
    '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
  where created_by_kind = 'API_KEY';
alter table rule_versions enable trigger user;
-- while serving: rules have few versions, and the index is made in milliseconds
create index rule_versions_as_proposals on rule_versions (organization_id, proposal_id desc)
  where (proposal_id is not null);

create table rule_deactivation_proposals (
  organization_id uuid not null,
  id              uuid not null,
  rule_id         uuid not null,
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
  check ((state = 'WAITING') = (decided_at is null)),
  check (decided_by is null or state in ('APPROVED', 'DENIED'))
);
comment on table rule_deactivation_proposals is
'Programs propose that a rule stops; a member deactivates it or keeps it. Approved by any deactivation of that version.';
comment on column rule_deactivation_proposals.version is 'The active version at that time.';
create unique index rule_deactivation_proposals_waiting on rule_deactivation_proposals (organization_id, rule_id,
  api_key_id) where (state = 'WAITING');
create index rule_deactivation_proposals_to_expire on rule_deactivation_proposals (expires_at)
  where (state = 'WAITING');
create index rule_deactivation_proposals_waiting_by_key on rule_deactivation_proposals (organization_id, api_key_id)
  where (state = 'WAITING');
grant select on rule_deactivation_proposals to :"app_role";

-- Endpoints may ask for more events than the three that each one gets.
alter table webhook_endpoints add column asked_events text[] not null default '{}';
comment on column webhook_endpoints.asked_events is
'Types of events that it gets besides the three that every endpoint gets.';
grant update (asked_events) on webhook_endpoints to :"app_role";
alter table webhook_endpoints add constraint webhook_endpoints_asked_events_check check (asked_events <@
  array['rule_execution.changed', 'proposal.changed', 'rule.changed', 'payee.changed', 'account.changed']) not valid;
alter table webhook_events drop constraint webhook_events_type_check,
  add constraint webhook_events_type_check check (type in ('transfer.changed', 'card_transaction.changed',
    'external_transaction.changed', 'rule_execution.changed', 'proposal.changed', 'rule.changed', 'payee.changed',
    'account.changed')) not valid;
alter table webhook_events drop constraint webhook_events_resource_type_check,
  add constraint webhook_events_resource_type_check check (resource_type in ('transfer', 'card_transaction',
    'external_transaction', 'rule_execution', 'proposal', 'rule', 'payee', 'account')) not valid;
