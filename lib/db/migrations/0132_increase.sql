-- The inbox of the Increase adapter: what it learned from events, until the product has booked it.
create table increase_notices (
  organization_id  uuid not null,
  notice_reference text not null check (length(notice_reference) <= 200),
  notice           jsonb not null,
  occurred_at      timestamptz not null,
  number           bigint not null generated always as identity,
  acknowledged_at  timestamptz,
  primary key (organization_id, notice_reference)
);
comment on column increase_notices.number is 'Of two notices of one moment, a settlement comes before its return.';
comment on table increase_notices is 'Written by the bank adapter in its own transactions, like the tables of the sandbox bank.';
create index increase_notices_due on increase_notices (organization_id, occurred_at, number)
  where acknowledged_at is null;
grant insert, select on increase_notices to :"app_role";
grant update (acknowledged_at) on increase_notices to :"app_role";

create table increase_events (
  id         text not null,
  created_at timestamptz not null,
  primary key (id)
);
comment on table increase_events is 'Events already read. Each poll lists the last minutes again, because an event may appear late.';
create index increase_events_by_time on increase_events (created_at);
grant delete, insert, select on increase_events to :"app_role";
