-- Programs and members propose up to 100 transfers together, which one signature decides. Each line is a transfer with a
-- proposal of its own.
create table transfer_batches (
  organization_id     uuid not null,
  id                  uuid not null,
  api_key_id          uuid,
  proposed_by_id      uuid not null,
  proposed_by_name    text not null check (length(proposed_by_name) <= 200),
  reason_for_approval text check (length(reason_for_approval) <= 1000),
  request             jsonb,
  line_count          integer not null check (line_count between 1 and 100),
  total_in_cents      bigint not null check (total_in_cents > 0),
  created_at          timestamptz not null,
  expires_at          timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id) references organizations (id),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id)
);
comment on table transfer_batches is
'Transfers that were proposed together and are decided together. What became of it is in the proposals of its lines.';
comment on column transfer_batches.api_key_id is 'Null: proposed by a member, from a file.';
comment on column transfer_batches.request is 'As that of a proposal; those of its lines have none.';
comment on column transfer_batches.total_in_cents is 'Of all lines, struck out or not.';
grant select on transfer_batches to :"app_role";

alter table proposals
  add column batch_id uuid,
  add column batch_line integer,
  add constraint proposals_batch_line_check check ((batch_id is null) = (batch_line is null)
    and (batch_id is null or kind = 'TRANSFER') and (batch_line is null or batch_line between 1 and 100)) not valid,
  add constraint proposals_batch_fkey foreign key (organization_id, batch_id)
    references transfer_batches (organization_id, id) not valid;
comment on column proposals.batch_id is 'The batch of which it is a line: it is decided only with the others.';
comment on column proposals.batch_line is 'Its number in the batch, from 1, which struck lines keep.';
