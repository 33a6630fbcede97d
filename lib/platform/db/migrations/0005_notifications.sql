-- What people are told. A notice is written with the change that causes it; a worker turns it into messages, one per
-- person and channel, and sends those.

create table notices (
  organization_id uuid not null references organizations (id),
  id              uuid not null,
  kind            text not null check (kind in ('APPROVAL_ASKED', 'APPROVAL_REMINDER', 'APPROVAL_DECIDED')),
  proposal_id     uuid not null,
  -- Many from one key are told together; null where a member asks.
  api_key_id      uuid,
  created_at      timestamptz not null,
  -- Later than created_at where it is told together with others.
  due_at          timestamptz not null,
  handled_at      timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, proposal_id) references proposals (organization_id, id)
);
create index notices_due on notices (due_at) where handled_at is null;
create index notices_by_key on notices (organization_id, api_key_id, kind, created_at desc);

create table messages (
  organization_id uuid not null references organizations (id),
  id              uuid not null,
  kind            text not null,
  channel         text not null check (channel in ('EMAIL', 'SMS')),
  user_id         uuid not null references users (id),
  recipient       text not null,
  subject         text,
  body_text       text not null,
  body_html       text,
  status          text not null check (status in ('QUEUED', 'SENT', 'FAILED')),
  created_at      timestamptz not null,
  -- Real time: mail servers know no business clock.
  due_at          timestamptz,
  leased_until    timestamptz,
  attempts        integer not null default 0,
  sent_at         timestamptz,
  last_error      text,
  primary key (organization_id, id),
  check ((status = 'QUEUED') = (due_at is not null))
);
create index messages_due on messages (due_at) where status = 'QUEUED';

-- Which proposals a message speaks of: one, or several told together.
create table message_proposals (
  organization_id uuid not null,
  proposal_id     uuid not null,
  message_id      uuid not null,
  primary key (organization_id, proposal_id, message_id),
  foreign key (organization_id, proposal_id) references proposals (organization_id, id),
  foreign key (organization_id, message_id) references messages (organization_id, id)
);

grant select, insert on notices, messages, message_proposals to :"app_role";
grant update (due_at, handled_at) on notices to :"app_role";
grant update (status, due_at, leased_until, attempts, sent_at, last_error) on messages to :"app_role";
