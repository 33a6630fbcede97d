-- How the refreshes of connections went, day by day, and since when one does not answer: for its page.

alter table connections
  -- Business time of the first of the failures in a row; null while it answers.
  add column failing_since timestamptz;
grant update (failing_since) on connections to :"app_role";

create table connection_days (
  organization_id uuid not null,
  connection_id   uuid not null,
  -- Of the organization's zone, in business time.
  day             date not null,
  succeeded       integer not null default 0 check (succeeded >= 0),
  failed          integer not null default 0 check (failed >= 0),
  primary key (organization_id, connection_id, day),
  foreign key (organization_id, connection_id) references connections (organization_id, id)
);
grant select, insert, update on connection_days to :"app_role";
