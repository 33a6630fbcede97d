-- Where reading a bank's events is, and what could not be read or applied: it is set aside and tried again by itself.
create table bank_feeds (
  feed        text not null check (length(feed) <= 100),
  reach       text not null check (reach in ('NEAR', 'FAR')),
  after_id    text,
  since       timestamptz,
  cursor      text check (length(cursor) <= 1000),
  begun_at    timestamptz not null,
  ended_at    timestamptz,
  known_count integer not null default 0,
  rests_until timestamptz,
  primary key (feed, reach)
);
comment on table bank_feeds is 'Where a bank''s list of events is read. NEAR reads what is new; FAR lists the last day again, because an event may appear late.';
comment on column bank_feeds.after_id is 'The event after which this pass begins, for a bank that lists so; the other bank lists from `since` on.';
comment on column bank_feeds.cursor is 'The bank''s own, of the page that is read next; null: the first.';
comment on column bank_feeds.ended_at is 'When the end of the list was last reached. Until then the bank''s news is late.';
comment on column bank_feeds.known_count is 'Events in a row that were known already: more than are kept means that the list goes in a circle.';
grant insert, select, update on bank_feeds to :"app_role";

create table bank_unread_objects (
  feed            text not null check (length(feed) <= 100),
  about           text not null check (length(about) between 1 and 300),
  organization_id uuid,
  event_id        text,
  event_at        timestamptz not null,
  reason          text not null check (length(reason) <= 200),
  attempts        integer not null default 1,
  first_failed_at timestamptz not null,
  retry_at        timestamptz,
  logged_at       timestamptz,
  primary key (feed, about)
);
comment on table bank_unread_objects is 'What events of a bank are about and could not be read; tried again by itself, never in the way of others.';
comment on column bank_unread_objects.organization_id is 'Whose news is late because of it; null: not known until it is read.';
comment on column bank_unread_objects.event_id is 'The first event that named it; null: an order that is asked about.';
comment on column bank_unread_objects.retry_at is 'Null: it is tried again with its list or its order.';
create index bank_unread_objects_due on bank_unread_objects (feed, retry_at);
create index bank_unread_objects_of_organization on bank_unread_objects (organization_id, event_at)
  where (organization_id is not null);
create index bank_unread_objects_to_log on bank_unread_objects (first_failed_at) where (logged_at is null);
grant delete, insert, select, update on bank_unread_objects to :"app_role";

create table bank_unapplied_notices (
  organization_id  uuid not null,
  notice_reference text not null check (length(notice_reference) <= 200),
  subject          text not null check (length(subject) <= 200),
  attempts         integer not null default 1,
  first_failed_at  timestamptz not null,
  retry_at         timestamptz not null,
  primary key (organization_id, notice_reference)
);
comment on table bank_unapplied_notices is 'Notices of the bank that could not be booked. Until retry_at, the bank adapter lists neither them nor what follows in the same subject.';
comment on column bank_unapplied_notices.subject is 'The transfer or deposit, whose notices are applied in order.';
comment on column bank_unapplied_notices.retry_at is 'Business time.';
create index bank_unapplied_notices_of_subject on bank_unapplied_notices (organization_id, subject, retry_at);
grant delete, insert, select, update on bank_unapplied_notices to :"app_role";

alter table bank_events add column read_at timestamptz default now();
comment on column bank_events.read_at is 'Kept for a day at least: an event may be dated long before it appears.';
