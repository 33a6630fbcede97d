-- Messages that no provider takes while the product runs on somebody's own machine; shown at /mailbox.
-- Of the process, not of an organization: an invitation goes to somebody who is in none yet.
create table mailbox_messages (
  id         uuid        primary key,
  channel    text        not null check (channel in ('EMAIL', 'SMS')),
  recipient  text        not null,
  subject    text,
  text       text        not null,
  html       text,
  created_at timestamptz not null,
  check (channel = 'EMAIL' or (subject is null and html is null))
);

create index mailbox_messages_newest on mailbox_messages (created_at desc, id desc);

grant select, insert, delete on mailbox_messages to :"app_role";
-- PostgreSQL asks for the right to update a column of a row before it lets the row be locked; nothing updates it.
grant update (created_at) on mailbox_messages to :"app_role";
