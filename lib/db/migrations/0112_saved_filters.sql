-- Members keep filters of lists under names.
create table saved_filters (
  organization_id uuid not null,
  user_id         uuid not null,
  id              uuid not null,
  list            text not null check (list in ('TRANSFERS', 'CARDS', 'OUTSIDE', 'APPROVALS', 'REQUESTS', 'ACTIVITY')),
  name            text not null check (length(name) between 1 and 60),
  query           text not null check (length(query) between 1 and 2000),
  created_at      timestamptz not null,
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete CASCADE
);
comment on table saved_filters is 'Filters of lists that a member keeps under a name. Nobody else sees them.';
comment on column saved_filters.query is 'Of the list''s address, without the question mark and without a position in the list.';
create unique index saved_filters_by_name on saved_filters (organization_id, user_id, list, lower(name));
grant delete, insert, select, update on saved_filters to :"app_role";
