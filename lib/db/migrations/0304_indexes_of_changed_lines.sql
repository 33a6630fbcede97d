-- outside a transaction: reconciliations write these tables while the indexes are made
-- A line has one difference, and one more while the bank says otherwise than before.
create unique index concurrently bank_differences_of_kept_line on bank_differences (organization_id, line_reference)
  where (line_reference is not null and kind <> 'LINE_CHANGED' and resolution is distinct from 'ARRIVED');
create unique index concurrently bank_differences_of_changed_line on bank_differences (organization_id, line_reference)
  where (kind = 'LINE_CHANGED' and state <> 'RESOLVED');
create index concurrently bank_differences_of_line_changes on bank_differences (organization_id, line_reference, id desc)
  where (kind = 'LINE_CHANGED');
create index concurrently bank_difference_events_of_booked on bank_difference_events (organization_id, transfer_id)
  where (transfer_id is not null);
drop index concurrently if exists bank_differences_of_line;
