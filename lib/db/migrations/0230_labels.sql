-- A program's own id and data on what it requested. Beside transfers, so that those without any write nothing more.
create table transfer_labels (
  organization_id uuid not null,
  transfer_id     uuid not null,
  external_id     text check (length(external_id) between 1 and 64),
  metadata        jsonb not null default '[]' check (jsonb_typeof(metadata) = 'array'),
  primary key (organization_id, transfer_id)
);
comment on table transfer_labels is 'The id and the data that a program gave a transfer. No row: none.';
comment on column transfer_labels.metadata is 'Pairs of key and value, in the program''s order.';
create index transfer_labels_by_external_id on transfer_labels (organization_id, external_id, transfer_id desc)
  where external_id is not null;
grant select on transfer_labels to :"app_role";

create table transfer_metadata (
  organization_id uuid not null,
  key             text not null check (length(key) between 1 and 40),
  value           text not null check (length(value) <= 200),
  transfer_id     uuid not null,
  primary key (organization_id, key, value, transfer_id)
);
comment on table transfer_metadata is 'The pairs of transfer_labels.metadata, to find transfers by one.';
grant select on transfer_metadata to :"app_role";

alter table payees
  add column external_id text,
  add column metadata jsonb not null default '[]',
  add constraint payees_external_id_check check (length(external_id) between 1 and 64) not valid,
  add constraint payees_metadata_check check (jsonb_typeof(metadata) = 'array') not valid;
comment on column payees.external_id is 'Of the program that proposed it; at most MAXIMUM_PAYEES, so no index finds it.';
