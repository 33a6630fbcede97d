alter table proposals validate constraint proposals_batch_line_check;
alter table proposals validate constraint proposals_batch_fkey;
