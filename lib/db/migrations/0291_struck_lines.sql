-- Under a policy several people sign a batch one after the other: what one of them strikes out is shown to the next.
alter table proposals
  add column struck_by uuid,
  add constraint proposals_struck_by_fkey foreign key (struck_by) references users (id) not valid,
  add constraint proposals_struck_line_check check (struck_by is null or batch_id is not null) not valid;
comment on column proposals.struck_by is
'Of a line of a batch: who struck it out as they signed or approved the others. It is denied with their decision.';
